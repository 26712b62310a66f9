//! What a log claims to hold, checked before any memory is taken for it.
//!
//! Parquet keeps equal entries in next to no room, so a few bytes may claim billions of them, and its reader believes that.
//! No log comes near these limits: the steps of its rows all differ, and so do most of its numbers.

use parquet::column::page::Page;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, RowGroupReader};

use crate::headers::check_headers;

/// The most rows that a byte of a log stands for.
const ROWS_PER_BYTE: usize = 8;
/// The most entries of one column that a byte of a log stands for; lists have several per row.
const ENTRIES_PER_BYTE: usize = 100;

/// Refuses more rows than a log of this size holds.
pub fn check_rows(rows: usize, log_bytes: usize) -> Result<(), String> {
    if rows / ROWS_PER_BYTE <= log_bytes {
        return Ok(());
    }
    Err(format!("it claims {rows} rows in {log_bytes} bytes, which no log has"))
}

/// Refuses a column with more entries than a log of this size holds, with a dictionary of more words than bytes, or with a
/// header that claims more than it holds. Pages are skipped, not read, except for the dictionary.
pub fn check_pages(source: &impl ChunkReader, group: &dyn RowGroupReader, column: usize) -> Result<(), ParquetError> {
    check_headers(source, group.metadata().column(column))?;
    let log_bytes = usize::try_from(source.len()).unwrap_or(usize::MAX);
    let mut pages = group.get_column_page_reader(column)?;
    let refuse = |claim: String| Err(ParquetError::General(format!("it claims {claim}, which no log has")));
    let mut entries = 0_usize;
    while let Some(page) = pages.peek_next_page()? {
        entries = entries.saturating_add(page.num_levels.unwrap_or_default());
        if entries / ENTRIES_PER_BYTE > log_bytes {
            return refuse(format!("{entries} entries in {log_bytes} bytes"));
        }
        if !page.is_dict {
            pages.skip_next_page()?;
        } else if let Some(Page::DictionaryPage { buf, num_values, .. }) = pages.get_next_page()?
            && num_values as usize > buf.len()
        {
            return refuse(format!("a dictionary of {num_values} words in {} bytes", buf.len()));
        }
    }
    Ok(())
}
