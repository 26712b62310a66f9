//! What a study says of its results is checked against its arms and blocks, and every wrong name is answered.

use counsel_log::study::Account;
use serde_json::{Value, json};

/// The complaint about an account of a study with two blocks of three arms, into which one part is put.
fn complaint(part: &str, written: Value) -> String {
    let mut whole = json!({
        "blocks": ["obj-a", "local-a"],
        "table": { "columns": ["return"] },
        "families": [{ "name": "against never", "measures": ["return"], "pairs": [["beta-conf", "never"]] }],
        "findings": [],
        "figures": [],
    });
    match part {
        "families" | "findings" | "figures" => whole[part].as_array_mut().unwrap().push(written),
        _ => whole[part] = written,
    }
    let arms = ["obj-a.never", "obj-a.beta-conf", "local-a.never", "local-a.beta-conf", "local-a.v0.25"];
    match serde_json::from_value::<Account>(whole) {
        Ok(account) => account.check(arms).err().unwrap_or_default(),
        Err(error) => error.to_string(),
    }
}

fn finding(test: &Value) -> String {
    complaint("findings", json!({ "words": "it is so", "test": test }))
}

#[test]
fn what_the_study_has_is_accepted() {
    assert_eq!(
        finding(&json!({ "above": { "family": "against never", "blocks": ["obj-*"], "arms": ["beta-*"] } })),
        ""
    );
    assert_eq!(complaint("figures", json!({ "curve": { "arms": ["never", "v*"] } })), "");
    assert_eq!(complaint("table", json!({ "rows": { "side-by-side": { "arms": ["v0.25"] } } })), "");
    let pairs = json!([["best of v*", "never"], ["beta-conf", 0.9], ["beta-conf"]]);
    assert_eq!(complaint("families", json!({ "name": "all", "measures": ["return at 60"], "pairs": pairs })), "");
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let family = |pairs: Value, blocks: Value| {
        complaint("families", json!({ "name": "x", "measures": ["return"], "pairs": pairs, "blocks": blocks }))
    };
    assert_eq!(
        family(json!([["beta-cnof", "never"]]), json!([])),
        "family `x`: the study has no arm `beta-cnof` (did you mean `beta-conf`?)"
    );
    assert_eq!(family(json!([["beta-conf", "best of w*"]]), json!([])), "family `x`: the study has no arm `w*`");
    assert_eq!(
        family(json!([["beta-conf", "never"]]), json!(["loacl-a"])),
        "family `x`: the study has no block `loacl-a` (did you mean `local-a`?)"
    );
    assert_eq!(
        finding(&json!({ "above": { "family": "against nevre" } })),
        "finding `it is so`: there is no family `against nevre` (did you mean `against never`?)"
    );
    assert_eq!(
        finding(&json!({ "above": { "family": "against never", "against": ["always"] } })),
        "finding `it is so`: family `against never` has no arm `always` there"
    );
    let level = finding(&json!({ "level": { "measure": "retrun", "arms": ["never"], "is": "= 0" } }));
    assert_eq!(level, "there is no measure `retrun` (did you mean `return`?)");
    assert_eq!(
        complaint("figures", json!({ "curve": { "arms": ["nevr"] } })),
        "[[figures]]: the study has no arm `nevr` (did you mean `never`?)"
    );
}

#[test]
fn a_margin_is_needed_where_nothing_is_to_be_shown_and_may_be_named_elsewhere() {
    let margin = "it needs a margin above zero: the largest difference that does not matter";
    for kind in ["equivalent", "no-less", "no-more"] {
        for written in [json!({ "family": "against never" }), json!({ "family": "against never", "margin": 0.0 })] {
            assert!(finding(&json!({ kind: written })).ends_with(margin));
        }
        assert_eq!(finding(&json!({ kind: { "family": "against never", "margin": 0.05 } })), "");
    }
    assert_eq!(finding(&json!({ "above": { "family": "against never", "margin": 0.05 } })), "");
    let above = finding(&json!({ "above": { "family": "against never", "margin": -0.05 } }));
    assert!(above.ends_with("name the smallest difference that matters"), "{above}");
}

#[test]
fn a_family_has_one_name_and_a_column_its_second_measure() {
    let again = json!({ "name": "against never", "measures": ["return"], "pairs": [["beta-conf", "never"]] });
    assert!(complaint("families", again).contains("declared twice"));
    let pooled = json!({ "columns": [{ "measure": "errors", "show": "pooled" }] });
    assert_eq!(complaint("table", pooled), "[table]: the column `errors` needs a second measure; add `of`");
    let two = json!({ "differences": [{ "measure": "return", "minus": "never", "from": "beta-conf" }] });
    assert!(complaint("table", two).contains("keep one of minus, from and pairs"));
}

/// A name may hold a dot of its own, so only a block that the study has is split off.
#[test]
fn only_blocks_of_the_study_are_split_off_a_name() {
    let account = Account { blocks: vec!["obj-a".into()], ..Account::default() };
    assert_eq!(account.split("obj-a.never"), ("obj-a", "never"));
    assert_eq!(account.split("visit-count-0.25"), ("", "visit-count-0.25"));
}
