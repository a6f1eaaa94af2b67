//! The mean of the weights of several networks.

use crate::evaluation::{Network, Weights};

/// The mean of each weight, rounded; `None` without networks or if their shapes differ.
///
/// Networks that were trained from the same start with other rates and seeds have errors of their
/// own, and the mean has less of them. (M. Wortsman and others, "Model soups: averaging weights of
/// multiple fine-tuned models improves accuracy without increasing inference time", 2022.)
pub fn average_weights(networks: &[&Network]) -> Option<Weights> {
    let (first, others) = networks.split_first()?;
    if others.iter().any(|other| other.shape() != first.shape()) {
        return None;
    }
    let shorts = |part: fn(&Weights) -> &Vec<i16>| {
        let parts: Vec<_> = networks.iter().map(|network| part(network.weights())).collect();
        (0..parts[0].len())
            .map(|at| mean(parts.iter().map(|part| part[at].into()), parts.len()) as i16)
            .collect()
    };
    let longs = |part: fn(&Weights) -> &Vec<i32>| {
        let parts: Vec<_> = networks.iter().map(|network| part(network.weights())).collect();
        (0..parts[0].len())
            .map(|at| mean(parts.iter().map(|part| part[at].into()), parts.len()) as i32)
            .collect()
    };
    let mut weights = Weights {
        inputs: shorts(|weights| &weights.inputs),
        biases: shorts(|weights| &weights.biases),
        outputs: shorts(|weights| &weights.outputs),
        output_biases: longs(|weights| &weights.output_biases),
        second: shorts(|weights| &weights.second),
        second_biases: longs(|weights| &weights.second_biases),
        second_outputs: shorts(|weights| &weights.second_outputs),
    };
    // Rounding may have made the sums of some units a little larger.
    weights.limit_hidden_units(first.shape());
    Some(weights)
}

fn mean(numbers: impl Iterator<Item = i64>, count: usize) -> f64 {
    (numbers.sum::<i64>() as f64 / count as f64).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::network_to_bytes;
    use crate::training::Model;

    fn network(seed: u64, width: usize) -> Network {
        let shape =
            crate::evaluation::Shape { width, buckets: 8, paired: true, pairs: 2, threats: true };
        let weights = Model::random(shape, seed).quantise();
        Network::from_bytes(&network_to_bytes(shape, &weights, "")).expect("a network")
    }

    #[test]
    fn each_weight_is_the_mean_of_those_of_the_networks() {
        let (a, b) = (network(1, 64), network(2, 64));
        assert_eq!(average_weights(&[&a, &a]).as_ref(), Some(a.weights()));
        let mean = average_weights(&[&a, &b, &b]).expect("one shape");
        for (at, (a, b)) in a.weights().inputs.iter().zip(&b.weights().inputs).enumerate() {
            let expected = (f64::from(*a) + 2.0 * f64::from(*b)) / 3.0;
            assert_eq!(f64::from(mean.inputs[at]), expected.round(), "input weight {at}");
        }
        assert_ne!(mean.second_outputs, a.weights().second_outputs);
        assert_ne!(mean.output_biases.len(), 0);
    }

    #[test]
    fn networks_of_other_shapes_have_no_mean() {
        assert_eq!(average_weights(&[&network(1, 64), &network(2, 128)]), None);
        assert_eq!(average_weights(&[]), None);
    }
}
