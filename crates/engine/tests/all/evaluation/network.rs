//! Properties of networks, tested with random weights; trained ones have them too.

use std::sync::Arc;

use cannonade_engine::nnue::{
    ACTIVATION_SCALE, Accumulators, FEATURES, INPUT_SCALE, LOGIT, Network, NetworkError,
    OUTPUT_SCALE, SECOND_SCALE, Shape, Simd, Weights, bucket, feature, network_to_bytes, threat,
};
use cannonade_tables::random::Random;
use xiangqi::board::{Board, Position};
use xiangqi::geometry::Color;

use super::random_games::random_games;

/// The seed of the random games.
const GAMES: u64 = 77;

fn weight(random: &mut Random, most: usize) -> i16 {
    random.below(2 * most + 1) as i16 - most as i16
}

const SHAPES: [Shape; 8] = [
    Shape { width: 32, buckets: 1, paired: false, pairs: 0, threats: false },
    Shape { width: 64, buckets: 8, paired: true, pairs: 0, threats: false },
    Shape { width: 128, buckets: 8, paired: false, pairs: 0, threats: false },
    Shape { width: 256, buckets: 1, paired: true, pairs: 0, threats: false },
    Shape { width: 64, buckets: 1, paired: true, pairs: 3, threats: false },
    Shape { width: 256, buckets: 8, paired: true, pairs: 8, threats: false },
    Shape { width: 96, buckets: 1, paired: false, pairs: 0, threats: true },
    Shape { width: 256, buckets: 8, paired: true, pairs: 8, threats: true },
];

fn random_weights(shape: Shape, seed: u64) -> Weights {
    let mut random = Random::new(seed);
    let units = shape.free_units();
    Weights {
        inputs: (0..shape.features() * units)
            .map(|at| weight(&mut random, if at < FEATURES * units { 240 } else { 60 }))
            .collect(),
        biases: (0..units).map(|_| weight(&mut random, 800)).collect(),
        outputs: (0..shape.buckets * 2 * units).map(|_| weight(&mut random, 800)).collect(),
        output_biases: (0..shape.buckets)
            .map(|_| 1400 * i32::from(weight(&mut random, 3000)))
            .collect(),
        second: (0..shape.second_weights()).map(|_| weight(&mut random, 400)).collect(),
        second_biases: (0..shape.buckets * shape.pairs)
            .map(|_| 1400 * i32::from(weight(&mut random, 6000)))
            .collect(),
        second_outputs: (0..shape.buckets * shape.pairs)
            .map(|_| weight(&mut random, 1600))
            .collect(),
    }
}

fn random_network(shape: Shape, seed: u64) -> Network {
    Network::new(shape, random_weights(shape, seed), "random".to_owned(), 0).expect("a network")
}

fn value(accumulators: &mut Accumulators, board: &Board) -> i32 {
    accumulators.reset();
    accumulators.evaluate(board)
}

/// Computes the network's value in floating point from the same weights, without the rounding of
/// the integer arithmetic, as the trainer does.
fn float_value(shape: Shape, weights: &Weights, board: &Board) -> f64 {
    let units = shape.free_units();
    let scale = f64::from(INPUT_SCALE);
    let bucket = bucket(board.occupied().len(), shape.buckets);
    let mut logit = f64::from(weights.output_biases[bucket])
        / (f64::from(ACTIVATION_SCALE) * f64::from(OUTPUT_SCALE));
    let mut activations = Vec::new();
    for mirror in 0..shape.width / units {
        for (view, color) in [board.side(), !board.side()].into_iter().enumerate() {
            for unit in 0..units {
                let mut sum = f64::from(weights.biases[unit]) / scale;
                for (sq, piece) in board.iter() {
                    let sq = if mirror == 1 { sq.mirror() } else { sq };
                    let row = feature(color, piece, sq);
                    sum += f64::from(weights.inputs[row * units + unit]) / scale;
                }
                if shape.threats {
                    let rows = threats(board, color, mirror == 1);
                    let threats = rows.map(|row| f64::from(weights.inputs[row * units + unit]));
                    sum += threats.sum::<f64>() / scale;
                }
                let weight = weights.outputs[(bucket * 2 + view) * units + unit];
                let activation = sum.clamp(0.0, 1.0).powi(2);
                logit += activation * f64::from(weight) / f64::from(OUTPUT_SCALE);
                activations.push(activation);
            }
        }
    }
    logit += second_layer(shape, weights, bucket, &activations);
    logit * f64::from(LOGIT)
}

/// The inputs of all attacks on the board in a view, found from the attacked squares.
fn threats(board: &Board, view: Color, mirror: bool) -> impl Iterator<Item = usize> {
    let piece = |sq| board.piece_on(sq).expect("a piece").index();
    let mut rows = Vec::new();
    for to in board.occupied() {
        for from in board.attackers_to(to, board.occupied()) {
            let (attacker, victim) = (piece(from), piece(to));
            let to = if mirror { to.mirror() } else { to };
            rows.extend(match view {
                Color::Red => threat(attacker, victim, to),
                Color::Black => threat((attacker + 7) % 14, (victim + 7) % 14, to.flip()),
            });
        }
    }
    rows.into_iter()
}

/// The part of the logit that comes from the second layer. `activations` are those of both views,
/// then of both views of the mirrored board. Computed as a plain layer over all of them, once for
/// each unit of a pair.
fn second_layer(shape: Shape, weights: &Weights, bucket: usize, activations: &[f64]) -> f64 {
    let scale = f64::from(SECOND_SCALE);
    let (plain, mirrored) = activations.split_at(activations.len() / 2);
    let mut logit = 0.0;
    for number in bucket * shape.pairs..(bucket + 1) * shape.pairs {
        let pair = &weights.second[number * 2 * shape.width..][..2 * shape.width];
        for sign in [1.0, -1.0] {
            let mut value =
                f64::from(weights.second_biases[number]) / (f64::from(ACTIVATION_SCALE) * scale);
            for unit in 0..shape.width {
                let [sum, difference] =
                    [pair[unit], pair[shape.width + unit]].map(|w| f64::from(w) / scale);
                value += (sum + sign * difference) * plain[unit];
                value += (sum - sign * difference) * mirrored[unit];
            }
            let output = f64::from(weights.second_outputs[number]) / f64::from(OUTPUT_SCALE);
            logit += value.clamp(0.0, 1.0).powi(2) * output;
        }
    }
    logit
}

fn transformed(board: &Board, mirror: bool, exchange: bool) -> Board {
    let board = if mirror { board.mirror() } else { board.clone() };
    if exchange { board.flip() } else { board }
}

#[test]
fn integers_are_within_five_centipawns_of_floating_point() {
    for shape in SHAPES {
        let weights = random_weights(shape, 5);
        let network = Network::new(shape, weights.clone(), String::new(), 0).expect("a network");
        let mut accumulators = Accumulators::new(Arc::new(network));
        random_games(GAMES, 2_500, |position, _| {
            let float = float_value(shape, &weights, position.board());
            let integer = value(&mut accumulators, position.board());
            assert!((float - f64::from(integer)).abs() <= 5.0, "{float} {integer} {position}");
        });
    }
}

#[test]
fn updated_layers_have_the_values_of_layers_computed_from_the_board() {
    for shape in SHAPES {
        let network = Arc::new(random_network(shape, 6));
        let mut fresh = Accumulators::new(Arc::clone(&network));
        let mut updated = Accumulators::new(network);
        let mut random = Random::new(4);
        random_games(GAMES, 10_000, |position, delta| {
            match delta {
                None => updated.reset(),
                Some(delta) => updated.push(delta),
            }
            // Not at every position, so that updates span several moves.
            if random.below(3) == 0 {
                let board = position.board();
                assert_eq!(updated.evaluate(board), value(&mut fresh, board), "{position}");
            }
        });
    }
}

#[test]
fn taking_moves_back_restores_the_values() {
    let mut accumulators = Accumulators::new(Arc::new(random_network(SHAPES[3], 7)));
    let mut random = Random::new(8);
    for _ in 0..50 {
        let mut position = Position::startpos();
        accumulators.reset();
        let mut values = vec![accumulators.evaluate(position.board())];
        for _ in 0..400 {
            let moves = position.legal_moves();
            if values.len() > 1 && (moves.is_empty() || random.below(5) < 2) {
                position.unmake();
                accumulators.pop();
                values.pop();
                assert_eq!(values.last(), Some(&accumulators.evaluate(position.board())));
            } else if !moves.is_empty() {
                accumulators.push(position.play_unchecked(moves[random.below(moves.len())]));
                values.push(accumulators.evaluate(position.board()));
            }
        }
    }
}

#[test]
fn all_instruction_sets_agree_bit_for_bit() {
    for shape in SHAPES {
        let mut all: Vec<_> = Simd::ALL
            .iter()
            .filter_map(|&simd| {
                let network = random_network(shape, 9).with_simd(simd)?;
                Some(Accumulators::new(Arc::new(network)))
            })
            .collect();
        random_games(GAMES, 100_000, |position, delta| {
            let mut values = all.iter_mut().map(|accumulators| {
                match delta {
                    None => accumulators.reset(),
                    Some(delta) => accumulators.push(delta),
                }
                accumulators.evaluate(position.board())
            });
            let first = values.next();
            assert!(values.all(|value| Some(value) == first), "{position}");
        });
    }
}

#[test]
fn the_largest_output_weights_of_the_second_layer_do_not_overflow() {
    let shape = Shape { width: 64, buckets: 1, paired: true, pairs: 32, threats: false };
    let mut weights = random_weights(shape, 14);
    weights.second.fill(0);
    weights.second_biases.fill(ACTIVATION_SCALE * SECOND_SCALE);
    let board = Position::startpos().board().clone();
    for output in [i16::MAX, -i16::MAX] {
        weights.second_outputs.fill(output);
        let float = float_value(shape, &weights, &board);
        let network = Network::new(shape, weights.clone(), String::new(), 0).expect("a network");
        for network in Simd::ALL.iter().filter_map(|&simd| network.with_simd(simd)) {
            let integer = value(&mut Accumulators::new(Arc::new(network)), &board);
            assert!((float - f64::from(integer)).abs() <= 5.0, "{float} {integer}");
        }
    }
}

#[test]
fn values_do_not_depend_on_the_colours_nor_those_of_paired_networks_on_left_and_right() {
    for shape in SHAPES {
        let mut accumulators = Accumulators::new(Arc::new(random_network(shape, 10)));
        random_games(GAMES, 3_000, |position, _| {
            let board = position.board();
            let here = value(&mut accumulators, board);
            assert_eq!(here, value(&mut accumulators, &transformed(board, false, true)));
            if shape.paired {
                assert_eq!(here, value(&mut accumulators, &transformed(board, true, false)));
            }
        });
    }
}

#[test]
fn a_network_is_the_same_after_writing_and_reading_its_file() {
    for shape in SHAPES {
        let weights = random_weights(shape, 11);
        let bytes = network_to_bytes(shape, &weights, "made for a test");
        let network = Network::from_bytes(&bytes).expect("a network");
        assert_eq!(network.shape(), shape);
        assert_eq!(network.weights(), &weights);
        assert_eq!(network.description(), "made for a test");
        assert_eq!(network.to_bytes(), bytes);
    }
}

#[test]
fn wrong_files_are_rejected_with_the_reason() {
    let bytes = network_to_bytes(SHAPES[0], &random_weights(SHAPES[0], 12), "test");
    let reject = |bytes: &[u8]| Network::from_bytes(bytes).expect_err("not a valid network");
    assert!(matches!(reject(b""), NetworkError::Foreign));
    assert!(matches!(reject(b"RIFF and so on"), NetworkError::Foreign));
    for length in 8..bytes.len().min(400) {
        assert!(matches!(reject(&bytes[..length]), NetworkError::Size { .. }), "{length}");
    }
    assert!(matches!(reject(&bytes[..bytes.len() - 1]), NetworkError::Size { .. }));
    let damaged = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= value;
        reject(&bytes)
    };
    assert!(matches!(damaged(8, 3), NetworkError::Version(0)));
    assert!(matches!(damaged(bytes.len() - 900, 1), NetworkError::Checksum { .. }));
    assert!(matches!(damaged(12, 1), NetworkError::Unusable(_)));
    assert!(matches!(damaged(35, 255), NetworkError::Size { .. }));
    let mut weights = random_weights(SHAPES[0], 12);
    weights.inputs[..32 * 90].fill(16000);
    let bytes = network_to_bytes(SHAPES[0], &weights, "overflows");
    assert!(matches!(reject(&bytes), NetworkError::Unusable(_)));
}

#[test]
fn red_and_black_value_the_starting_position_equally() {
    let position = Position::startpos();
    let mut accumulators = Accumulators::new(Arc::new(random_network(SHAPES[2], 13)));
    let red = value(&mut accumulators, position.board());
    let mut turned = position.board().clone();
    turned.set_side(Color::Black);
    assert_eq!(red, value(&mut accumulators, &turned));
}

#[test]
fn every_changed_bit_of_a_header_is_noticed() {
    let shape = SHAPES[4];
    let bytes = network_to_bytes(shape, &random_weights(shape, 5), "a test");
    assert!(Network::from_bytes(&bytes).is_ok());
    for bit in 0..8 * 40 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(Network::from_bytes(&changed).is_err(), "bit {bit}");
    }
}
