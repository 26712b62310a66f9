//! A picture as the bytes of a PNG file.
//!
//! Eight-bit grey without compression: pictures are small, and stored blocks need no compressor. A file is a signature
//! and three chunks, each with its CRC-32; the lines are kept in a zlib stream with its Adler-32.

use crate::Image;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// The most bytes a stored block holds.
const BLOCK: usize = 65_535;

impl Image {
    /// The picture as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let side = u32::try_from(self.side_pixels).unwrap_or(u32::MAX).to_be_bytes();
        // Eight bits, grey, and the only methods there are for compression, filters and interlacing.
        let header = [&side[..], &side[..], &[8, 0, 0, 0, 0]].concat();
        // Each line says first how it is filtered: not at all.
        let lines: Vec<u8> =
            self.shades.chunks(self.side_pixels.max(1)).flat_map(|line| [&[0], line].concat()).collect();
        let mut file = SIGNATURE.to_vec();
        push_chunk(&mut file, *b"IHDR", &header);
        push_chunk(&mut file, *b"IDAT", &zlib(&lines));
        push_chunk(&mut file, *b"IEND", &[]);
        file
    }
}

fn push_chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    file.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let checked = file.len();
    file.extend(kind);
    file.extend(data);
    let sum = crc32(&file[checked..]);
    file.extend(sum.to_be_bytes());
}

/// The bytes as a zlib stream of stored blocks.
fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = bytes.chunks(BLOCK);
    let last = blocks.len().saturating_sub(1);
    for (i, block) in blocks.enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.push(u8::from(i == last));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler32(bytes).to_be_bytes());
    stream
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| sum >> 1 ^ 0xedb8_8320 & (sum & 1).wrapping_neg())
    })
}

fn adler32(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_are_the_published_ones() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn bytes_longer_than_a_block_are_stored_in_several() {
        let bytes = vec![7; BLOCK + 1];
        let stream = zlib(&bytes);
        assert_eq!(stream.len(), 2 + 5 + BLOCK + 5 + 1 + 4);
        assert_eq!(stream[2], 0, "more blocks follow the first");
        assert_eq!(stream[7 + BLOCK..][..5], [1, 1, 0, 0xfe, 0xff], "the last block holds one byte");
    }
}
