//! The headers of a Parquet file, walked through before Parquet's own reader sees them.
//!
//! Parquet's reader skips what it does not want, and believes what a header claims: it goes on counting through a list whose
//! entries lie past the end of the file, and a flag in a list costs it no byte at all, so that a damaged file of 3 kB can
//! claim more flags than it counts in an hour. Here each entry of a list takes a byte that is there, or the file is refused.
//! So the work is bounded by the bytes of the file.

use std::io::{BufReader, ErrorKind, Read, copy, sink};

use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

/// What a file ends with, behind the length of its metadata.
const MAGIC: &[u8] = b"PAR1";
/// The bytes behind the metadata: their length and the magic word.
const TAIL: u64 = 8;
/// The field of a page's header that has the number of bytes behind it.
const PAGE_SIZE: i64 = 3;
/// How deep Parquet's reader follows structures in structures.
const DEEPEST: usize = 64;

/// Refuses metadata that claim more than they hold. What is no Parquet file at all is left to Parquet's reader.
pub fn check_metadata(source: &impl ChunkReader) -> Result<(), ParquetError> {
    let Some(tail) = source.len().checked_sub(TAIL) else { return Ok(()) };
    let bytes = source.get_bytes(tail, 8)?;
    let Some((length, MAGIC)) = bytes.split_first_chunk::<4>() else { return Ok(()) };
    let length = u64::from(u32::from_le_bytes(*length));
    let Some(start) = tail.checked_sub(length) else { return Ok(()) };
    Walk::begin(source, start, length)?.structure(0).map(|_| ()).map_err(|claim| refuse(claim, "its metadata"))
}

/// Refuses a column whose pages have a header that claims more than it holds, or go on past the end of the column.
pub(crate) fn check_headers(source: &impl ChunkReader, column: &ColumnChunkMetaData) -> Result<(), ParquetError> {
    let (mut start, mut left) = column.byte_range();
    while left > 0 {
        let mut walk = Walk::begin(source, start, left)?;
        let size = walk.structure(0).and_then(|size| size.ok_or(Overclaim::Sizeless));
        let page = size.map_err(|claim| refuse(claim, "a page header"))?.saturating_add(left - walk.left());
        left = left.checked_sub(page).ok_or_else(|| refuse(Overclaim::End, "a page"))?;
        start += page;
    }
    Ok(())
}

/// Why a header is refused.
enum Overclaim {
    End,
    Flags,
    Depth,
    Kind(u8),
    Sizeless,
    Source(std::io::Error),
}

fn refuse(claim: Overclaim, place: &str) -> ParquetError {
    let reason = match claim {
        Overclaim::End => format!("{place} goes on past its end"),
        Overclaim::Flags => format!("{place} has a list of flags, which no writer makes"),
        Overclaim::Depth => format!("{place} has structures in structures, {DEEPEST} deep"),
        Overclaim::Kind(kind) => format!("{place} has a value of the unknown kind {kind}"),
        Overclaim::Sizeless => format!("{place} does not say how long the page is"),
        Overclaim::Source(error) => return ParquetError::External(Box::new(error)),
    };
    ParquetError::General(reason)
}

impl From<std::io::Error> for Overclaim {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof { Self::End } else { Self::Source(error) }
    }
}

/// A walk through values of Thrift's compact protocol, no further than a given number of bytes.
struct Walk<R>(std::io::Take<R>);

impl Walk<()> {
    fn begin<S: ChunkReader>(source: &S, start: u64, most: u64) -> Result<Walk<BufReader<S::T>>, ParquetError> {
        Ok(Walk(BufReader::new(source.get_read(start)?).take(most)))
    }
}

impl<R: Read> Walk<R> {
    /// The bytes that are left.
    fn left(&self) -> u64 {
        self.0.limit()
    }

    fn byte(&mut self) -> Result<u8, Overclaim> {
        let mut byte = [0];
        self.0.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Result<u64, Overclaim> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(number)
    }

    /// A number whose lowest bit is its sign.
    fn signed(&mut self) -> Result<i64, Overclaim> {
        let number = self.number()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn skip(&mut self, bytes: u64) -> Result<(), Overclaim> {
        if copy(&mut self.0.by_ref().take(bytes), &mut sink())? < bytes { Err(Overclaim::End) } else { Ok(()) }
    }

    /// Goes through a structure, and says what its field number 3 says, if that is a number that counts.
    fn structure(&mut self, depth: usize) -> Result<Option<u64>, Overclaim> {
        let (mut field, mut size) = (0_i64, None);
        loop {
            let head = self.byte()?;
            let kind = head & 0x0f;
            if kind == 0 {
                return Ok(size);
            }
            field = match i64::from(head >> 4) {
                0 => self.signed()?,
                step => field.wrapping_add(step),
            };
            if field == PAGE_SIZE && kind == 5 {
                size = u64::try_from(self.signed()?).ok();
            } else {
                self.value(kind, depth + 1)?;
            }
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<(), Overclaim> {
        if depth >= DEEPEST {
            return Err(Overclaim::Depth);
        }
        match kind {
            // In a structure a flag is in the head of its field.
            1 | 2 => Ok(()),
            3 => self.skip(1),
            4..=6 => self.number().map(|_| ()),
            7 => self.skip(8),
            8 => self.number().and_then(|length| self.skip(length)),
            9 | 10 => {
                let head = self.byte()?;
                let entries = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                self.entries(entries, &[head & 0x0f], depth)
            }
            11 => match self.number()? {
                0 => Ok(()),
                entries => {
                    let kinds = self.byte()?;
                    self.entries(entries, &[kinds >> 4, kinds & 0x0f], depth)
                }
            },
            12 => self.structure(depth).map(|_| ()),
            13 => self.skip(16),
            other => Err(Overclaim::Kind(other)),
        }
    }

    /// Goes through a number of groups of values of these kinds.
    fn entries(&mut self, groups: u64, kinds: &[u8], depth: usize) -> Result<(), Overclaim> {
        if groups > 0 && kinds.iter().any(|kind| matches!(kind, 1 | 2)) {
            return Err(Overclaim::Flags);
        }
        for _ in 0..groups {
            kinds.iter().try_for_each(|kind| self.value(*kind, depth + 1))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    /// A file that has nothing but this in its metadata.
    fn file(metadata: &[u8]) -> Bytes {
        let length = u32::try_from(metadata.len()).unwrap().to_le_bytes();
        [metadata, &length, MAGIC].concat().into()
    }

    #[test]
    fn a_list_has_no_more_entries_than_bytes() {
        // A field (the first, a list: 0x19) of numbers (5), three of them; the end of the structure.
        check_metadata(&file(&[0x19, 0x35, 1, 2, 3, 0])).unwrap();
        for claimed in [[0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07, 0], [0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x55, 0]] {
            let said = check_metadata(&file(&claimed)).unwrap_err().to_string();
            assert!(said.contains("its metadata goes on past its end"), "{said}");
        }
        let said = check_metadata(&file(&[0x19, 0x31, 0])).unwrap_err().to_string();
        assert!(said.contains("a list of flags"), "{said}");
        let deep = check_metadata(&file(&[0x1c; 200])).unwrap_err().to_string();
        assert!(deep.contains("64 deep"), "{deep}");
    }

    #[test]
    fn what_is_no_parquet_file_is_left_to_its_reader() {
        for bytes in [&b""[..], b"PAR1", b"some text that is longer", b"\xff\xff\xff\x7fPAR1"] {
            check_metadata(&Bytes::copy_from_slice(bytes)).unwrap();
        }
    }
}
