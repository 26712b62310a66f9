//! `counsel stats paired`: the contract of its output, and what does not change it.

use counsel_report::{Error, Format, Observations, PairedReport, View};
use insta::assert_snapshot;
use proptest::prelude::*;

const PLAIN: &str = "\
seed,arm,value
0,never,0.25
1,never,0.5
2,never,0.75
3,never,0.125
0,controller,0.5
1,controller,1
2,controller,1.375
3,controller,0.5
0,random,0.25
1,random,0.375
2,random,1
3,random,0.125
";

fn report(text: &str, baseline: &str) -> PairedReport {
    PairedReport::compare(&Observations::parse(text).unwrap(), baseline).unwrap()
}

fn written(text: &str, format: Format) -> String {
    report(text, "never").render(&View::whole(format)).unwrap()
}

#[test]
fn csv_has_exactly_the_declared_columns() {
    let csv = written(PLAIN, Format::Csv);
    assert_eq!(csv.lines().next(), Some("arm,n,mean_difference,ci95_half_width,bca_low,bca_high,p,p_holm"));
    assert_snapshot!(csv);
}

#[test]
fn a_family_column_comes_last() {
    let text = "value,family,extra,arm,seed\n1,a,x,never,0\n2,a,x,b,0\n1,a,x,never,1\n2.5,a,x,b,1\n";
    let csv = written(text, Format::Csv);
    assert_eq!(csv.lines().next(), Some("arm,n,mean_difference,ci95_half_width,bca_low,bca_high,p,p_holm,family"));
    let row = csv.lines().nth(1).unwrap();
    assert!(row.starts_with("b,2,1.25,") && row.ends_with(",a"), "{row}");
}

#[test]
fn a_baseline_with_a_family_of_its_own_serves_all() {
    let text = "seed,arm,value,family\n0,never,1,base\n1,never,1,base\n0,b,2,x\n1,b,2.5,x\n0,c,3,y\n1,c,4,y\n";
    let csv = written(text, Format::Csv);
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[0].starts_with("b,2,1.25,") && rows[0].ends_with(",x"), "{}", rows[0]);
    assert!(rows[1].starts_with("c,2,2.5,") && rows[1].ends_with(",y"), "{}", rows[1]);
}

#[test]
fn text() {
    assert_snapshot!(written(PLAIN, Format::Text));
}

#[test]
fn markdown() {
    assert_snapshot!(written(PLAIN, Format::Markdown));
}

#[test]
fn latex() {
    assert_snapshot!(written(PLAIN, Format::Latex));
}

#[test]
fn one_seed_gives_a_mean_and_nothing_else() {
    let text = "seed,arm,value\n7,never,1\n7,b,3\n";
    assert_eq!(written(text, Format::Csv).lines().nth(1), Some("b,1,2.0,,,,,"));
    assert_snapshot!(written(text, Format::Text));
}

#[test]
fn two_equal_differences_have_width_zero_and_the_p_value_of_their_signs() {
    let text = "seed,arm,value\n0,never,1\n1,never,2\n0,b,1\n1,b,2\n0,c,2\n1,c,3\n";
    let csv = written(text, Format::Csv);
    assert_eq!(csv.lines().nth(1), Some("b,2,0.0,0.0,0.0,0.0,1.0,1.0"));
    assert_eq!(csv.lines().nth(2), Some("c,2,1.0,0.0,1.0,1.0,0.5,1.0"));
    let text = written(text, Format::Text);
    assert!(text.contains("note: The differences of c are all equal"), "{text}");
    assert!(!text.contains("of b"), "differences of zero need no note: {text}");
}

#[test]
fn arms_and_families_keep_the_order_of_the_file() {
    let text = "seed,arm,value,family\n0,z,1,y\n0,a,1,y\n0,m,1,y\n0,a,1,b\n0,m,1,b\n0,z,1,b\n";
    let rows: Vec<_> =
        report(text, "m").arms.into_iter().map(|row| (row.family.unwrap_or_default(), row.arm)).collect();
    let expected = [("y", "z"), ("y", "a"), ("b", "z"), ("b", "a")];
    assert_eq!(rows, expected.map(|(family, arm)| (family.to_owned(), arm.to_owned())));
}

#[test]
fn line_endings_byte_order_marks_and_spaces_do_not_matter() {
    let dressed = format!("\u{feff}{}", PLAIN.replace(',', " , ").replace('\n', "\r\n\r\n"));
    assert_eq!(written(&dressed, Format::Csv), written(PLAIN, Format::Csv));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Observations::from_path(std::path::Path::new("no/such.csv")).unwrap_err();
    assert!(matches!(&error, Error::Unreadable { .. }));
    assert!(error.to_string().starts_with("cannot read no/such.csv: "));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_order_of_the_lines_changes_no_number(
        lines in Just(PLAIN.lines().skip(1).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let shuffled = format!("seed,arm,value\n{}\n", lines.join("\n"));
        let (mut got, mut want) = (report(&shuffled, "never").arms, report(PLAIN, "never").arms);
        for arms in [&mut got, &mut want] {
            arms.sort_by(|a, b| a.arm.cmp(&b.arm));
        }
        prop_assert_eq!(got, want);
    }

    #[test]
    fn no_text_panics(text in "(seed|arm|value|family|[0-9a,.\"\r\n])*") {
        if let Ok(observations) = Observations::parse(&text) {
            for row in observations.rows() {
                let _ = PairedReport::compare(&observations, &row.arm);
            }
        }
    }
}
