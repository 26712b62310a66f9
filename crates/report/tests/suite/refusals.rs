//! The text of every refusal of `counsel stats paired`: what is wrong, where, and what to do.

use counsel_report::{Observations, PairedReport};
use insta::assert_snapshot;

/// What is said about `text` when its arms are compared with `never`.
fn refusal(text: &str) -> String {
    Observations::parse(text).and_then(|rows| PairedReport::compare(&rows, "never")).unwrap_err().to_string()
}

#[test]
fn empty_files() {
    assert_snapshot!(refusal(""), @"there are no observations: the file is empty; write a header `seed,arm,value` and one line per run");
    assert_snapshot!(refusal("\n\n"), @"there are no observations: the file is empty; write a header `seed,arm,value` and one line per run");
    assert_snapshot!(refusal("seed,arm,value\n"), @"there are no observations: the file ends after its header; write a header `seed,arm,value` and one line per run");
}

#[test]
fn headers() {
    assert_snapshot!(refusal("seed,method,value\n0,never,1\n"), @"the column `arm` is missing: the header has `seed`, `method`, `value`; needed are seed, arm and value, in any order");
    assert_snapshot!(refusal("seed,arm,value,seed\n0,never,1,0\n"), @"the column `seed` stands twice in the header; rename or remove one of the two");
}

#[test]
fn lines() {
    assert_snapshot!(refusal("seed,arm,value\n0,never,1\n0,b\n"), @"line 3 has 2 field(s), the header has 3; quote fields that hold a comma");
    assert_snapshot!(refusal("seed,arm,value\n0,,1\n"), @"line 2 has an empty `arm`; every observation needs one");
    assert_snapshot!(refusal("seed,arm,value\n,never,1\n"), @"line 2 has an empty `seed`; every observation needs one");
    assert_snapshot!(refusal("seed,arm,value,family\n0,never,1,\n"), @"line 2 has an empty `family`; every observation needs one");
}

#[test]
fn values() {
    for value in ["abc", "", "NaN", "inf", "-Infinity", "1e999", "0x10", "1_000"] {
        assert_eq!(
            refusal(&format!("seed,arm,value\n0,never,1\n0,b,{value}\n")),
            format!(
                "line 3 has the value `{value}`, which is not a finite number; repair or remove that run in every arm"
            )
        );
    }
}

#[test]
fn lines_are_counted_as_an_editor_does() {
    assert!(refusal("seed,arm,value\r\n0,never,1\r\n0,b,x\r\n").starts_with("line 3 "));
    assert!(refusal("\n\nseed,arm,value\n\n\n0,never,1\n\n0,b,x\n").starts_with("line 8 "));
    assert!(refusal("seed,arm,value,note\n0,never,1,\"two\nlines\"\n0,b,x,\n").starts_with("line 4 "));
}

#[test]
fn duplicates() {
    assert_snapshot!(refusal("seed,arm,value\n0,never,1\n1,never,1\n0,never,2\n"), @"lines 2 and 4 both give seed 0 of arm `never`; keep one of them");
    assert_snapshot!(refusal("seed,arm,value,family\n0,never,1,a\n0,never,1,b\n0,never,2,b\n"), @"lines 3 and 4 both give seed 0 of arm `never` in family `b`; keep one of them");
}

#[test]
fn baselines() {
    assert_snapshot!(refusal("seed,arm,value\n0,nevr,1\n0,always,2\n"), @"the baseline `never` is not in the file (did you mean `nevr`?); the arms are `nevr`, `always`");
    assert_snapshot!(refusal("seed,arm,value\n0,xyz,1\n0,qq,2\n"), @"the baseline `never` is not in the file; the arms are `xyz`, `qq`");
    assert_snapshot!(refusal("seed,arm,value,family\n0,never,1,a\n0,b,1,a\n0,b,1,c\n"), @"the baseline `never` has no run in family `c`, which has `b`; run it there or remove the family");
    assert_snapshot!(refusal("seed,arm,value\n0,never,1\n"), @"there is nothing to compare with arm `never`: it is the only arm; add the runs of another arm");
    assert_snapshot!(refusal("seed,arm,value,family\n0,never,1,a\n0,b,1,a\n0,never,1,c\n"), @"there is nothing to compare with arm `never` in family `c`: it is the only arm; add the runs of another arm");
}

#[test]
fn seeds() {
    assert_snapshot!(refusal("seed,arm,value\n0,never,1\n1,never,1\n10,never,1\n2,never,1\n1,b,2\n"), @"arm `b` lacks seed(s) 0, 2, 10 of arm `never`; run them, or remove them from every arm");
    assert_snapshot!(refusal("seed,arm,value,family\n0,never,1,a\n0,b,1,a\n1,b,1,a\n"), @"arm `never` in family `a` lacks seed(s) 1 of arm `b` in family `a`; run them, or remove them from every arm");
    let lines: Vec<String> = (0..15).map(|seed| format!("{seed},never,1")).collect();
    let many = format!("seed,arm,value\n0,b,1\n{}\n", lines.join("\n"));
    assert_snapshot!(refusal(&many), @"arm `b` lacks seed(s) 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more of arm `never`; run them, or remove them from every arm");
}

#[test]
fn differences_that_overflow() {
    assert_snapshot!(refusal("seed,arm,value\n0,never,-1.7e308\n0,b,1.7e308\n"), @"cannot compare arm `b` with the baseline: a sample mean needs finite numbers: value 0 is inf; repair or drop that row first");
}
