//! Shadow mode on runs of this program: what it says would have happened is held against the gate's own run on the same seeds.

use counsel_log::{Cell, CellKey, Run};
use counsel_shadow::{Exact, LeftFor, Policy, ShadowSettings, follow, own, policies};

use crate::support::{command, counsel, path};

/// Two arms that share everything but the gate, and an agent that stays as it is.
const LOCK: &str = r#"
id = "twins"
group = "tabular"
title = "Twins"
finding = "none"
seeds = 8
scenario = "controlled"

[shared]
world = { kind = "lock", length = 8, actions = 4, horizon = 16 }
learner = { kind = "psrl", bounds = { steps = 480 } }
advisor = { kind = "simulated", reliability = { constant = 0.9 } }
predictor = { predictor = "feature" }
execution = { certified = { tolerance = 1.0 } }
budget = { per_episode = 16 }
price = 0.02
warm_up_episodes = 3
episodes = 30
learning = "frozen"

[shared.calibration]
arms = "every"
prefix_episodes = 10
fit = 0
calibrate = 150
radius = { method = "constant", alpha = 0.1 }

[[arms]]
name = "always"
set = { gate = { policy = "always" } }

[[arms]]
name = "gate"
set = { gate = { policy = "predictive" } }

[table]
columns = ["return", "calls per episode"]
"#;

const BABYAI: &str = r#"
id = "twins"
group = "babyai"
title = "Twins"
finding = "none"
seeds = 2
scenario = "babyai"

[shared]
task = "GoToObj"
advisor = "qwen2.5-coder-0.5b/abstract/scored"
predictor = { predictor = "feature" }
execution = { certified = { tolerance = 1.0 } }
budget = { per_episode = 64 }
price = 0.005
episodes = 100
learning = "frozen"

[shared.calibration]
arms = "every"
prefix_episodes = 2
calibrate = 40
labels = { paired = { blocks = 3, replicates = 1, window = 6 } }
monte_carlo = { method = "none" }
radius = { method = "zero" }

[[arms]]
name = "always"
set = { gate = { policy = "always" } }

[[arms]]
name = "gate"
set = { gate = { policy = "predictive" } }

[table]
columns = ["return", "calls per episode"]
"#;

fn cells(run: &Run, arm: &str, seeds: u64) -> Vec<Cell> {
    let key = |seed| CellKey { study: "twins".into(), arm: arm.into(), seed };
    (0..seeds).map(|seed| run.cell(&key(seed)).unwrap().unwrap()).collect()
}

/// How many episodes were compared, followed to their end and left, and how many calls the gate saves.
#[derive(Debug, Default)]
struct Compared {
    episodes: usize,
    whole: usize,
    left: usize,
    unlearned: usize,
    saved: u64,
}

/// Runs both arms and compares the shadow of the one that always asks with the gate's own run.
fn compare(study: &str, seeds: u64) -> Compared {
    let folder = tempfile::tempdir().unwrap();
    let (file, runs) = (folder.path().join("twins.toml"), folder.path().join("runs"));
    std::fs::write(&file, study).unwrap();
    counsel(&["reproduce", path(&file), "--out", path(&runs)]).expect_success();
    let run = Run::at(&runs);
    let (asked, real) = (cells(&run, "always", seeds), cells(&run, "gate", seeds));
    let narrow = own(&asked, Some([-1.0, -0.5]), false).unwrap_err().to_string();
    assert!(narrow.contains("outside of --return-range -1,-0.5; pass the range that holds"), "{narrow}");
    // That answers act alone is known of a frozen agent, and declared of another.
    let log = own(&asked, Some([0.0, 1.0]), !study.contains("\"frozen\"")).unwrap();
    let plan = ShadowSettings { settings: Some(real[0].manifest.settings.clone()), ..ShadowSettings::default() };
    let policies = policies(&log, &plan).unwrap();
    let gate = policies.all.iter().find(|shadowed| shadowed.policy == Policy::Gate).unwrap();
    let followed = follow(&log, gate).unwrap();
    let exact = Exact::of(&log, gate, &followed, 0);
    let logged: Vec<_> = asked.iter().flat_map(|cell| cell.decisions().unwrap()).collect();
    let played: Vec<_> = real.iter().flat_map(|cell| cell.decisions().unwrap()).collect();
    let mut played = played.chunk_by(|one, next| one.record.episode == next.record.episode);
    let mut found = Compared::default();
    for prefix in &exact.prefixes {
        let truth = played.next().unwrap();
        let rows = log.episodes[prefix.episode].rows.clone();
        for (step, row) in rows.clone().enumerate().take(prefix.same) {
            let (one, other, would) = (&logged[row], &truth[step], followed.rows[row]);
            assert_eq!(would.asks, other.record.asked(), "whether it asks at {step} of {}", prefix.episode);
            assert_eq!(would.action, Some(other.record.executed.0));
            assert_eq!(would.estimate.to_bits(), other.record.estimate.to_bits());
            assert_eq!(one.record.evidence.context(), other.record.evidence.context());
            assert_eq!(one.hindsight.reward.to_bits(), other.hindsight.reward.to_bits());
        }
        let gained: f64 = truth.iter().map(|decision| decision.hindsight.reward).sum();
        let [low, high] = prefix.bounds;
        assert!((low..=high).contains(&gained), "{gained} is not within [{low}, {high}]");
        assert!(truth.iter().filter(|decision| decision.record.asked()).count() as u64 >= prefix.calls);
        match prefix.left {
            None => {
                assert_eq!(truth.len(), rows.len());
                assert_eq!(low.to_bits(), gained.to_bits());
                found.whole += 1;
            }
            Some(LeftFor::Unlogged) => panic!("every answer is in the log of an agent that always asks"),
            Some(LeftFor::Another) => {
                assert_ne!(truth[prefix.same].record.executed, logged[rows.start + prefix.same].record.executed);
                found.left += 1;
            }
            Some(LeftFor::Unlearned | LeftFor::Earlier) => found.unlearned += 1,
        }
        found.episodes += 1;
    }
    assert!(played.next().is_none());
    found.saved = exact.logged_calls() - exact.calls(&followed, &log);
    found
}

#[test]
fn on_the_lock_the_exact_tier_is_the_real_run_and_the_truth_lies_within_the_bounds() {
    let found = compare(LOCK, 8);
    assert!(found.episodes >= 200 && found.whole > 20 && found.left > 20 && found.saved > 100, "{found:?}");
}

#[test]
fn on_babyai_the_exact_tier_is_the_real_run_and_the_truth_lies_within_the_bounds() {
    let found = compare(BABYAI, 2);
    assert!(found.episodes >= 200 && found.whole > 0 && found.saved > 100, "{found:?}");
}

/// What the log expected of answers came from answers that the gate would not have bought.
#[test]
fn where_the_predictor_learns_the_log_is_left_at_the_first_call_that_the_gate_leaves_out() {
    let found = compare(&LOCK.replace("\"frozen\"", "\"predictor-only\""), 8);
    assert!(found.episodes >= 200 && found.unlearned > 100, "{found:?}");
}

/// The row of a log: never asked, or asked and told `right`.
fn row(episode: usize, step: usize, asked: bool, end: bool) -> String {
    let answer = if asked { r#","answer":"right""# } else { "" };
    let executed = if asked { "right" } else { "left" };
    format!(
        r#"{{"episode":{episode},"step":{step},"base":"left","asked":{asked}{answer},"executed":"{executed}","reward":0.5,"price":0.1,"end":{end}}}"#
    )
}

const HEADER: &str = r#"{"format":"counsel-shadow/1","words":["left","right"],"return_range":[0,2],"max_steps":3,"answers_act_only":true}"#;

#[test]
fn tables_and_page_say_the_same_and_what_to_log_next() {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("calls.jsonl"), folder.path().join("page.html"));
    let rows: Vec<String> =
        (0..30).flat_map(|episode| [row(episode, 0, episode % 3 == 0, false), row(episode, 1, false, true)]).collect();
    std::fs::write(&file, format!("{HEADER}\n{}\n", rows.join("\n"))).unwrap();
    let said = counsel(&["shadow", path(&file), "--out", path(&page), "--wide"]).expect_success();
    for words in [
        "20/30",
        "No number: the log has no values.",
        "No number: the log has no p_ask.",
        "To learn more: log `values`",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Tier 2, bounds") && html.contains("20/30") && !html.contains("<script"), "{html}");
    let check = counsel(&["shadow", "check", path(&file)]).expect_success();
    assert!(check.contains("30 episodes, 60 decisions, no bad row") && check.contains("level 0"), "{check}");
    let csv = counsel(&["shadow", path(&file), "--format", "csv"]).expect_success();
    // Never asking leaves ten of thirty episodes at once: their return is unknown within 0 and 2, that of the others is 1.
    assert!(csv.lines().any(|line| line.starts_with("bounds,never ask,1.0,0.666") && line.contains(",1.333")), "{csv}");
}

#[test]
fn below_twenty_episodes_only_counts_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let rows: Vec<String> = (0..19).map(|episode| row(episode, 0, false, true)).collect();
    std::fs::write(&file, format!("{HEADER}\n{}\n", rows.join("\n"))).unwrap();
    let said = counsel(&["shadow", path(&file)]).expect_success();
    assert!(said.contains("No number: 19 episodes are evaluated"), "{said}");
}

#[test]
fn each_bad_row_is_named_with_line_value_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let bad = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        counsel(&["shadow", "check", path(&file)]).expect_failure()
    };
    let rows = [
        row(0, 0, true, true),
        row(1, 0, true, true).replace("0.5", "\"much\""),
        row(2, 0, true, true).replace("\"base\":\"left\"", "\"base\":\"up\""),
        row(3, 1, true, true),
        "not json".to_owned(),
        row(0, 0, true, true),
    ];
    let said = bad("a.jsonl", &format!("{HEADER}\n{}\n", rows.join("\n")));
    for words in [
        "5 bad rows",
        "line 3: reward is \"much\"; write a number",
        "line 4: base is `up`; write one of left, right",
        "line 5: step is 1; write 0: steps go up by one from 0",
        "line 6: the row is expected",
        "line 7: episode is 0; it came before; keep the rows of an episode together",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let csv = format!(
        "# {HEADER}\nepisode,step,base,asked,answer,executed,reward,price,end\n0,0,left,true,right,right,0.5,0.1,true\n1,0,left,maybe,,left,0.5,0.1,true\n"
    );
    let said = bad("b.csv", &csv);
    assert!(said.contains("line 4: asked is \"maybe\"; write true or false"), "{said}");
    assert!(bad("c.txt", "x").contains("ends with .jsonl, .csv or .parquet"));
    assert!(bad("d.jsonl", "{\"words\":[]}\n").contains("begin with {\"format\":\"counsel-shadow/1\""));
    let outside = format!("{}\n{}\n", HEADER.replace("[0,2]", "[0,0.1]"), row(0, 0, false, true));
    assert!(
        bad("e.jsonl", &outside).contains("it lies outside of return_range [0, 0.1]; declare the range that holds")
    );
}

#[test]
fn csv_says_what_jsonl_says() {
    let folder = tempfile::tempdir().unwrap();
    let (lines, table) = (folder.path().join("a.jsonl"), folder.path().join("a.csv"));
    let mut json = vec![HEADER.to_owned()];
    let mut csv = vec![format!("# {HEADER}\nepisode,step,base,asked,answer,executed,reward,price,end,values,law")];
    for episode in 0..60 {
        let (value, asked) = (f64::from(episode % 7) / 10.0, episode % 2 == 0);
        let (answer, executed) = if asked && value >= 0.3 { ("right", "right") } else { ("", "left") };
        let said = if answer.is_empty() { "null".to_owned() } else { format!("\"{answer}\"") };
        json.push(format!(
            "{{\"episode\":{episode},\"step\":0,\"base\":\"left\",\"asked\":{asked},\"answer\":{said},\"executed\":\"{executed}\",\"reward\":0.25,\"price\":0.01,\"end\":true,\"values\":[0.3,{value}],\"law\":[0.2,0.7,0.1]}}"
        ));
        csv.push(format!(
            "{episode},0,left,{asked},{answer},{executed},0.25,0.01,true,\"[0.3,{value}]\",\"[0.2,0.7,0.1]\""
        ));
    }
    std::fs::write(&lines, json.join("\n")).unwrap();
    std::fs::write(&table, csv.join("\n")).unwrap();
    let said = |file| counsel(&["shadow", path(file), "--price", "0.001,0.2", "--format", "csv"]).expect_success();
    assert_eq!(said(&lines), said(&table));
    assert!(said(&lines).contains("gate at price 0.001"));
}

/// The log of the page, and its commands in their order.
#[test]
fn the_log_and_the_commands_of_the_page_do_what_it_says() {
    let page = include_str!("../../../../docs/SHADOW.md");
    let block = |kind: &str| {
        let fence = format!("```{kind}\n");
        page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect::<Vec<_>>()
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("calls.jsonl"), block("json")[0]).unwrap();
    let typed: Vec<&str> = block("console").into_iter().flat_map(str::lines).collect();
    assert!(typed.len() >= 5, "{typed:?}");
    let mut said = Vec::new();
    for line in typed {
        let words: Vec<&str> = line.strip_prefix("$ counsel ").unwrap().split(' ').collect();
        let done = command(&words).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
        said.push(String::from_utf8(done.stdout).unwrap());
    }
    assert!(said[0].contains("1 episodes, 2 decisions, no bad row"), "{}", said[0]);
    assert!(folder.path().join("shadow.html").is_file());
    // The last is about runs, and tiers 1 and 2 have numbers there.
    let last = said.last().unwrap();
    assert!(last.contains("Tier 2, bounds") && !last.contains("No number: see tier 1"), "{last}");
    // Every name of the header is on the page.
    for name in ["p_ask_drawn", "predictor_frozen", "reward_range", "max_steps", "agent_learns", "answers_act_only"] {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}
