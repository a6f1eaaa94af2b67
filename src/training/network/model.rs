//! The network in floating point, which the trainer works on.

use crate::evaluation::{
    ACTIVATION_SCALE, FEATURES, INPUT_SCALE, Network, OUTPUT_SCALE, SECOND_SCALE, Shape, Weights,
    attacked_squares, bucket, mirrored, opposite, opposite_piece, threat,
};
use crate::geometry::{Piece, Square};
use crate::random::Random;
use crate::training::data::PackedBoard;

use super::layout::ParameterLayout;
use super::second_layer::SecondLayer;

/// Weights are kept within plus and minus this; trained ones are below 0.5.
pub const CLIP: f32 = 0.99;

/// A network. All weights are in one vector, so that the optimiser and the checkpoint need not know
/// what each of them is.
///
/// `[feature][unit]`, biases `[unit]`, outputs `[bucket][view][unit]`, output biases `[bucket]`,
/// where units are the free ones of the shape; then, if the shape has a second layer, its weights
/// `[bucket][pair][sum or difference][view][unit]`, biases `[bucket][pair]` and output weights
/// `[bucket][pair]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    shape: Shape,
    parameters: Vec<f32>,
}

impl Model {
    /// A network of random weights: the hidden values of a position with 24 pieces spread over
    /// 0..1, and the output is near zero.
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
        for weight in &mut parameters[layout.outputs..layout.output_biases] {
            *weight = number(&mut random, most);
        }
        let mut model = Model { shape, parameters };
        model.randomise_second_layer(&mut random);
        model
    }

    /// Gives the second layer random weights: hidden values within 0..1, small outputs.
    fn randomise_second_layer(&mut self, random: &mut Random) {
        let layout = ParameterLayout::new(self.shape);
        let mut number = |most: f32| (2.0 * random.unit_f32() - 1.0) * most;
        let most = (1.0 / layout.units as f32).sqrt();
        for weight in &mut self.parameters[layout.second..layout.second_biases] {
            *weight = number(most);
        }
        self.parameters[layout.second_biases..layout.second_outputs].fill(0.3);
        for weight in &mut self.parameters[layout.second_outputs..] {
            *weight = number(0.05);
        }
    }

    /// The network whose rounded weights these integers are. If they have no second layer and
    /// `shape` has one, it starts from random weights; if they have no threats and `shape` has, their
    /// weights start at 0. `None` if another part of the shape differs.
    pub fn from_weights(shape: Shape, network: &Network, seed: u64) -> Option<Model> {
        let other = network.shape();
        let extended = Shape { pairs: shape.pairs, threats: shape.threats, ..other };
        let loses_pairs = other.pairs != 0 && other.pairs != shape.pairs;
        if extended != shape || loses_pairs || (other.threats && !shape.threats) {
            return None;
        }
        let weights = network.weights();
        let (mut model, layout) = (Model::random(shape, seed), ParameterLayout::new(shape));
        let shorts = [
            (0, &weights.inputs, INPUT_SCALE),
            (layout.biases, &weights.biases, INPUT_SCALE),
            (layout.outputs, &weights.outputs, OUTPUT_SCALE),
            (layout.second, &weights.second, SECOND_SCALE),
            (layout.second_outputs, &weights.second_outputs, OUTPUT_SCALE),
        ];
        for (place, weights, scale) in shorts {
            for (parameter, &weight) in model.parameters[place..].iter_mut().zip(weights) {
                *parameter = f32::from(weight) / scale as f32;
            }
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

    /// A network of these parameters; `None` if their number does not fit the shape.
    pub fn from_parameters(shape: Shape, parameters: Vec<f32>) -> Option<Model> {
        (parameters.len() == ParameterLayout::new(shape).len).then_some(Model { shape, parameters })
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All parameters.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    pub(super) fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// The weights in integers.
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
        Weights {
            inputs: round(0, layout.biases, INPUT_SCALE),
            biases: round(layout.biases, layout.outputs, INPUT_SCALE),
            outputs: round(layout.outputs, layout.output_biases, OUTPUT_SCALE),
            output_biases: round_biases(layout.output_biases, layout.second, OUTPUT_SCALE),
            second: round(layout.second, layout.second_biases, SECOND_SCALE),
            second_biases: round_biases(layout.second_biases, layout.second_outputs, SECOND_SCALE),
            second_outputs: round(layout.second_outputs, layout.len, OUTPUT_SCALE),
        }
    }

    /// The value of a board seen from the side to move, as the logit of the expected result.
    pub fn logit(&self, board: &PackedBoard) -> f32 {
        let layout = ParameterLayout::new(self.shape);
        let inputs = Inputs::new(board, self.shape, false);
        let outputs = &self.parameters[layout.outputs + inputs.bucket * 2 * layout.units..];
        let mut logit = self.parameters[layout.output_biases + inputs.bucket];
        let mut all_hidden = Vec::new();
        for (number, view) in inputs.views().enumerate() {
            let outputs = &outputs[number % 2 * layout.units..][..layout.units];
            for (unit, output) in outputs.iter().enumerate() {
                let on = view.iter().map(|&on| usize::from(on) * layout.units + unit);
                let hidden: f32 = on.map(|place| self.parameters[place]).sum::<f32>()
                    + self.parameters[layout.biases + unit];
                logit += hidden.clamp(0.0, 1.0).powi(2) * output;
                all_hidden.push(hidden);
            }
        }
        if layout.pairs > 0 {
            let mut second = SecondLayer::new(layout);
            logit += second.forward(layout, &self.parameters, inputs.bucket, &all_hidden);
        }
        logit
    }
}

const fn table(mirror: bool, turn: bool) -> [u16; FEATURES] {
    let mut table = [0; FEATURES];
    let mut from = 0;
    while from < FEATURES {
        let to = if turn { opposite(from) } else { from };
        table[from] = if mirror { mirrored(to) as u16 } else { to as u16 };
        from += 1;
    }
    table
}

/// The number of an input of the side to move in each of the four views: its own, the opponent's,
/// and the mirror images of both.
static VIEWS: [[u16; FEATURES]; 4] =
    [table(false, false), table(false, true), table(true, false), table(true, true)];

/// The most active inputs of a view: each piece, and what it attacks.
const MAX_INPUTS: usize = 192;

/// The active inputs of one sample.
pub(super) struct Inputs {
    views: [[u16; MAX_INPUTS]; 4],
    used: usize,
    /// The inputs of each view.
    len: usize,
    pub(super) pieces: usize,
    pub(super) bucket: usize,
}

impl Inputs {
    /// The inputs of a board seen from the side to move. `flip` mirrors it left to right, which
    /// changes nothing for a network with mirror pairs.
    #[inline(always)]
    pub(super) fn new(board: &PackedBoard, shape: Shape, flip: bool) -> Inputs {
        let mut inputs = Inputs {
            views: [[0; MAX_INPUTS]; 4],
            used: if shape.paired { 4 } else { 2 },
            len: 0,
            pieces: 0,
            bucket: 0,
        };
        let flipped = if flip { 2 } else { 0 };
        // The pieces of the side to move are packed as Red's, so the index of a piece is its plane.
        for (piece, sq) in board.pieces() {
            let feature = (piece * Square::COUNT + sq) % FEATURES;
            for view in 0..inputs.used {
                inputs.views[view][inputs.len % MAX_INPUTS] = VIEWS[view ^ flipped][feature];
            }
            inputs.len += 1;
        }
        inputs.pieces = inputs.len;
        inputs.bucket = bucket(inputs.pieces, shape.buckets);
        if shape.threats {
            inputs.add_threats(board, flipped);
        }
        inputs
    }

    fn add_threats(&mut self, board: &PackedBoard, flipped: usize) {
        let mut on = [0u8; Square::COUNT];
        for (piece, sq) in board.pieces() {
            on[sq % Square::COUNT] = piece as u8;
        }
        let occupied = board.occupied();
        for (attacker, sq) in board.pieces() {
            let attacker = attacker % Piece::COUNT;
            let from = Square::from_index(sq);
            for to in attacked_squares(Piece::from_index(attacker), from, occupied) & occupied {
                let victim = usize::from(on[to.index()]) % Piece::COUNT;
                if threat(attacker, victim, to).is_none() {
                    continue;
                }
                for view in 0..self.used {
                    let [turn, mirror] = [view & 1, (view ^ flipped) & 2];
                    let [a, v] = if turn == 0 {
                        [attacker, victim]
                    } else {
                        [attacker, victim].map(opposite_piece)
                    };
                    let to = if turn == 0 { to } else { to.flip() };
                    let to = if mirror == 0 { to } else { to.mirror() };
                    let Some(row) = threat(a, v, to) else { continue };
                    self.views[view][self.len % MAX_INPUTS] = row as u16;
                }
                self.len += 1;
            }
        }
    }

    /// The active inputs of each view: own and opponent's, then with mirror pairs both mirrored.
    #[inline(always)]
    pub(super) fn views(&self) -> impl Iterator<Item = &[u16]> {
        self.views[..self.used].iter().map(|view| &view[..self.len.min(MAX_INPUTS)])
    }
}
