//! A log in Parquet says what the same log in JSONL says.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use counsel_report::{Format, render};
use counsel_shadow::{Error, Level, Plan, read, report};
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

fn parquet(path: &Path, header: Option<&str>) {
    let metadata = header.map(|header| vec![KeyValue::new("counsel-shadow".to_owned(), header.to_owned())]);
    let properties = WriterProperties::builder().set_key_value_metadata(metadata).build();
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut file =
        SerializedFileWriter::new(std::fs::File::create(path).unwrap(), schema, Arc::new(properties)).unwrap();
    let mut group = file.next_row_group().unwrap();
    let all = rows();
    let words = |word: &dyn Fn(Row) -> Option<&'static str>| -> Vec<ByteArray> {
        all.iter().filter_map(|row| word(*row)).map(ByteArray::from).collect()
    };
    let answered: Vec<i16> = all.iter().map(|row| i16::from(row.0)).collect();
    let mut at = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        match at {
            0 => drop(column.typed::<Int64Type>().write_batch(&(0..90).collect::<Vec<i64>>(), None, None).unwrap()),
            1 => drop(column.typed::<Int64Type>().write_batch(&[0; 90], None, None).unwrap()),
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
            7 => drop(column.typed::<DoubleType>().write_batch(&[0.05; 90], None, None).unwrap()),
            8 => drop(column.typed::<BoolType>().write_batch(&[true; 90], None, None).unwrap()),
            _ => {
                let values: Vec<f64> = all.iter().flat_map(|row| [0.5, row.1]).collect();
                let (defined, repeated) = (vec![1; 180], [0, 1].repeat(90));
                column.typed::<DoubleType>().write_batch(&values, Some(&defined), Some(&repeated)).unwrap();
            }
        }
        column.close().unwrap();
        at += 1;
    }
    group.close().unwrap();
    file.close().unwrap();
}

#[test]
fn parquet_says_what_jsonl_says() {
    let folder = tempfile::tempdir().unwrap();
    let (text, columns) = (folder.path().join("a.jsonl"), folder.path().join("a.parquet"));
    lines(&text);
    parquet(&columns, Some(HEADER));
    let told = |path: &Path| {
        let log = read(path).unwrap();
        assert_eq!((log.level(), log.episodes.len()), (Level::Values, 90));
        render(&report(&log, &Plan::default()).unwrap().tables, Format::Csv)
    };
    assert_eq!(told(&text), told(&columns));
}

#[test]
fn parquet_without_a_header_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    parquet(&path, None);
    let error = read(&path).unwrap_err();
    assert!(matches!(error, Error::Header { .. }));
    assert!(error.to_string().ends_with("its metadata have no `counsel-shadow`; put the header there"), "{error}");
}
