//! CRC-32 (IEEE 802.3), the checksum of network and game files.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
};

/// The CRC-32 of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| TABLE[((crc ^ u32::from(byte)) & 255) as usize] ^ crc >> 8;
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_the_standard_comes_out() {
        assert_eq!(super::crc32(b"123456789"), 0xCBF4_3926);
    }
}
