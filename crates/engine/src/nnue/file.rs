//! A network as a file: its weights are read, checked and found here, and the built-in one is
//! loaded.
//!
//! File format of a network. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `CANNONET` |
//! | 4 | version: 3 |
//! | 4 | width of the hidden layer |
//! | 4 | output buckets |
//! | 4 | 1 if the second half of the units mirrors the first, else 0 |
//! | 4 | pairs of units of the second layer per bucket, 0 without that layer |
//! | 4 | 1 if threats are inputs, else 0 |
//! | 4 | length of the description |
//! | 4 | CRC-32 of all that follows |
//! | | description in UTF-8: how the network was trained |
//! | 2 each | weights of the inputs, `[input][units]`; units is the width, or half of it if mirrored |
//! | 2 each | biases `[units]` |
//! | 2 each | weights of the outputs, `[buckets][2][units]` |
//! | 4 each | biases of the outputs, `[buckets]` |
//! | 2 each | weights of the second layer, `[buckets][pairs][2][2][units]` |
//! | 4 each | biases of the second layer, `[buckets][pairs]` |
//! | 2 each | output weights of the second layer, `[buckets][pairs]` |

use std::env;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cannonade_tables::input_file;
use once_cell::sync::Lazy;
use thiserror::Error;
use xiangqi::geometry::{Piece, Square};

use super::arch::{ACTIVATION_SCALE, OUTPUT_SCALE, Shape};
use super::features::{max_victims, threat};
use super::forward::Network;

const MAGIC: [u8; 8] = *b"CANNONET";
/// The version that is written and read.
const VERSION: u32 = 3;
/// Bytes of the header.
const HEADER: usize = 40;
/// Maximum size of a network file, in bytes.
const MAX_SIZE: u64 = 1 << 26;
/// Maximum direct weight of an output, so that no 32-bit sum overflows.
const MAX_OUTPUT_WEIGHT: i16 = 2028;
/// Maximum bias of an output: 8 logits.
const MAX_OUTPUT_BIAS: u32 = 8 * (ACTIVATION_SCALE * OUTPUT_SCALE) as u32;

/// Failure to use a network file.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read or written.
    #[error("cannot use network file {path}: {error}")]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The file does not begin like a network.
    #[error("not a network of Cannonade: the file does not start with 'CANNONET'")]
    Foreign,
    /// The format has another version.
    #[error("the network has format version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The size differs from the one in the header.
    #[error("the network is truncated or too long: {found} bytes instead of {expected}")]
    Size {
        /// Bytes of the file.
        found: usize,
        /// Bytes according to the header.
        expected: usize,
    },
    /// The checksum is wrong.
    #[error("the network is damaged: checksum {found:08x} instead of {expected:08x}")]
    Checksum {
        /// Checksum of the bytes.
        found: u32,
        /// Checksum in the header.
        expected: u32,
    },
    /// The shape or the weights are not possible.
    #[error("the network cannot be used: {0}")]
    Unusable(String),
}

impl NetworkError {
    /// Returns the error of the system, if it is the cause.
    pub fn system_error(&self) -> Option<&io::Error> {
        match self {
            NetworkError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Returns the bytes of a network file.
pub fn network_to_bytes(shape: Shape, weights: &Weights, description: &str) -> Vec<u8> {
    let mut body = description.as_bytes().to_vec();
    let short = [&weights.inputs, &weights.biases, &weights.outputs];
    body.extend(short.into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
    body.extend(weights.second.iter().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.second_biases.iter().flat_map(|bias| bias.to_le_bytes()));
    body.extend(weights.second_outputs.iter().flat_map(|weight| weight.to_le_bytes()));
    let numbers = [
        VERSION,
        shape.width as u32,
        shape.buckets as u32,
        u32::from(shape.paired),
        shape.pairs as u32,
        u32::from(shape.threats),
        description.len() as u32,
        crc32fast::hash(&body),
    ];
    let mut bytes = MAGIC.to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(body);
    bytes
}

/// Lengths of the parts of the body.
struct Counts {
    inputs: usize,
    biases: usize,
    outputs: usize,
    output_biases: usize,
    second: usize,
    second_units: usize,
}

impl Counts {
    fn new(shape: Shape) -> Counts {
        let units = shape.free_units();
        Counts {
            inputs: shape.features() * units,
            biases: units,
            outputs: shape.buckets * 2 * units,
            output_biases: shape.buckets,
            second: shape.second_weights(),
            second_units: shape.buckets * shape.pairs,
        }
    }

    /// Returns the total size of all parts.
    fn bytes(&self) -> usize {
        let shorts = self.inputs + self.biases + self.outputs + self.second + self.second_units;
        2 * shorts + 4 * (self.output_biases + self.second_units)
    }
}

/// Takes 16-bit numbers from the front of the bytes.
fn shorts(bytes: &mut &[u8], count: usize) -> Vec<i16> {
    let (taken, rest) = bytes.split_at(2 * count);
    *bytes = rest;
    taken.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect()
}

/// Takes 32-bit numbers from the front of the bytes.
fn longs(bytes: &mut &[u8], count: usize) -> Vec<i32> {
    let (taken, rest) = bytes.split_at(4 * count);
    *bytes = rest;
    taken.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Returns the checksum in the header of a file of the current version.
fn stored_checksum(bytes: &[u8]) -> Option<u32> {
    let field = bytes.get(HEADER - 4..HEADER)?.try_into().ok()?;
    (bytes.get(8..12) == Some(&VERSION.to_le_bytes())).then(|| u32::from_le_bytes(field))
}

/// The header of a network file.
struct Header {
    shape: Shape,
    /// The bytes of the description, which begins the body.
    description: usize,
    /// The checksum of the body.
    checksum: u32,
}

impl Header {
    /// Parses the header of a file.
    fn parse(bytes: &[u8]) -> Result<Header, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Foreign);
        }
        let long = |at: usize| {
            let bytes = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
            bytes.map_or(0, u32::from_le_bytes)
        };
        // The checksum does not cover the header: each of its values must be one that is written.
        let flag = |at: usize| match long(at) {
            value @ (0 | 1) => Ok(value == 1),
            other => {
                Err(NetworkError::Unusable(format!("{other} at byte {at} is neither 0 nor 1")))
            }
        };
        let found = bytes.len();
        if found < HEADER {
            return Err(NetworkError::Size { found, expected: HEADER });
        }
        if long(8) != VERSION {
            return Err(NetworkError::Version(long(8)));
        }
        let shape = Shape {
            width: long(12) as usize,
            buckets: long(16) as usize,
            paired: flag(20)?,
            pairs: long(24) as usize,
            threats: flag(28)?,
        };
        if let Some(defect) = shape.defect() {
            return Err(NetworkError::Unusable(defect));
        }
        Ok(Header { shape, description: long(32) as usize, checksum: long(36) })
    }
}

impl Network {
    /// Parses the bytes of a network file.
    ///
    /// # Errors
    /// If the bytes are not a whole network file of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let Header { shape, description, checksum } = Header::parse(bytes)?;
        let counts = Counts::new(shape);
        let expected = HEADER.saturating_add(description).saturating_add(counts.bytes());
        let found = bytes.len();
        if found != expected {
            return Err(NetworkError::Size { found, expected });
        }
        let body = &bytes[HEADER..];
        let found = crc32fast::hash(body);
        if found != checksum {
            return Err(NetworkError::Checksum { found, expected: checksum });
        }
        let (description, mut numbers) = body.split_at(description);
        let weights = Weights {
            inputs: shorts(&mut numbers, counts.inputs),
            biases: shorts(&mut numbers, counts.biases),
            outputs: shorts(&mut numbers, counts.outputs),
            output_biases: longs(&mut numbers, counts.output_biases),
            second: shorts(&mut numbers, counts.second),
            second_biases: longs(&mut numbers, counts.second_units),
            second_outputs: shorts(&mut numbers, counts.second_units),
        };
        let description = String::from_utf8_lossy(description).into_owned();
        Network::new(shape, weights, description, checksum).map_err(NetworkError::Unusable)
    }

    /// Returns the bytes of the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        network_to_bytes(self.shape(), self.weights(), self.description())
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, or is not a valid network.
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        let io = |error| NetworkError::Io { path: path.to_owned(), error };
        Network::from_bytes(&input_file::read_regular(path, MAX_SIZE).map_err(io)?)
    }
}

/// Returns the built-in network.
pub fn default_network() -> Arc<Network> {
    static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| {
        let network = Network::from_bytes(cannonade_nets::DEFAULT);
        Arc::new(network.unwrap_or_else(|e| unreachable!("the built-in network: {e}")))
    });
    Arc::clone(&NETWORK)
}

/// Returns the checksum of the built-in network, read without loading it.
pub fn default_network_checksum() -> u32 {
    stored_checksum(cannonade_nets::DEFAULT)
        .unwrap_or_else(|| unreachable!("the built-in network is cut"))
}

impl Network {
    /// Loads a network. A relative path is searched in the working directory and its folder `nets`,
    /// then beside the executable and in the folder `nets` there.
    ///
    /// # Errors
    /// If no such file exists, or it is not a valid network.
    pub fn find(path: &Path) -> Result<Network, NetworkError> {
        let nets = Path::new("nets").join(path);
        let program = env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let places: Vec<PathBuf> = [Some(path.to_owned()), Some(nets.clone())]
            .into_iter()
            .chain([path, &nets].map(|path| beside.map(|folder| folder.join(path))))
            .flatten()
            .collect();
        let found = places.iter().find(|place| place.is_file());
        Network::load(found.map_or(path, |place| place))
    }
}

/// The weights in the form of the file and the trainer: only those of free units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// `[feature][unit]`
    pub inputs: Vec<i16>,
    /// `[unit]`
    pub biases: Vec<i16>,
    /// `[bucket][own or opponent's view][unit]`
    pub outputs: Vec<i16>,
    /// `[bucket]`, times the scales of activation and output
    pub output_biases: Vec<i32>,
    /// Weights of the second layer for sums and differences of the activations of the first:
    /// `[bucket][pair][sum or difference][own or opponent's view][unit]`
    pub second: Vec<i16>,
    /// `[bucket][pair]`, times the scales of activation and second layer
    pub second_biases: Vec<i32>,
    /// `[bucket][pair]`
    pub second_outputs: Vec<i16>,
}

impl Weights {
    /// Returns the reason why these weights do not fit the shape or could overflow; `None` if they
    /// are usable.
    pub fn defect(&self, shape: Shape) -> Option<String> {
        let units = shape.free_units();
        let sizes = [self.inputs.len(), self.biases.len(), self.outputs.len()];
        if sizes != [shape.features() * units, units, shape.buckets * 2 * units]
            || self.output_biases.len() != shape.buckets
            || self.second.len() != shape.second_weights()
            || self.second_biases.len() != shape.buckets * shape.pairs
            || self.second_outputs.len() != shape.buckets * shape.pairs
        {
            return Some(format!("{sizes:?} weights do not fit {shape}"));
        }
        let largest = |weights: &[i16]| weights.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
        let rough = self.rough_ranges(shape);
        let suspects = (0..units).filter(|&unit| !fits_16_bits(rough[unit]));
        if let Some(unit) = suspects.into_iter().find(|&unit| self.could_overflow(unit, shape)) {
            return Some(format!("hidden unit {unit} could overflow 16 bits"));
        }
        let output = largest(&self.outputs);
        if output > MAX_OUTPUT_WEIGHT.unsigned_abs() {
            return Some(format!("output weights of {output} are above {MAX_OUTPUT_WEIGHT}"));
        }
        let bias = self.output_biases.iter().map(|b| b.unsigned_abs()).max().unwrap_or(0);
        if bias > MAX_OUTPUT_BIAS {
            return Some(format!("an output bias of {bias} is out of range"));
        }
        if shape.pairs > 0 { second_layer_defect(shape, self) } else { None }
    }

    /// Reduces the largest input weights of each hidden unit that could overflow, until it cannot.
    /// The sizes must fit the shape.
    pub fn limit_hidden_units(&mut self, shape: Shape) {
        let units = shape.free_units();
        for unit in 0..units {
            let of_unit = self.inputs.iter().skip(unit).step_by(units);
            let mut limit = of_unit.map(|weight| weight.saturating_abs()).max().unwrap_or(0);
            while limit > 0 && self.could_overflow(unit, shape) {
                limit -= limit / 64 + 1;
                for weight in self.inputs.iter_mut().skip(unit).step_by(units) {
                    *weight = (*weight).clamp(-limit, limit);
                }
            }
        }
    }

    /// Returns whether a hidden unit could exceed 16 bits.
    fn could_overflow(&self, unit: usize, shape: Shape) -> bool {
        !fits_16_bits(self.hidden_range(unit, shape))
    }

    /// Returns for each hidden unit bounds at least as wide as its [range](Weights::hidden_range),
    /// all pieces of a kind on the one worst square: at startup they clear most units at once.
    fn rough_ranges(&self, shape: Shape) -> Vec<(i32, i32)> {
        let units = shape.free_units();
        let mut ranges: Vec<_> =
            self.biases.iter().map(|&bias| (bias.into(), bias.into())).collect();
        let mut extremes = vec![(0_i16, 0_i16); units];
        let mut widen = |rows: &mut dyn Iterator<Item = usize>, count: usize| {
            extremes.fill((0, 0));
            for row in rows {
                let weights = &self.inputs[row * units..(row + 1) * units];
                for ((low, high), &weight) in extremes.iter_mut().zip(weights) {
                    *low = weight.min(*low);
                    *high = weight.max(*high);
                }
            }
            for (range, &(low, high)) in ranges.iter_mut().zip(&extremes) {
                range.0 += count as i32 * i32::from(low);
                range.1 += count as i32 * i32::from(high);
            }
        };
        for (piece, plane) in Piece::all().zip(0..) {
            let count = piece.kind().most();
            widen(&mut (plane * Square::COUNT..(plane + 1) * Square::COUNT), count);
            let attacks = count * max_victims(piece.kind());
            if shape.threats && attacks > 0 {
                let threats = Piece::all().flat_map(|victim| threats_on(piece, victim));
                widen(&mut threats.into_iter(), attacks);
            }
        }
        ranges
    }

    /// Returns bounds of the value of a hidden unit: each kind has all of its pieces on the worst
    /// squares, or none, and each piece attacks the worst victims, on the worst squares.
    fn hidden_range(&self, unit: usize, shape: Shape) -> (i32, i32) {
        let units = shape.free_units();
        let weight = |row: usize| i32::from(self.inputs[row * units + unit]);
        let bias = i32::from(self.biases[unit]);
        let (mut least, mut greatest) = (bias, bias);
        for (piece, plane) in Piece::all().zip(0..) {
            let count = piece.kind().most();
            let rows = plane * Square::COUNT..(plane + 1) * Square::COUNT;
            let (lows, highs) = extremes(rows.map(weight), count);
            least += lows.iter().sum::<i32>();
            greatest += highs.iter().sum::<i32>();
            let attacks = count * max_victims(piece.kind());
            if !shape.threats || attacks == 0 {
                continue;
            }
            let (mut all_lows, mut all_highs) = (Vec::new(), Vec::new());
            for victim in Piece::all() {
                let rows = threats_on(piece, victim);
                // Each piece of the victim's kind may be attacked by each of the attacker's.
                let (lows, highs) = extremes(rows.map(weight), victim.kind().most());
                all_lows.extend(lows.iter().flat_map(|&low| iter::repeat_n(low, count)));
                all_highs.extend(highs.iter().flat_map(|&high| iter::repeat_n(high, count)));
            }
            least += extremes(all_lows.into_iter(), attacks).0.iter().sum::<i32>();
            greatest += extremes(all_highs.into_iter(), attacks).1.iter().sum::<i32>();
        }
        (least, greatest)
    }
}

/// Returns the inputs of the attacks of a piece on another.
fn threats_on(piece: Piece, victim: Piece) -> impl Iterator<Item = usize> {
    let squares = piece.domain() & victim.domain();
    squares.into_iter().filter_map(move |sq| threat(piece.index(), victim.index(), sq))
}

fn fits_16_bits((low, high): (i32, i32)) -> bool {
    low >= i16::MIN.into() && high <= i16::MAX.into()
}

/// Returns the lowest `count` of the numbers below 0 and the highest `count` of those above, filled
/// up with zeros. May run at startup for many hidden units, so it avoids sorting.
fn extremes(numbers: impl Iterator<Item = i32>, count: usize) -> (Vec<i32>, Vec<i32>) {
    let (mut lows, mut highs) = (vec![0; count], vec![0; count]);
    for number in numbers {
        if lows.last().is_some_and(|&last| number < last) {
            lows.pop();
            lows.insert(lows.partition_point(|&low| low <= number), number);
        } else if highs.last().is_some_and(|&last| number > last) {
            highs.pop();
            highs.insert(highs.partition_point(|&high| high >= number), number);
        }
    }
    (lows, highs)
}

/// Returns the name of a sum that could overflow 32 bits.
fn second_layer_defect(shape: Shape, weights: &Weights) -> Option<String> {
    let row = shape.width;
    let size = |weight: i16| i64::from(weight.unsigned_abs());
    // Sum and difference of two activations are together at most twice an activation.
    let most = 2 * i64::from(ACTIVATION_SCALE);
    for (bucket, direct) in weights.outputs.chunks(row).enumerate() {
        if direct.iter().map(|&weight| size(weight)).sum::<i64>() * most > i32::MAX.into() {
            return Some(format!("the direct output of bucket {bucket} could overflow 32 bits"));
        }
    }
    for (number, pair) in weights.second.chunks(2 * row).enumerate() {
        let (sums, differences) = pair.split_at(row);
        let weights_sum: i64 =
            sums.iter().zip(differences).map(|(&s, &d)| size(s).max(size(d))).sum();
        let bias = i64::from(weights.second_biases[number].unsigned_abs());
        if weights_sum * most + bias > i32::MAX.into() {
            return Some(format!("pair {number} of the second layer could overflow 32 bits"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_ranges_are_never_narrower() {
        let network = default_network();
        let (weights, shape) = (network.weights(), network.shape());
        let rough = weights.rough_ranges(shape);
        for (unit, &(low, high)) in rough.iter().enumerate() {
            let range = weights.hidden_range(unit, shape);
            assert!(low <= range.0 && range.1 <= high, "unit {unit}: {range:?}, {low} to {high}");
        }
        let cleared = rough.iter().filter(|&&range| fits_16_bits(range)).count();
        assert!(cleared > rough.len() / 2, "{cleared} of {} are cleared at once", rough.len());
    }

    #[test]
    fn only_the_largest_weights_of_units_that_could_overflow_are_limited() {
        let shape = Shape { width: 32, buckets: 1, paired: false, threats: true, pairs: 0 };
        let mut weights = Weights {
            inputs: vec![5; shape.features() * 32],
            biases: vec![0; 32],
            outputs: vec![1; 64],
            output_biases: vec![0],
            second: Vec::new(),
            second_biases: Vec::new(),
            second_outputs: Vec::new(),
        };
        assert_eq!(weights.defect(shape), None);
        // Unit 3 could overflow by one weight, unit 4 by all of them.
        weights.inputs[10 * 32 + 3] = i16::MAX;
        weights.inputs.iter_mut().skip(4).step_by(32).for_each(|weight| *weight = -2_000);
        let before = weights.clone();
        assert!(weights.defect(shape).is_some());
        weights.limit_hidden_units(shape);
        assert_eq!(weights.defect(shape), None);
        for (at, (&now, &then)) in weights.inputs.iter().zip(&before.inputs).enumerate() {
            let is_limited = at == 10 * 32 + 3 || at % 32 == 4;
            assert_eq!(now != then, is_limited, "input weight {at}: {then} became {now}");
        }
        assert!(weights.inputs[10 * 32 + 3] > 10_000, "no smaller than needed");
    }
}
