//! The mean of the weights of several networks.

use cannonade_engine::nnue::{Network, Weights};

/// Returns the mean of each weight, rounded; `None` without networks or if their shapes differ.
///
/// Networks trained from the same start with other rates and seeds have different errors, which the
/// mean reduces. (M. Wortsman and others, "Model soups: averaging weights of multiple fine-tuned
/// models improves accuracy without increasing inference time", 2022.)
pub fn average_weights(networks: &[&Network]) -> Option<Weights> {
    let (first, others) = networks.split_first()?;
    if others.iter().any(|other| other.shape() != first.shape()) {
        return None;
    }
    let shorts = |part| means(networks, part, |mean| mean as i16);
    let longs = |part| means(networks, part, |mean| mean as i32);
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

/// Returns the rounded mean of each number of a part of the weights.
fn means<T: Copy + Into<f64>>(
    networks: &[&Network],
    part: fn(&Weights) -> &Vec<T>,
    convert: fn(f64) -> T,
) -> Vec<T> {
    let parts: Vec<_> = networks.iter().map(|network| part(network.weights())).collect();
    let sum = |at: usize| parts.iter().map(|part| part[at].into()).sum::<f64>();
    let count = parts.len() as f64;
    (0..parts[0].len()).map(|at| convert((sum(at) / count).round())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use cannonade_engine::nnue::network_to_bytes;

    fn network(seed: u64, width: usize) -> Network {
        let shape = cannonade_engine::nnue::Shape {
            width,
            buckets: 8,
            paired: true,
            pairs: 2,
            threats: true,
        };
        let weights = Model::random(shape, seed).quantise();
        Network::from_bytes(&network_to_bytes(shape, &weights, "")).expect("a network")
    }

    #[test]
    fn each_weight_is_the_mean_of_those_of_the_networks() {
        let (a, b) = (network(1, 64), network(2, 64));
        assert_eq!(average_weights(&[&a, &a]).as_ref(), Some(a.weights()));
        let mean = average_weights(&[&a, &b, &b]).expect("one shape");
        let expected = |a: f64, b: f64| ((a + 2.0 * b) / 3.0).round();
        let (first, second) = (a.weights(), b.weights());
        let parts: [fn(&Weights) -> &Vec<i16>; 4] = [
            |weights| &weights.inputs,
            |weights| &weights.outputs,
            |weights| &weights.second,
            |weights| &weights.second_outputs,
        ];
        for part in parts {
            for ((mean, a), b) in part(&mean).iter().zip(part(first)).zip(part(second)) {
                assert_eq!(f64::from(*mean), expected((*a).into(), (*b).into()));
            }
        }
    }

    #[test]
    fn networks_of_other_shapes_have_no_mean() {
        assert_eq!(average_weights(&[&network(1, 64), &network(2, 128)]), None);
        assert_eq!(average_weights(&[]), None);
    }
}
