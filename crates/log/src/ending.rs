//! A source of Parquet bytes whose end is an error.
//!
//! Parquet's own reader skips over fields that it does not want, and takes "nothing more to read" for a skip that went well. A
//! damaged page header may claim a list of two billion entries, which it then counts through, one by one, past the end of the
//! file. Here the first read past the end fails, so the work is bounded by the bytes that are there.

use std::io::{Error, ErrorKind, Read};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// A source whose end is an error.
#[derive(Debug)]
pub struct Ending<S>(pub S);

/// A reader of such a source.
#[derive(Debug)]
pub struct EndingRead<R>(R);

impl<R: Read> Read for EndingRead<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(into)? {
            0 if !into.is_empty() => {
                Err(Error::new(ErrorKind::UnexpectedEof, "a page header goes on past the end of the file"))
            }
            read => Ok(read),
        }
    }
}

impl<S: Length> Length for Ending<S> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<S: ChunkReader> ChunkReader for Ending<S> {
    type T = EndingRead<S::T>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        self.0.get_read(start).map(EndingRead)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.0.get_bytes(start, length)
    }
}
