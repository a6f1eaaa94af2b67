//! The file format of a network. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `CANNONET` |
//! | 4 | version, 2 |
//! | 4 | width of the hidden layer |
//! | 4 | output buckets |
//! | 4 | 1 if the second half of the units mirrors the first, else 0 |
//! | 4 | length of the description |
//! | 4 | CRC-32 of all that follows |
//! | | description in UTF-8: how the network was trained |
//! | 2 each | weights of the inputs, `[1260][units]`; units is the width, or half of it if mirrored |
//! | 2 each | biases `[units]` |
//! | 2 each | weights of the outputs, `[buckets][2][units]` |
//! | 4 each | biases of the outputs, `[buckets]` |

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::features::FEATURES;
use super::network::{Network, Shape, Weights};

const MAGIC: [u8; 8] = *b"CANNONET";
const VERSION: u32 = 2;
const HEADER: usize = 32;
/// No file of a network is larger, in bytes.
const MAX_SIZE: u64 = 1 << 26;

/// Why a network file cannot be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read or written.
    #[error("cannot use network file {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
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

/// The bytes of a network file.
pub fn network_to_bytes(shape: Shape, weights: &Weights, description: &str) -> Vec<u8> {
    let mut body = description.as_bytes().to_vec();
    let short = [&weights.inputs, &weights.biases, &weights.outputs];
    body.extend(short.into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
    body.extend(weights.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
    let numbers = [
        VERSION,
        shape.width as u32,
        shape.buckets as u32,
        u32::from(shape.paired),
        description.len() as u32,
        crc32fast::hash(&body),
    ];
    let mut bytes = MAGIC.to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(body);
    bytes
}

impl Network {
    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// If the bytes are not a whole network file of a known version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Foreign);
        }
        let long = |at: usize| {
            let bytes = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
            bytes.map_or(0, u32::from_le_bytes)
        };
        if bytes.len() >= HEADER && long(8) != VERSION {
            return Err(NetworkError::Version(long(8)));
        }
        let shape =
            Shape { width: long(12) as usize, buckets: long(16) as usize, paired: long(20) != 0 };
        let found = bytes.len();
        if found < HEADER {
            return Err(NetworkError::Size { found, expected: HEADER });
        }
        if let Some(defect) = shape.defect() {
            return Err(NetworkError::Unusable(defect));
        }
        let units = shape.free_units();
        let text = long(24) as usize;
        let counts = [FEATURES * units, units, shape.buckets * 2 * units];
        let shorts = 2 * counts.iter().sum::<usize>();
        let expected = HEADER.saturating_add(text).saturating_add(shorts + 4 * shape.buckets);
        if found != expected {
            return Err(NetworkError::Size { found, expected });
        }
        let checksum = crc32fast::hash(&bytes[HEADER..]);
        if checksum != long(28) {
            return Err(NetworkError::Checksum { found: checksum, expected: long(28) });
        }
        let (description, numbers) = bytes[HEADER..].split_at(text);
        let (numbers, output_biases) = numbers.split_at(shorts);
        let mut numbers = numbers.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let [inputs, biases, outputs] =
            counts.map(|count| numbers.by_ref().take(count).collect::<Vec<_>>());
        let output_biases = (output_biases.chunks_exact(4))
            .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        let description = String::from_utf8_lossy(description).into_owned();
        let weights = Weights { inputs, biases, outputs, output_biases };
        Network::new(shape, weights, description, checksum).map_err(NetworkError::Unusable)
    }

    /// The bytes of the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        network_to_bytes(self.shape(), self.weights(), self.description())
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, or is not a valid network.
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        let io = |source| NetworkError::Io { path: path.to_owned(), source };
        // Reading a pipe or a device could wait forever or never end.
        let data = std::fs::metadata(path).map_err(io)?;
        if !data.is_file() || data.len() > MAX_SIZE {
            let reason =
                if data.is_file() { "it is too large" } else { "it is not a regular file" };
            return Err(io(std::io::Error::new(ErrorKind::InvalidInput, reason)));
        }
        Network::from_bytes(&std::fs::read(path).map_err(io)?)
    }
}
