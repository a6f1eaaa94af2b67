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

use std::io;
use std::path::{Path, PathBuf};

use cannonade_tables::input_file;
use thiserror::Error;

use super::network::Network;
use super::weights::{Shape, Weights};

const MAGIC: [u8; 8] = *b"CANNONET";
/// The version that is written and read.
const VERSION: u32 = 3;
/// Bytes of the header.
const HEADER: usize = 40;
/// Maximum size of a network file, in bytes.
const MAX_SIZE: u64 = 1 << 26;

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
pub(super) fn stored_checksum(bytes: &[u8]) -> Option<u32> {
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
