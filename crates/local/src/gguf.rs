//! The header of a GGUF file: what the model is, and where its tensors lie.
//!
//! Invariant: every count, length and offset is checked against the length of the file before anything is allocated for
//! it, so a [`Gguf`] describes tensors that lie wholly inside the file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use counsel_file::Expected;

use crate::Error;
use crate::tensor::TensorKind;
use crate::value::Value;

/// Where a tensor lies in the file. The length of a row is the first dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(crate) kind: TensorKind,
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// From the beginning of the file.
    pub(crate) offset: u64,
}

impl Placement {
    /// Bytes that one row takes in the file.
    pub(crate) fn row_bytes(&self) -> usize {
        self.columns / self.kind.block() * self.kind.block_bytes()
    }

    /// Bytes that the tensor takes in the file.
    pub(crate) fn bytes(&self) -> usize {
        self.rows * self.row_bytes()
    }
}

/// The header of a model file.
#[derive(Debug)]
pub(crate) struct Gguf {
    path: PathBuf,
    values: BTreeMap<String, Value>,
    tensors: BTreeMap<String, Placement>,
}

/// Far more bytes than the largest model that a processor runs has.
const MODEL: Expected = Expected { what: "a model", most_bytes: 1 << 40 };
/// More dimensions than any tensor has.
const MAX_DIMENSIONS: u32 = 4;
/// More elements than any vocabulary has.
const MAX_ELEMENTS: u64 = 1 << 24;

impl Gguf {
    /// Reads and checks the header.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let unreadable = |cause| Error::Unreadable { path: path.to_owned(), cause };
        counsel_file::check(path, MODEL).map_err(Error::File)?;
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let mut header = Header { path, file: BufReader::with_capacity(1 << 20, file), at: 0, length };
        let magic = header.bytes(4.min(length)).map_err(|_| Error::Foreign { path: path.to_owned(), found: vec![] })?;
        if magic != b"GGUF" {
            return Err(Error::Foreign { path: path.to_owned(), found: magic });
        }
        let version = header.u32()?;
        if !matches!(version, 2 | 3) {
            let found = version.to_string();
            return Err(Error::Unknown { what: "GGUF version", found, known: "2 and 3".to_owned() });
        }
        let tensor_count = header.count(24)?;
        let value_count = header.count(13)?;
        let mut values = BTreeMap::new();
        for _ in 0..value_count {
            let key = header.string()?;
            let kind = header.u32()?;
            let value = header.value(kind)?;
            values.insert(key, value);
        }
        let mut raw = Vec::new();
        for _ in 0..tensor_count {
            raw.push(header.tensor()?);
        }
        let alignment = values.get("general.alignment").and_then(Value::unsigned).unwrap_or(32);
        if alignment == 0 || alignment > 1 << 20 {
            return Err(header.damaged(format!("its alignment is {alignment}")));
        }
        let start = header.at.next_multiple_of(alignment);
        let mut tensors = BTreeMap::new();
        for (name, mut placement) in raw {
            let end = start.checked_add(placement.offset).and_then(|at| at.checked_add(placement.bytes() as u64));
            if end.is_none_or(|end| end > length) {
                return Err(header.damaged(format!(
                    "tensor {name} should end at byte {}, past the end of the file at {length}",
                    end.map_or_else(|| "2^64".to_owned(), |end| end.to_string())
                )));
            }
            placement.offset += start;
            tensors.insert(name, placement);
        }
        Ok(Self { path: path.to_owned(), values, tensors })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The value of a key, if there is one.
    pub(crate) fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The tensor of this name, if there is one.
    pub(crate) fn tensor(&self, name: &str) -> Option<&Placement> {
        self.tensors.get(name)
    }

    /// The text of a key that must be there.
    pub(crate) fn text(&self, key: &str) -> Result<&str, Error> {
        self.value(key).and_then(Value::text).ok_or_else(|| Error::Lacking { what: format!("the text {key}") })
    }

    /// The number of a key that must be there.
    pub(crate) fn number(&self, key: &str) -> Result<u64, Error> {
        let lacking = || Error::Lacking { what: format!("the whole number {key}") };
        self.value(key).and_then(Value::unsigned).ok_or_else(lacking)
    }

    /// The fraction of a key that must be there.
    pub(crate) fn fraction(&self, key: &str) -> Result<f64, Error> {
        self.value(key).and_then(Value::float).ok_or_else(|| Error::Lacking { what: format!("the number {key}") })
    }

    /// An error about this file.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { path: self.path.clone(), what: what.into() }
    }
}

/// The header while it is read.
struct Header<'a> {
    path: &'a Path,
    file: BufReader<File>,
    at: u64,
    length: u64,
}

impl Header<'_> {
    fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { path: self.path.to_owned(), what: what.into() }
    }

    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Error> {
        if count > self.length - self.at {
            return Err(self.damaged(format!("it ends at byte {} inside its header", self.length)));
        }
        let mut bytes = vec![0; usize::try_from(count).unwrap_or(usize::MAX)];
        self.file.read_exact(&mut bytes).map_err(|cause| Error::Unreadable { path: self.path.to_owned(), cause })?;
        self.at += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes(N as u64)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count of things that take at least so many bytes each.
    fn count(&mut self, least_bytes: u64) -> Result<u64, Error> {
        let count = self.u64()?;
        if count.checked_mul(least_bytes).is_none_or(|bytes| bytes > self.length - self.at) {
            return Err(self.damaged(format!("it announces {count} entries and ends at byte {}", self.length)));
        }
        Ok(count)
    }

    fn string(&mut self) -> Result<String, Error> {
        let length = self.count(1)?;
        let bytes = self.bytes(length)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn value(&mut self, kind: u32) -> Result<Value, Error> {
        Ok(match kind {
            0 => Value::Unsigned(u64::from(u8::from_le_bytes(self.array()?))),
            1 => Value::Signed(i64::from(i8::from_le_bytes(self.array()?))),
            2 => Value::Unsigned(u64::from(u16::from_le_bytes(self.array()?))),
            3 => Value::Signed(i64::from(i16::from_le_bytes(self.array()?))),
            4 => Value::Unsigned(u64::from(self.u32()?)),
            5 => Value::Signed(i64::from(i32::from_le_bytes(self.array()?))),
            6 => Value::Float(f64::from(f32::from_le_bytes(self.array()?))),
            7 => Value::Truth(self.array::<1>()? != [0]),
            8 => Value::Text(self.string()?),
            9 => self.list()?,
            10 => Value::Unsigned(self.u64()?),
            11 => Value::Signed(i64::from_le_bytes(self.array()?)),
            12 => Value::Float(f64::from_le_bytes(self.array()?)),
            _ => return Err(self.damaged(format!("a value has the kind {kind}"))),
        })
    }

    /// Lists of texts and of numbers are kept; lists of lists are unheard of.
    fn list(&mut self) -> Result<Value, Error> {
        let kind = self.u32()?;
        let size = match kind {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            8 | 10..=12 => 8,
            _ => return Err(self.damaged(format!("a list has elements of the kind {kind}"))),
        };
        let count = self.count(size)?;
        if count > MAX_ELEMENTS {
            return Err(self.damaged(format!("a list has {count} elements")));
        }
        if kind == 8 {
            return Ok(Value::Texts((0..count).map(|_| self.string()).collect::<Result<_, _>>()?));
        }
        let numbers = (0..count).map(|_| self.value(kind).map(|value| value.float().unwrap_or_default()));
        Ok(Value::Numbers(numbers.collect::<Result<_, _>>()?))
    }

    /// A tensor, whose offset still counts from the beginning of the tensors.
    fn tensor(&mut self) -> Result<(String, Placement), Error> {
        let name = self.string()?;
        let dimensions = self.u32()?;
        if dimensions == 0 || dimensions > MAX_DIMENSIONS {
            return Err(self.damaged(format!("tensor {name} has {dimensions} dimensions")));
        }
        let sizes: Vec<u64> = (0..dimensions).map(|_| self.u64()).collect::<Result<_, _>>()?;
        let code = self.u32()?;
        let offset = self.u64()?;
        let kind = TensorKind::from_code(code).ok_or_else(|| Error::Unknown {
            what: "tensor type",
            found: format!("{code} of tensor {name}"),
            known: TensorKind::known(),
        })?;
        let columns = sizes[0];
        let rows = sizes[1..].iter().try_fold(1u64, |rows, size| rows.checked_mul(*size));
        let elements = rows.and_then(|rows| rows.checked_mul(columns));
        let (Some(rows), Some(elements)) = (rows, elements) else {
            return Err(self.damaged(format!("tensor {name} has sizes {sizes:?}")));
        };
        if elements == 0 || !columns.is_multiple_of(kind.block() as u64) || elements / 8 > self.length {
            return Err(self.damaged(format!("tensor {name} of type {kind:?} has sizes {sizes:?}")));
        }
        let fits = |size: u64| usize::try_from(size).map_err(|_| self.damaged(format!("tensor {name} is too large")));
        Ok((name.clone(), Placement { kind, columns: fits(columns)?, rows: fits(rows)?, offset }))
    }
}
