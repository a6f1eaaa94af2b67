//! The network in floating point, which the trainer works on.

use cannonade_engine::nnue::{
    ACTIVATION_SCALE, FEATURES, INPUT_SCALE, Network, OUTPUT_SCALE, SECOND_SCALE, Shape, Weights,
};
use cannonade_tables::random::Random;

use super::head::Head;
use super::inputs::{MAX_INPUTS, VIEWS, pieces_and_bucket, views, write_inputs};
use super::layout::ParameterLayout;
use crate::data::PackedBoard;

/// Weights are kept within plus and minus this.
pub const CLIP: f32 = 0.99;

/// Output weights of the second layer and biases of both outputs and second layer are kept within
/// plus and minus this: few numbers, which no sum in 16 bits limits.
pub(super) const OUTPUT_CLIP: f32 = 8.0;

/// A network. All weights are in one vector, so that the optimiser and the checkpoint need not
/// distinguish them.
///
/// `[feature][unit]`, biases `[unit]`, outputs `[bucket][view][unit]`, where units are the free
/// ones of the shape; if the shape has a second layer, its weights
/// `[bucket][pair][sum or difference][view][unit]` and biases `[bucket][pair]`; output biases
/// `[bucket]`; output weights of the second layer `[bucket][pair]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    shape: Shape,
    parameters: Vec<f32>,
}

impl Model {
    /// Creates a network of random weights: the hidden values of a position with 24 pieces spread
    /// over 0..1, and the output is near zero.
    pub fn random(shape: Shape, seed: u64) -> Model {
        let layout = ParameterLayout::new(shape);
        let mut random = Random::stream(seed, 0);
        let number = |random: &mut Random, most: f32| (2.0 * random.unit_f32() - 1.0) * most;
        let mut parameters = vec![0.0; layout.len];
        // The weights of threats begin at 0.
        parameters[..FEATURES * layout.units]
            .iter_mut()
            .for_each(|weight| *weight = number(&mut random, 0.07));
        parameters[layout.biases..layout.outputs].fill(0.1);
        let most = (0.5 / shape.width as f32).sqrt();
        for weight in &mut parameters[layout.outputs..layout.second] {
            *weight = number(&mut random, most);
        }
        let mut model = Model { shape, parameters };
        for pair in 0..shape.buckets * shape.pairs {
            model.randomise_pair(pair, &mut random);
            model.parameters[layout.second_outputs + pair] = number(&mut random, 0.05);
        }
        model
    }

    /// Gives a pair of the second layer random weights, so that its hidden values are within 0..1.
    /// The pairs of all buckets are numbered.
    fn randomise_pair(&mut self, pair: usize, random: &mut Random) {
        let layout = ParameterLayout::new(self.shape);
        let most = (1.0 / layout.units as f32).sqrt();
        let size = 4 * layout.units;
        for weight in &mut self.parameters[layout.second + pair * size..][..size] {
            *weight = (2.0 * random.unit_f32() - 1.0) * most;
        }
        self.parameters[layout.second_biases + pair] = 0.3;
    }

    /// Gives these pairs of the second layer random weights and the output weight 0. Without the
    /// activations of the pairs the values stay as they are. The output weight learns at once, the
    /// others as soon as it is not 0.
    pub(super) fn restart_pairs(&mut self, pairs: &[usize], seed: u64) {
        let outputs = ParameterLayout::new(self.shape).second_outputs;
        for &pair in pairs {
            self.randomise_pair(pair, &mut Random::stream(seed, 2 + pair as u64));
            self.parameters[outputs + pair] = 0.0;
        }
    }

    /// Creates a network with these integers as its rounded weights, as a part of this shape. If
    /// they have no second layer and `shape` has one, it starts from random weights; if they have
    /// no threats and `shape` has, their weights start at 0. If `shape` is wider, each new unit is
    /// a copy of an old one and takes random shares of its output weights, so that no value changes
    /// and both learn different things. (T. Chen, I. Goodfellow and J. Shlens, "Net2Net:
    /// Accelerating Learning via Knowledge Transfer", arXiv 1511.05641.) `None` if another part of
    /// the shape differs.
    pub fn from_weights(shape: Shape, network: &Network, seed: u64) -> Option<Model> {
        let other = network.shape();
        let extended =
            Shape { pairs: shape.pairs, threats: shape.threats, width: shape.width, ..other };
        let loses_pairs = other.pairs != 0 && other.pairs != shape.pairs;
        let loses_part = loses_pairs || other.threats && !shape.threats;
        if extended != shape || loses_part || other.width > shape.width {
            return None;
        }
        let weights = network.weights();
        let (mut model, layout) = (Model::random(shape, seed), ParameterLayout::new(shape));
        let units = other.free_units();
        let mut random = Random::stream(seed, 1);
        // Parts with one number for each unit of the first layer.
        let rows = [
            (0, &weights.inputs, INPUT_SCALE),
            (layout.biases, &weights.biases, INPUT_SCALE),
            (layout.outputs, &weights.outputs, OUTPUT_SCALE),
            (layout.second, &weights.second, SECOND_SCALE),
        ];
        for (place, weights, scale) in rows {
            let parameters = model.parameters[place..].chunks_mut(layout.units);
            for (row, weights) in parameters.zip(weights.chunks(units)) {
                for (parameter, &weight) in row.iter_mut().zip(weights) {
                    *parameter = f32::from(weight) / scale as f32;
                }
                for new in units..row.len() {
                    let old = (new - units) % units;
                    row[new] = row[old];
                    if place >= layout.outputs {
                        let share = 2.0 * random.unit_f32() - 0.5;
                        let both = [share * row[old], (1.0 - share) * row[old]];
                        let fits = both.iter().all(|part| part.abs() < CLIP);
                        [row[new], row[old]] = if fits { both } else { [0.5 * row[old]; 2] };
                    }
                }
            }
        }
        let second_outputs = &mut model.parameters[layout.second_outputs..];
        for (parameter, &weight) in second_outputs.iter_mut().zip(&weights.second_outputs) {
            *parameter = f32::from(weight) / OUTPUT_SCALE as f32;
        }
        let longs = [
            (layout.output_biases, &weights.output_biases, OUTPUT_SCALE),
            (layout.second_biases, &weights.second_biases, SECOND_SCALE),
        ];
        for (place, biases, scale) in longs {
            for (parameter, &bias) in model.parameters[place..].iter_mut().zip(biases) {
                *parameter = bias as f32 / (ACTIVATION_SCALE * scale) as f32;
            }
        }
        Some(model)
    }

    /// Creates a network of these parameters; `None` if their number does not fit the shape.
    pub fn from_parameters(shape: Shape, parameters: Vec<f32>) -> Option<Model> {
        (parameters.len() == ParameterLayout::new(shape).len).then_some(Model { shape, parameters })
    }

    /// Returns the shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns all parameters.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    pub(super) fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// Rounds the weights to integers, reduced where a hidden unit could overflow.
    pub fn quantise(&self) -> Weights {
        let layout = ParameterLayout::new(self.shape);
        let round = |from: usize, to: usize, scale: i32| {
            let weights = self.parameters[from..to].iter();
            weights.map(|weight| (weight * scale as f32).round() as i16).collect()
        };
        let round_biases = |from: usize, to: usize, scale: i32| {
            let biases = self.parameters[from..to].iter();
            biases.map(|bias| (bias * (ACTIVATION_SCALE * scale) as f32).round() as i32).collect()
        };
        let mut weights = Weights {
            inputs: round(0, layout.biases, INPUT_SCALE),
            biases: round(layout.biases, layout.outputs, INPUT_SCALE),
            outputs: round(layout.outputs, layout.second, OUTPUT_SCALE),
            output_biases: round_biases(layout.output_biases, layout.second_outputs, OUTPUT_SCALE),
            second: round(layout.second, layout.second_biases, SECOND_SCALE),
            second_biases: round_biases(layout.second_biases, layout.output_biases, SECOND_SCALE),
            second_outputs: round(layout.second_outputs, layout.len, OUTPUT_SCALE),
        };
        weights.limit_hidden_units(self.shape);
        weights
    }

    /// Returns the value of a board seen from the side to move, as the logit of the expected
    /// result.
    pub fn logit(&self, board: &PackedBoard) -> f32 {
        let layout = ParameterLayout::new(self.shape);
        let mut inputs = [[0; VIEWS]; MAX_INPUTS];
        let len = write_inputs(board, self.shape, false, &mut inputs);
        let mut all_hidden = Vec::new();
        for view in 0..views(self.shape) {
            for unit in 0..layout.units {
                let rows = inputs[..len].iter().map(|rows| usize::from(rows[view]));
                let on = rows.map(|row| row * layout.units + unit);
                let hidden: f32 = on.map(|place| self.parameters[place]).sum();
                all_hidden.push(hidden + self.parameters[layout.biases + unit]);
            }
        }
        let mut head = Head::new(layout);
        head.begin(pieces_and_bucket(board, self.shape).1);
        head.forward(&self.parameters, &all_hidden)
    }
}
