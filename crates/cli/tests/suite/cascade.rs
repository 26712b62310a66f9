//! The console block of the page about cascades, as a reader types it, on a table of the page's own form.

use std::fmt::Write as _;

use crate::support::command;

const PAGE: &str = include_str!("../../../../docs/CASCADE.md");
const HEADING: &str = "group,confidence,reward_cheap,cost_cheap,reward_strong,cost_strong";

/// A table as the page makes it: on algebra the cheap model is as good as its confidence, on history it is good.
fn outcomes() -> String {
    // The numbers of a linear congruential generator, which are random enough for a table.
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut text = format!("{HEADING}\n");
    for _ in 0..3000 {
        let (is_algebra, confidence) = (draw() < 0.5, draw());
        let cheap = draw() < if is_algebra { 0.3 + 0.6 * confidence } else { 0.9 };
        let strong = draw() < 0.9;
        let group = if is_algebra { "algebra" } else { "history" };
        let _ = writeln!(text, "{group},{confidence:.3},{},0.001,{},0.02", u8::from(cheap), u8::from(strong));
    }
    text
}

#[test]
fn the_commands_of_the_page_answer_first() {
    assert!(PAGE.contains(&format!("[\"{HEADING}\"]")), "the page makes another table");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("outcomes.csv"), outcomes()).unwrap();
    let block = PAGE.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    let typed: Vec<&str> = block.lines().map(|line| line.strip_prefix("$ counsel ").unwrap()).collect();
    assert_eq!(typed.len(), 3, "{typed:?}");
    let said: Vec<String> = typed
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
            let done = command(&words).current_dir(folder.path()).output().unwrap();
            assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
            String::from_utf8(done.stdout).unwrap()
        })
        .collect();
    let flat = said[0].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.starts_with("At a price of 0.05 for an answer of strong, asking where the expected gain is higher"),
        "{flat}"
    );
    assert!(flat.contains("This rests on the outcomes of all advisors in all of 3000 requests."), "{flat}");
    assert!(flat.contains("a look at requests pays") && flat.contains("It takes about"), "{flat}");
    for table in [
        "Price against quality",
        "How many labels it takes",
        "Where strong is worth it",
        "can be trusted",
        "A cascade from cheap",
    ] {
        assert!(flat.contains(table), "{table}: {flat}");
    }
    let of = |group: &str| said[0].lines().find(|line| line.trim_start().starts_with(group)).unwrap().to_owned();
    assert!(of("algebra").contains("yes") && of("history").contains("no"), "{}{}", of("algebra"), of("history"));
    assert!(said[1].contains("large"), "{}", said[1]);
    assert!(
        said[2].contains("confidence was read as (confidence - 0.") && said[2].ends_with("policy.json\n"),
        "{}",
        said[2]
    );
    let policy = std::fs::read_to_string(folder.path().join("policy.json")).unwrap();
    assert!(policy.contains("\"kind\":\"router\""), "{}", &policy[..200]);
}
