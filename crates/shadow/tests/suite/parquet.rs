//! A log in Parquet says what the same log in JSONL says.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use counsel_report::{Format, render};
use counsel_shadow::{Error, LogLevel, ShadowLog, ShadowSettings, parse, read, report};
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const HEADER: &str =
    r#"{"format":"counsel-shadow/1","words":["stay","go"],"return_range":[0,1],"answers_act_only":true}"#;
const SCHEMA: &str = "message log { required int64 episode; required int64 step; required binary base (UTF8); required boolean asked;
    optional binary answer (UTF8); required binary executed (UTF8); required double reward; required double price; required boolean end;
    required group values (LIST) { repeated group list { required double element; } } }";

/// One row: asked or not, and what going is thought to be worth.
type Row = (bool, f64);

fn rows() -> Vec<Row> {
    (0..90).map(|episode| (episode % 3 != 0, f64::from(episode % 10) / 10.0)).collect()
}

fn goes((asked, go): Row) -> bool {
    asked && go >= 0.5
}

fn lines(path: &Path) {
    let mut text = format!("{HEADER}\n");
    for (episode, row) in rows().into_iter().enumerate() {
        let (answer, executed) = (if row.0 { "\"go\"" } else { "null" }, if goes(row) { "go" } else { "stay" });
        writeln!(
            text,
            r#"{{"episode":{episode},"step":0,"base":"stay","asked":{},"answer":{answer},"executed":"{executed}","reward":{},"price":0.05,"end":true,"values":[0.5,{}]}}"#,
            row.0, row.1, row.1
        )
        .unwrap();
    }
    std::fs::write(path, text).unwrap();
}

fn parquet(header: Option<&str>, codec: Compression, rows: &[Row]) -> Vec<u8> {
    let metadata = header.map(|header| vec![KeyValue::new("counsel-shadow".to_owned(), header.to_owned())]);
    let properties = WriterProperties::builder().set_compression(codec).set_key_value_metadata(metadata).build();
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    let count = i64::try_from(rows.len()).unwrap();
    // Two row groups, since most files have several.
    for part in [&rows[..rows.len() / 2], &rows[rows.len() / 2..]] {
        let first = if part.as_ptr() == rows.as_ptr() { 0 } else { count / 2 };
        group(&mut file, part, first);
    }
    file.close().unwrap();
    bytes
}

fn group(file: &mut SerializedFileWriter<&mut Vec<u8>>, all: &[Row], first: i64) {
    let mut group = file.next_row_group().unwrap();
    let count = all.len();
    let words = |word: &dyn Fn(Row) -> Option<&'static str>| -> Vec<ByteArray> {
        all.iter().filter_map(|row| word(*row)).map(ByteArray::from).collect()
    };
    let answered: Vec<i16> = all.iter().map(|row| i16::from(row.0)).collect();
    let mut at = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        match at {
            0 => drop(
                column
                    .typed::<Int64Type>()
                    .write_batch(&(first..).take(count).collect::<Vec<i64>>(), None, None)
                    .unwrap(),
            ),
            1 => drop(column.typed::<Int64Type>().write_batch(&vec![0; count], None, None).unwrap()),
            2 => drop(column.typed::<ByteArrayType>().write_batch(&words(&|_| Some("stay")), None, None).unwrap()),
            3 => {
                let asked: Vec<bool> = all.iter().map(|row| row.0).collect();
                column.typed::<BoolType>().write_batch(&asked, None, None).unwrap();
            }
            4 => {
                let said = words(&|row| row.0.then_some("go"));
                column.typed::<ByteArrayType>().write_batch(&said, Some(&answered), None).unwrap();
            }
            5 => {
                let done = words(&|row| Some(if goes(row) { "go" } else { "stay" }));
                column.typed::<ByteArrayType>().write_batch(&done, None, None).unwrap();
            }
            6 => {
                let rewards: Vec<f64> = all.iter().map(|row| row.1).collect();
                column.typed::<DoubleType>().write_batch(&rewards, None, None).unwrap();
            }
            7 => drop(column.typed::<DoubleType>().write_batch(&vec![0.05; count], None, None).unwrap()),
            8 => drop(column.typed::<BoolType>().write_batch(&vec![true; count], None, None).unwrap()),
            _ => {
                let values: Vec<f64> = all.iter().flat_map(|row| [0.5, row.1]).collect();
                let (defined, repeated) = (vec![1; 2 * count], [0, 1].repeat(count));
                column.typed::<DoubleType>().write_batch(&values, Some(&defined), Some(&repeated)).unwrap();
            }
        }
        column.close().unwrap();
        at += 1;
    }
    group.close().unwrap();
}

fn said(log: &ShadowLog) -> String {
    assert_eq!((log.level(), log.episodes.len()), (LogLevel::Values, 90));
    render(&report(log, &ShadowSettings::default()).unwrap().tables, Format::Csv)
}

fn opened(bytes: Vec<u8>) -> Result<ShadowLog, Error> {
    parse(Path::new("a.parquet"), bytes)
}

#[test]
fn parquet_says_what_jsonl_says_in_every_codec() {
    let folder = tempfile::tempdir().unwrap();
    let (text, columns) = (folder.path().join("a.jsonl"), folder.path().join("a.parquet"));
    lines(&text);
    let wanted = said(&read(&text).unwrap());
    for codec in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        let bytes = parquet(Some(HEADER), codec, &rows());
        std::fs::write(&columns, &bytes).unwrap();
        assert_eq!(said(&read(&columns).unwrap()), wanted, "{codec}");
        assert_eq!(said(&opened(bytes).unwrap()), wanted, "{codec}");
    }
}

#[test]
fn files_of_pandas_polars_and_duckdb_are_read() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/shadow_parquet");
    let mut read = [0; 3];
    for entry in std::fs::read_dir(seeds).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        let Some(writer) = ["pandas", "polars", "duckdb"].iter().position(|writer| name.starts_with(writer)) else {
            continue;
        };
        let log = opened(std::fs::read(&path).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((log.level(), log.episodes.len()), (LogLevel::Values, 60), "{name}");
        assert!(log.has_law() && log.has_probabilities() && log.unread.is_empty(), "{name}");
        read[writer] += 1;
    }
    assert_eq!(read, [6, 6, 7]);
}

/// Before, the first damaged page was read again for ever.
#[test]
fn a_damaged_file_is_read_to_the_damage_and_no_further() {
    for codec in [Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default()), Compression::UNCOMPRESSED] {
        let whole = parquet(Some(HEADER), codec, &rows());
        let mut damaged = 0;
        for place in (4..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x55;
            if let Err(error) = opened(bytes) {
                damaged += u32::from(matches!(error, Error::Damaged { .. }));
            }
        }
        assert!(damaged > 20, "{codec}: {damaged}");
    }
    let mut bytes = parquet(Some(HEADER), Compression::SNAPPY, &rows());
    let half = bytes.len() / 4;
    bytes[half..half + 8].fill(0xff);
    let said = opened(bytes).unwrap_err().to_string();
    assert!(
        said.starts_with("a.parquet: row ")
            && said.contains("in row group ")
            && said.contains("; write the file again"),
        "{said}"
    );
}

/// Headers that claim lists of billions of entries, past the end of the file or of no byte each: Parquet's reader counts
/// through them.
#[test]
fn a_list_that_claims_more_than_there_is_is_refused_at_once() {
    let seeds = [
        ("list-past-the-end", "its metadata has a list of flags"),
        ("list-of-flags", "a page header has a list of flags"),
    ];
    for (seed, reason) in seeds {
        let seed = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/shadow_parquet/{}"), seed);
        let said = opened(std::fs::read(&seed).unwrap()).unwrap_err().to_string();
        assert!(said.contains(reason), "{seed}: {said}");
    }
}

/// The same in the metadata at the end of the file: a field that nobody knows, with a list of a billion flags.
#[test]
fn metadata_with_a_list_of_flags_are_refused_at_once() {
    let whole = parquet(Some(HEADER), Compression::SNAPPY, &rows());
    let (file, tail) = whole.split_at(whole.len() - 8);
    let length = u32::from_le_bytes(tail[..4].try_into().unwrap());
    let (pages, metadata) = file.split_at(file.len() - length as usize);
    // Field 63 (0x7e) is a list (9) of flags (1), whose number takes 5 bytes; 0 ends the structure.
    let mut bytes = [pages, metadata.strip_suffix(&[0]).unwrap()].concat();
    bytes.extend([0x09, 0x7e, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00]);
    bytes.extend((length + 8).to_le_bytes());
    bytes.extend(b"PAR1");
    let said = opened(bytes).unwrap_err().to_string();
    assert!(said.contains("its metadata has a list of flags"), "{said}");
}

#[test]
fn more_rows_than_the_bytes_of_a_file_can_hold_are_refused_at_once() {
    // Equal entries take next to no room, so a small file may claim any number of them.
    let schema = Arc::new(parse_message_type("message log { required int64 episode; }").unwrap());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&vec![0; 1_000_000], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.close().unwrap();
    let said = opened(bytes).unwrap_err().to_string();
    assert!(said.contains("the file cannot be read (it claims 1000000 rows in "), "{said}");
}

#[test]
fn a_number_that_is_none_is_not_called_missing() {
    let mut all = rows();
    all[3].1 = f64::NAN;
    let Err(Error::Rows { faults, count, .. }) = opened(parquet(Some(HEADER), Compression::SNAPPY, &all)) else {
        panic!("it was taken")
    };
    assert_eq!(count, 1);
    assert_eq!(faults[0].to_string(), "line 4: reward is \"NaN\"; write a number");
}

#[test]
fn parquet_without_a_header_is_refused_with_the_remedy() {
    let error = opened(parquet(None, Compression::UNCOMPRESSED, &rows())).unwrap_err();
    assert!(matches!(error, Error::Header { .. }));
    assert!(error.to_string().ends_with("its metadata have no `counsel-shadow`; put the header there"), "{error}");
}
