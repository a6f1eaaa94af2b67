//! The network in floating point, which the trainer works on.

use crate::evaluation::{
    ACTIVATION_SCALE, FEATURES, INPUT_SCALE, OUTPUT_SCALE, Shape, Weights, bucket, mirrored,
};
use crate::random::Random;

use crate::evaluation::opposite;
use crate::training::data::{MAX_PIECES, PackedBoard};

/// Weights are kept within plus and minus this; trained ones are below 0.5.
pub const CLIP: f32 = 0.99;

/// A network. All weights are in one vector, so that the optimiser and the checkpoint need not know
/// what each of them is.
///
/// `[feature][unit]`, biases `[unit]`, outputs `[bucket][view][unit]`, output biases `[bucket]`,
/// where units are the free ones of the shape.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    shape: Shape,
    parameters: Vec<f32>,
}

/// Where the parts of the parameters begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParameterLayout {
    pub(super) units: usize,
    pub(super) biases: usize,
    pub(super) outputs: usize,
    pub(super) output_biases: usize,
    pub(super) len: usize,
}

impl ParameterLayout {
    pub(super) fn new(shape: Shape) -> ParameterLayout {
        let units = shape.free_units();
        let biases = FEATURES * units;
        let outputs = biases + units;
        let output_biases = outputs + shape.buckets * 2 * units;
        ParameterLayout {
            units,
            biases,
            outputs,
            output_biases,
            len: output_biases + shape.buckets,
        }
    }
}

impl Model {
    /// A network of random weights: the hidden values of a position with 24 pieces spread over
    /// 0..1, and the output is near zero.
    pub fn random(shape: Shape, seed: u64) -> Model {
        let layout = ParameterLayout::new(shape);
        let mut random = Random::stream(seed, 0);
        let mut number = |most: f32| (2.0 * random.unit_f32() - 1.0) * most;
        let mut parameters = vec![0.0; layout.len];
        parameters[..layout.biases].iter_mut().for_each(|weight| *weight = number(0.07));
        parameters[layout.biases..layout.outputs].fill(0.1);
        let most = (0.5 / shape.width as f32).sqrt();
        for weight in &mut parameters[layout.outputs..layout.output_biases] {
            *weight = number(most);
        }
        Model { shape, parameters }
    }

    /// The network whose rounded weights these integers are.
    pub fn from_weights(shape: Shape, weights: &Weights) -> Option<Model> {
        let short = |weights: &[i16], scale: i32| -> Vec<f32> {
            weights.iter().map(|&weight| f32::from(weight) / scale as f32).collect()
        };
        let mut parameters = short(&weights.inputs, INPUT_SCALE);
        parameters.extend(short(&weights.biases, INPUT_SCALE));
        parameters.extend(short(&weights.outputs, OUTPUT_SCALE));
        let scale = (ACTIVATION_SCALE * OUTPUT_SCALE) as f32;
        parameters.extend(weights.output_biases.iter().map(|&bias| bias as f32 / scale));
        Model::from_parameters(shape, parameters)
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
        let round = |weights: &[f32], scale: i32| {
            weights.iter().map(|weight| (weight * scale as f32).round() as i16).collect()
        };
        Weights {
            inputs: round(&self.parameters[..layout.biases], INPUT_SCALE),
            biases: round(&self.parameters[layout.biases..layout.outputs], INPUT_SCALE),
            outputs: round(&self.parameters[layout.outputs..layout.output_biases], OUTPUT_SCALE),
            output_biases: (self.parameters[layout.output_biases..].iter())
                .map(|bias| (bias * (ACTIVATION_SCALE * OUTPUT_SCALE) as f32).round() as i32)
                .collect(),
        }
    }

    /// The value of a board seen from the side to move, as the logit of the expected result.
    pub fn logit(&self, board: &PackedBoard) -> f32 {
        let layout = ParameterLayout::new(self.shape);
        let inputs = Inputs::new(board, self.shape, false);
        let outputs = &self.parameters[layout.outputs + inputs.bucket * 2 * layout.units..];
        let mut logit = self.parameters[layout.output_biases + inputs.bucket];
        for (number, view) in inputs.views().enumerate() {
            let outputs = &outputs[number % 2 * layout.units..][..layout.units];
            for (unit, output) in outputs.iter().enumerate() {
                let on = view.iter().map(|&on| usize::from(on) * layout.units + unit);
                let hidden: f32 = on.map(|place| self.parameters[place]).sum::<f32>()
                    + self.parameters[layout.biases + unit];
                logit += hidden.clamp(0.0, 1.0).powi(2) * output;
            }
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

/// The active inputs of one sample.
pub(super) struct Inputs {
    views: [[u16; MAX_PIECES]; 4],
    used: usize,
    pieces: usize,
    pub(super) bucket: usize,
}

impl Inputs {
    /// The inputs of a board seen from the side to move. `flip` mirrors it left to right, which
    /// changes nothing for a network with mirror pairs.
    #[inline(always)]
    pub(super) fn new(board: &PackedBoard, shape: Shape, flip: bool) -> Inputs {
        let mut inputs = Inputs {
            views: [[0; MAX_PIECES]; 4],
            used: if shape.paired { 4 } else { 2 },
            pieces: 0,
            bucket: 0,
        };
        // The pieces of the side to move are packed as Red's, so the index of a piece is its plane.
        for (piece, sq) in board.pieces() {
            let feature = (piece * 90 + sq) % FEATURES;
            for view in 0..inputs.used {
                let table = &VIEWS[if flip { view ^ 2 } else { view }];
                inputs.views[view][inputs.pieces % MAX_PIECES] = table[feature];
            }
            inputs.pieces += 1;
        }
        inputs.bucket = bucket(inputs.pieces, shape.buckets);
        inputs
    }

    /// The active inputs of each view: own and opponent's, then with mirror pairs both mirrored.
    #[inline(always)]
    pub(super) fn views(&self) -> impl Iterator<Item = &[u16]> {
        self.views[..self.used].iter().map(|view| &view[..self.pieces.min(MAX_PIECES)])
    }
}
