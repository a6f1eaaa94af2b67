//! The trainer: it learns, it is deterministic, it can be interrupted.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cannonade_engine::nnue::{Network, Shape, bucket, feature, network_to_bytes};
use cannonade_training::{
    BatchProgress, FilterSettings, Model, Sample, SampleFilter, Trainer, TrainingSettings,
    check_rounding, loss_curve,
};
use xiangqi::geometry::{Color, Piece, Square};

use crate::games::{random_game, scratch};

fn settings(paired: bool, pairs: usize, threats: bool) -> TrainingSettings {
    TrainingSettings {
        width: 64,
        buckets: 8,
        paired,
        pairs,
        threats,
        factoriser: true,
        epochs: 4,
        batch: 4096,
        learning_rate: 3e-3,
        final_rate: 1e-5,
        warm_up: 0,
        weight_decay: 0.01,
        epsilon: 1e-8,
        result_weight: 0.3,
        ending_result_weight: 0.6,
        lookahead: 0.0,
        seed: 5,
        start: None,
        samples: 0,
        held_out: 0,
        checksum_of_samples: 0,
    }
}

/// Samples whose score and result are the material, which is easily learned.
fn samples() -> Vec<Sample> {
    let mut filter =
        SampleFilter::new(FilterSettings { max_score: i16::MAX, ..FilterSettings::default() });
    let mut samples = Vec::new();
    for id in 0..150 {
        filter.filter_game(&random_game(id), &mut samples).expect("a game that can be played");
    }
    for sample in &mut samples {
        let worth = [100, 200, 200, 400, 450, 900, 0];
        let material: i16 = (sample.board.pieces())
            .map(|(piece, _)| if piece < 7 { worth[piece] } else { -worth[piece - 7] })
            .sum();
        sample.score = material;
        sample.result = (1 + material.signum()) as u8;
    }
    samples
}

fn train(settings: &TrainingSettings, threads: usize, samples: &[Sample]) -> Trainer {
    let mut trainer = Trainer::new(settings.clone(), threads);
    let (validation, training) = samples.split_at(samples.len() / 10);
    while !trainer.is_done() {
        let go = AtomicBool::new(false);
        assert!(trainer.train_epoch(training, validation, &go, |_| ()).is_some());
    }
    trainer
}

#[test]
fn material_is_learned_and_the_threads_do_not_matter() {
    let samples = samples();
    assert!(samples.len() > 5000);
    // Threats have nothing to do with material; so few samples are learned by heart with them.
    let shapes = [(false, 0, false, 0.5), (true, 0, false, 0.5), (true, 2, true, 0.75)];
    for (paired, pairs, threats, share) in shapes {
        let settings = TrainingSettings {
            epochs: 40,
            learning_rate: 1e-2,
            ..settings(paired, pairs, threats)
        };
        let one = train(&settings, 1, &samples);
        let errors: Vec<_> = one.epochs().iter().map(|epoch| epoch.validation).collect();
        assert!(errors[39] < errors[0] * share, "{errors:?}");
        let three = train(&settings, 3, &samples);
        assert_eq!(one.model(), three.model());
        assert_eq!(errors[39], three.epochs()[39].validation);
        let curve = loss_curve("a < b", one.epochs());
        assert!(curve.contains("a &lt; b"));
        assert_eq!(curve.matches("<circle").count(), 80);
        assert_eq!(loss_curve("", &one.epochs()[..1]).matches("<circle").count(), 2);
    }
}

/// No pawn of the samples stands on the first rank of its side, where none can. The weights that
/// its row has learned come from the other squares of its file.
#[test]
fn similar_inputs_learn_together() {
    let samples = samples();
    let unused =
        feature(Color::Red, Piece::from_letter('P').expect("a pawn"), Square::from_index(0));
    let learned = |factoriser: bool| {
        let settings =
            TrainingSettings { factoriser, weight_decay: 0.0, ..settings(true, 0, false) };
        let start = Model::random(settings.shape(), settings.seed);
        let trainer = train(&settings, 2, &samples);
        let units = settings.shape().free_units();
        let row = |model: &Model| model.parameters()[unused * units..][..units].to_vec();
        let (before, after) = (row(&start), row(trainer.model()));
        before.iter().zip(after).filter(|(before, after)| **before != *after).count()
    };
    assert_eq!(learned(false), 0);
    assert!(learned(true) > 20);
}

#[test]
fn an_interrupted_run_comes_to_the_same_network() {
    let samples = samples();
    let settings = settings(true, 2, true);
    let path = scratch("interrupted.checkpoint");
    let whole = train(&settings, 2, &samples);

    let (validation, training) = samples.split_at(samples.len() / 10);
    let mut first = Trainer::new(settings.clone(), 2);
    let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
    assert!(first.train_epoch(training, validation, &go, |_| ()).is_some());
    first.save(&path).expect("a checkpoint");
    assert!(first.train_epoch(training, validation, &stop, |_| ()).is_none());
    let mut second = Trainer::new(settings.clone(), 2);
    second.resume(&path).expect("a checkpoint of these settings");
    while !second.is_done() {
        assert!(second.train_epoch(training, validation, &go, |_| ()).is_some());
    }
    assert_eq!(second.model(), whole.model());

    let mut other = Trainer::new(TrainingSettings { seed: 6, ..settings }, 2);
    assert!(other.resume(&path).is_err(), "a checkpoint of other settings is refused");
}

#[test]
fn a_checkpoint_of_other_samples_or_another_version_is_refused_with_the_reason() {
    let samples: Vec<Sample> = samples().into_iter().take(64).collect();
    let path = scratch("other.checkpoint");
    let of = |samples: &[Sample], rate| {
        let mut settings = TrainingSettings { learning_rate: rate, ..settings(true, 0, false) };
        settings.set_samples(samples, &samples[..8]);
        settings
    };
    Trainer::new(of(&samples, 1e-3), 1).save(&path).expect("a checkpoint");
    let refusal = |settings| {
        let refused = Trainer::new(settings, 1).resume(&path);
        refused.expect_err("a checkpoint of another run").to_string()
    };
    assert!(Trainer::new(of(&samples, 1e-3), 1).resume(&path).is_ok());
    let rate = refusal(of(&samples, 2e-3));
    assert!(rate.contains("(learning rate was 0.001, is now 0.002)"), "{rate}");
    let fewer = refusal(of(&samples[..60], 1e-3));
    assert!(fewer.contains("samples was 64, is now 60"), "{fewer}");
    let mut other = samples.clone();
    other[7].score += 1;
    let other = refusal(of(&other, 1e-3));
    assert!(other.contains("checksum of samples was") && !other.contains("held out"), "{other}");

    // As versions wrote it that did not keep the samples.
    let bytes = fs::read(&path).expect("the checkpoint");
    let end = bytes.iter().position(|&byte| byte == b'\n').expect("a first line");
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[..end]).expect("JSON");
    header["settings"].as_object_mut().expect("settings").remove("samples");
    let mut old = [header.to_string().as_bytes(), &bytes[end..bytes.len() - 4]].concat();
    old.extend(crc32fast::hash(&old).to_le_bytes());
    fs::write(&path, &old).expect("a writable file");
    let version = refusal(of(&samples, 1e-3));
    assert!(version.contains("another version of the program"), "{version}");
}

#[test]
fn a_batch_of_any_size_needs_memory_for_the_samples_only() {
    let samples: Vec<Sample> = samples().into_iter().take(64).collect();
    let settings = TrainingSettings { batch: u32::MAX as usize, ..settings(true, 0, false) };
    let mut trainer = Trainer::new(settings, 1);
    let go = AtomicBool::new(false);
    assert!(trainer.train_epoch(&samples, &samples, &go, |_| ()).is_some());
}

#[test]
fn the_batches_of_an_epoch_have_the_same_size() {
    let samples: Vec<Sample> = samples().into_iter().take(100).collect();
    let settings = TrainingSettings { batch: 30, ..settings(true, 0, false) };
    let mut trainer = Trainer::new(settings, 1);
    let go = AtomicBool::new(false);
    let mut done = vec![0];
    let show = |batch: &BatchProgress| done.push(batch.samples);
    assert!(trainer.train_epoch(&samples, &samples[..1], &go, show).is_some());
    assert_eq!(done, [0, 25, 50, 75, 100]);
}

#[test]
fn the_learning_rate_rises_during_at_most_a_tenth_of_the_run() {
    let samples: Vec<Sample> = samples().into_iter().take(100).collect();
    // The first step of Adam is as large as the rate.
    let first_step = |warm_up: u32, epochs: u32| {
        let settings = TrainingSettings {
            warm_up,
            epochs,
            batch: 10,
            weight_decay: 0.0,
            factoriser: false,
            ..settings(true, 0, false)
        };
        let mut trainer = Trainer::new(settings, 1);
        let before = trainer.model().clone();
        let stop = AtomicBool::new(false);
        let show = |_: &BatchProgress| stop.store(true, Ordering::Relaxed);
        assert!(trainer.train_epoch(&samples, &samples[..1], &stop, show).is_none());
        let parameters = before.parameters().iter().zip(trainer.model().parameters());
        parameters.map(|(before, after)| (before - after).abs()).fold(0.0, f32::max)
    };
    for (warm_up, epochs, share) in [(0, 4, 1.0), (2, 4, 2.0), (100, 4, 4.0), (100, 200, 100.0)] {
        let step = first_step(warm_up, epochs);
        let expected = 3e-3 / share;
        assert!((step / expected - 1.0).abs() < 0.01, "{warm_up} {epochs}: {step} {expected}");
    }
}

/// The number of the first output weight and of the first bias of the second layer.
fn second_layer_places(shape: Shape) -> (usize, usize) {
    let pairs = shape.buckets * shape.pairs;
    let outputs = Model::random(shape, 1).parameters().len() - pairs;
    (outputs, outputs - shape.buckets - pairs)
}

#[test]
fn output_weights_of_the_second_layer_may_be_larger_than_others() {
    let samples = samples();
    let settings = settings(true, 2, true);
    let shape = settings.shape();
    let (outputs, _) = second_layer_places(shape);
    let mut parameters = Model::random(shape, 1).parameters().to_vec();
    parameters[outputs..].fill(7.0);
    let start = Model::from_parameters(shape, parameters).expect("as many parameters");
    let mut trainer = Trainer::new(settings, 1);
    trainer.start_from(start);
    let go = AtomicBool::new(false);
    assert!(trainer.train_epoch(&samples, &samples[..1], &go, |_| ()).is_some());
    let trained = trainer.model().parameters();
    assert!(trained[outputs..].iter().all(|weight| (6.9..7.1).contains(weight)));
    assert!(trained[..outputs].iter().all(|weight| weight.abs() < 1.0));
    let bytes = network_to_bytes(shape, &trainer.model().quantise(), "");
    let network = Network::from_bytes(&bytes).expect("a network");
    let again = Model::from_weights(shape, &network, 2).expect("this shape");
    let parameters = again.parameters().iter().zip(trained);
    assert!(parameters.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-3);
}

#[test]
fn idle_pairs_of_the_second_layer_are_found_and_begin_anew() {
    let samples = samples();
    let settings = TrainingSettings { start: Some(7), ..settings(true, 2, true) };
    let shape = settings.shape();
    let (outputs, biases) = second_layer_places(shape);
    // A pair for positions with nearly all pieces.
    let pair = 7 * shape.pairs;
    let mut parameters = Model::random(shape, 1).parameters().to_vec();
    (parameters[outputs + pair], parameters[biases + pair]) = (0.5, -5.0);
    let start = Model::from_parameters(shape, parameters).expect("as many parameters");
    let started = |seed| {
        let mut trainer = Trainer::new(TrainingSettings { seed, ..settings.clone() }, 2);
        trainer.start_from(start.clone());
        trainer
    };
    let mut trainer = started(5);
    assert!(trainer.idle_pairs(&samples[..900]).is_empty(), "too few samples to tell");
    assert_eq!(trainer.idle_pairs(&samples), [pair]);
    let before = trainer.error(&samples);
    assert_eq!(trainer.restart_idle_pairs(&samples), 1);
    assert!(trainer.idle_pairs(&samples).is_empty());
    assert_eq!(trainer.error(&samples), before);
    let mut other = started(6);
    other.restart_idle_pairs(&samples);
    assert_eq!(other.model(), trainer.model(), "the seed does not matter");

    let restarted = trainer.model().clone();
    let go = AtomicBool::new(false);
    assert!(trainer.train_epoch(&samples, &samples[..1], &go, |_| ()).is_some());
    let learned = |place: usize| {
        (trainer.model().parameters()[place] - restarted.parameters()[place]).abs() > 1e-4
    };
    assert!(learned(outputs + pair) && learned(biases + pair));
}

#[test]
fn a_wider_network_starts_with_the_values_of_the_one_it_starts_from() {
    for (paired, pairs, threats) in [(false, 0, false), (true, 2, true)] {
        let shape = settings(paired, pairs, threats).shape();
        let bytes = network_to_bytes(shape, &Model::random(shape, 1).quantise(), "");
        let network = Network::from_bytes(&bytes).expect("a network");
        let from = |width| Model::from_weights(Shape { width, ..shape }, &network, 2);
        let same = from(64).expect("this shape");
        // At 192 each old unit has two copies.
        for wider in [128, 192].map(|width| from(width).expect("a wider one")) {
            for sample in samples().iter().step_by(50) {
                let (logit, expected) = (wider.logit(&sample.board), same.logit(&sample.board));
                assert!((logit - expected).abs() < 1e-5, "{logit} {expected}");
            }
        }
        assert!(from(32).is_none(), "a narrower one");
        let other_inputs = Shape { width: 128, threats: false, ..shape };
        assert_eq!(Model::from_weights(other_inputs, &network, 2).is_none(), threats);
    }
}

#[test]
fn the_units_of_a_wider_network_learn_as_the_old_ones_and_other_things() {
    let narrow = settings(true, 2, true).shape();
    let bytes = network_to_bytes(narrow, &Model::random(narrow, 1).quantise(), "");
    let network = Network::from_bytes(&bytes).expect("a network");
    let settings = TrainingSettings { width: 128, epsilon: 1e-5, ..settings(true, 2, true) };
    let shape = settings.shape();
    let before = Model::from_weights(shape, &network, 2).expect("a wider one");
    let mut trainer = Trainer::new(settings, 1);
    trainer.start_from(before.clone());
    let samples = samples();
    let go = AtomicBool::new(false);
    trainer.train_epoch(&samples, &samples, &go, |_| ()).expect("an epoch");
    let (mut old, mut new, mut apart) = (0.0, 0.0, 0.0);
    let units = shape.free_units();
    let rows = |model: &Model| -> Vec<Vec<f32>> {
        let inputs = &model.parameters()[..shape.features() * units];
        inputs.chunks(units).map(<[f32]>::to_vec).collect()
    };
    for (before, after) in rows(&before).iter().zip(rows(trainer.model())) {
        for unit in 0..units / 2 {
            let copy = unit + units / 2;
            old += (after[unit] - before[unit]).abs();
            new += (after[copy] - before[copy]).abs();
            apart += (after[unit] - after[copy]).abs();
        }
    }
    assert!(new > 0.5 * old && apart > 0.5 * old, "{old} {new} {apart}");
}

#[test]
fn only_integers_of_the_same_weights_agree_with_floating_point() {
    let shape = settings(true, 0, false).shape();
    let samples = samples();
    let model = Model::random(shape, 1);
    let network = |model: &Model| {
        let bytes = network_to_bytes(shape, &model.quantise(), "");
        Arc::new(Network::from_bytes(&bytes).expect("a network"))
    };
    let check = |network, samples| check_rounding(&model, &network, samples);
    assert!(check(network(&model), &samples[..9]).passed);
    assert!(!check(network(&model), &[]).passed, "no position agrees");
    let other = check(network(&Model::random(shape, 2)), &samples[..9]);
    assert!(!other.passed, "{other}");

    // One output weight of positions with nearly all pieces.
    let mut parameters = model.parameters().to_vec();
    let output_biases = parameters.len() - shape.buckets;
    parameters[output_biases - 1] += 0.5;
    let changed = Model::from_parameters(shape, parameters).expect("as many parameters");
    let wrong = check(network(&changed), &samples);
    assert!(!wrong.passed, "{wrong}");
}

/// One step of plain descent on one sample must lower the error as the gradient says; checked
/// through the optimiser's first step, whose direction is the gradient's sign.
#[test]
fn the_first_step_goes_down_the_slope_of_each_parameter() {
    let samples: Vec<Sample> = samples().into_iter().take(64).collect();
    let settings = TrainingSettings {
        batch: 64,
        epochs: 1,
        learning_rate: 1e-4,
        final_rate: 1e-4,
        weight_decay: 0.0,
        // Inputs with weights in common move together.
        factoriser: false,
        ..settings(true, 2, true)
    };
    let shape = settings.shape();
    let mut trainer = Trainer::new(settings.clone(), 1);
    let before = trainer.model().clone();
    let go = AtomicBool::new(false);
    assert!(trainer.train_epoch(&samples, &samples, &go, |_| ()).is_some());
    let after = trainer.model().parameters();

    let error = |parameters: Vec<f32>| {
        let model = Model::from_parameters(shape, parameters).expect("the same shape");
        mean_error(&model, &samples, &settings)
    };
    let mut checked = 0;
    for place in (0..after.len()).step_by(37) {
        let step = after[place] - before.parameters()[place];
        let shifted = |by: f32| {
            let mut parameters = before.parameters().to_vec();
            parameters[place] += by;
            error(parameters)
        };
        let slope = (shifted(1e-2) - shifted(-1e-2)) / 2e-2;
        if slope.abs() > 1e-5 {
            assert!(slope * f64::from(step) < 0.0, "parameter {place}: {slope} {step}");
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

fn mean_error(model: &Model, samples: &[Sample], settings: &TrainingSettings) -> f64 {
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    let square = |sample: &Sample| {
        let result = f32::from(sample.result) / 2.0;
        let score = sigmoid(f32::from(sample.score) / 400.0);
        let (general, ending) = (settings.result_weight, settings.ending_result_weight);
        let pieces = sample.board.occupied().len() as f32;
        let weight = general + (ending - general) * ((18.0 - pieces) / 8.0).clamp(0.0, 1.0);
        let target = weight * result + (1.0 - weight) * score;
        f64::from(sigmoid(model.logit(&sample.board)) - target).powi(2)
    };
    samples.iter().map(square).sum::<f64>() / samples.len() as f64
}

#[test]
fn every_bucket_is_met_in_random_games() {
    let shape = Shape { width: 64, buckets: 8, paired: true, pairs: 0, threats: true };
    let used: std::collections::HashSet<_> = samples()
        .iter()
        .map(|sample| bucket(sample.board.occupied().len(), shape.buckets))
        .collect();
    assert!(used.len() >= 3, "{used:?}");
}
