//! Event files as TensorBoard reads them.
//!
//! A file is a sequence of records in the framing of TFRecord: length, checksum of the length, bytes, checksum of the bytes.
//! Each record is a protocol buffer of type `Event`, of which only the fields below are written. The time of an event is its
//! step in seconds, so the same numbers give the same bytes. TensorBoard keeps a scalar in 32 bits.

/// An event file in the making.
#[derive(Debug, Clone)]
pub struct EventFile {
    bytes: Vec<u8>,
}

/// Fields of `Event`, `Summary`, `Summary.Value` and `SourceMetadata`: number and kind, as they stand before a value.
mod field {
    pub(super) const WALL_TIME: u8 = 0x09;
    pub(super) const STEP: u8 = 0x10;
    pub(super) const FILE_VERSION: u8 = 0x1a;
    pub(super) const SUMMARY: u8 = 0x2a;
    pub(super) const SOURCE: u8 = 0x52;
    pub(super) const WRITER: u8 = 0x0a;
    pub(super) const VALUE: u8 = 0x0a;
    pub(super) const TAG: u8 = 0x0a;
    pub(super) const SIMPLE_VALUE: u8 = 0x15;
}

impl Default for EventFile {
    fn default() -> Self {
        Self { bytes: Self::opening() }
    }
}

impl EventFile {
    /// What such a file is called. TensorBoard knows it by `tfevents`.
    pub const NAME: &str = "events.out.tfevents.0.counsel";

    /// How every file begins: the version of the format, and who wrote it.
    pub fn opening() -> Vec<u8> {
        let mut event = Vec::new();
        put_time(&mut event, 0);
        put(&mut event, field::FILE_VERSION, b"brain.Event:2");
        let mut source = Vec::new();
        put(&mut source, field::WRITER, b"counsel");
        put(&mut event, field::SOURCE, &source);
        framed(&event)
    }

    /// Adds these numbers at a step, each under its tag.
    pub fn scalars(&mut self, step: u64, values: &[(&str, f64)]) {
        let mut summary = Vec::new();
        for (tag, number) in values {
            let mut value = Vec::new();
            put(&mut value, field::TAG, tag.as_bytes());
            value.push(field::SIMPLE_VALUE);
            #[expect(clippy::cast_possible_truncation, reason = "the format has 32 bits for a scalar")]
            value.extend((*number as f32).to_le_bytes());
            put(&mut summary, field::VALUE, &value);
        }
        let mut event = Vec::new();
        put_time(&mut event, step);
        event.push(field::STEP);
        put_number(&mut event, step);
        put(&mut event, field::SUMMARY, &summary);
        self.bytes.extend(framed(&event));
    }

    /// The file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

fn put_time(message: &mut Vec<u8>, seconds: u64) {
    message.push(field::WALL_TIME);
    message.extend((seconds as f64).to_le_bytes());
}

/// A field with bytes: a text or a message.
fn put(message: &mut Vec<u8>, field: u8, bytes: &[u8]) {
    message.push(field);
    put_number(message, bytes.len() as u64);
    message.extend(bytes);
}

/// A number in groups of seven bits, the lowest first; the eighth bit says that more follow.
fn put_number(message: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        message.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    message.push((number & 0x7f) as u8);
}

/// A record with its length and both checksums.
fn framed(record: &[u8]) -> Vec<u8> {
    let length = (record.len() as u64).to_le_bytes();
    [&length[..], &checksum(&length).to_le_bytes(), record, &checksum(record).to_le_bytes()].concat()
}

/// CRC-32C (Castagnoli) in the rotated form that TFRecord wants, so that a record may itself hold checksums.
fn checksum(bytes: &[u8]) -> u32 {
    crc(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

fn crc(bytes: &[u8]) -> u32 {
    /// The polynomial, its bits in reverse.
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let next = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of the Castagnoli polynomial, and the vectors of RFC 3720, B.4.
    #[test]
    fn the_checksum_is_crc_32c() {
        assert_eq!(crc(b"123456789"), 0xe306_9283);
        assert_eq!(crc(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc(&[0xff; 32]), 0x62a8_ab43);
    }

    #[test]
    fn numbers_past_seven_bits_take_more_bytes() {
        let of = |number| {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            bytes
        };
        assert_eq!((of(127), of(128), of(300)), (vec![127], vec![0x80, 1], vec![0xac, 2]));
    }

    #[test]
    fn a_file_begins_as_all_do_and_grows_by_whole_records() {
        let mut file = EventFile::default();
        file.scalars(300, &[("return", 0.5), ("calls", 2.0)]);
        let bytes = file.into_bytes();
        let opening = EventFile::opening();
        assert!(bytes.starts_with(&opening));
        let record = &bytes[opening.len()..];
        let length = u64::from_le_bytes(record[..8].try_into().unwrap());
        assert_eq!(record.len() as u64, 8 + 4 + length + 4);
    }
}
