//! `counsel world`: the worlds from the command line.

use serde_json::Value;

use crate::support::counsel;

fn trace(arguments: &[&str]) -> Vec<Value> {
    let text = counsel(&[&["world", "trace"], arguments].concat()).expect_success();
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object per line")).collect()
}

#[test]
fn a_trace_shows_the_reset_and_every_step() {
    let lines = trace(&["BabyAI-GoToObj-v0", "--seed", "7", "--actions", "2,2,1,2", "--format", "jsonl"]);
    assert_eq!(lines.len(), 5);
    let reset = &lines[0];
    assert!(reset["mission"].as_str().unwrap().starts_with("go to the "));
    assert_eq!(reset["max_steps"], 64);
    assert!(reset.get("reward").is_none());
    let image = reset["image"].as_array().unwrap();
    assert_eq!((image.len(), image[0].as_array().unwrap().len(), image[0][0].as_array().unwrap().len()), (7, 7, 3));
    for line in &lines[1..] {
        assert!(line["reward"].is_number() && line["terminated"].is_boolean() && line["truncated"].is_boolean());
    }
}

#[test]
fn a_trace_ends_with_the_episode() {
    let lines = trace(&["BabyAI-Pickup-v0", "--seed", "0", "--max-steps", "3", "--actions", "0,0,0,0,0"]);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[3]["truncated"], true);
}

#[test]
fn all_levels_are_listed() {
    let list = counsel(&["world", "list"]).expect_success();
    assert_eq!(list.lines().filter(|line| line.starts_with("BabyAI-")).count(), 96);
}

#[test]
fn env_is_another_name_for_world() {
    assert_eq!(counsel(&["env", "list"]).expect_success(), counsel(&["world", "list"]).expect_success());
}

#[test]
fn a_player_sees_the_mission_and_is_told_the_keys() {
    let shown = crate::support::counsel_typing(&["world", "play", "BabyAI-GoToObj-v0", "--seed", "7"], "fz\nq\n");
    assert!(shown.contains("go to the ") && shown.contains("(step 1 of 64)"), "{shown}");
    assert!(shown.contains("`z` is no action; l r f p d t x, n or q"), "{shown}");
    let keys = "keys: l left, r right, f forward, p pickup, d drop, t toggle, x done, n next episode, q quit";
    assert_eq!(shown.matches(keys).count(), 2, "under every picture: {shown}");
    assert!(shown.starts_with("Type letters and press Enter"), "{shown}");
}

#[test]
fn a_text_game_is_played_in_words() {
    let shown = crate::support::counsel_typing(&["world", "play", "alfworld", "--seed", "3"], "look\ndance\nn\nq\n");
    assert!(shown.starts_with("Type a command and press Enter."), "{shown}");
    assert!(shown.contains("-= Welcome to TextWorld, ALFRED! =-") && shown.contains("Your task is to: "), "{shown}");
    assert!(shown.contains("Nothing happens.") && shown.contains("(step 2 of 50)"), "{shown}");
    assert!(shown.contains("a new episode"), "{shown}");

    let lines = trace(&["alfworld", "--seed", "3", "--actions", "look,inventory,0"]);
    assert_eq!(lines.len(), 4);
    assert!(lines[0]["text"].as_str().unwrap().contains(lines[0]["task"].as_str().unwrap()));
    assert_eq!(lines[2]["text"], "You are not carrying anything.");
    assert_eq!(lines[3]["text"], "Nothing happens.", "an action is said, and a number means nothing");
    let first = lines[0]["admissible"][0].as_str().unwrap();
    let again = trace(&["alfworld", "--seed", "3", "--actions", first]);
    assert_eq!((&again[0], again[1]["reward"].as_f64()), (&lines[0], Some(0.0)));
    assert!(again[1]["text"].as_str().unwrap().starts_with("You arrive at "), "{}", again[1]);
}

#[test]
fn a_game_file_that_cannot_be_read_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.tw-pddl");
    let refused = || counsel(&["world", "play", crate::support::path(&file)]).expect_failure();
    assert!(refused().contains("game.tw-pddl"), "{}", refused());
    for (text, reason) in [
        ("{", "the game file is not JSON"),
        ("{}", "no text in the field `pddl_domain`"),
        (
            r#"{"pddl_domain": "(define)", "grammar": "", "pddl_problem": "", "solvable": true}"#,
            "`pddl_domain` is not that of alfworld 0.4.0 to 0.4.2",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        assert!(refused().contains(reason) && refused().contains("game.tw-pddl"), "{}", refused());
    }
}

#[test]
fn mistakes_are_named() {
    let unknown = counsel(&["world", "trace", "BabyAI-GoToObjj-v0", "--seed", "0", "--actions", "0"]).expect_failure();
    assert!(unknown.contains("BabyAI-GoToObjj-v0") && unknown.contains("BabyAI-GoToObj-v0"), "{unknown}");
    let refused = |option: &str, value: &str| {
        let mut arguments = vec!["world", "trace", "BabyAI-GoToObj-v0"];
        for (name, usual) in [("--seed", "0"), ("--max-steps", "9"), ("--actions", "0")] {
            arguments.extend([name, if name == option { value } else { usual }]);
        }
        counsel(&arguments).expect_failure()
    };
    for actions in ["2,9", "-1", "x", "", "0,,1"] {
        let message = refused("--actions", actions);
        assert!(message.contains("actions are numbers from 0 to 6"), "{actions:?}: {message}");
    }
    for (option, value, part) in [
        ("--seed", "-1", "a seed is a number from 0 to"),
        ("--seed", "18446744073709551616", "a seed is a number from 0 to"),
        ("--max-steps", "0", "a number of steps from 1 to"),
        ("--max-steps", "-3", "a number of steps from 1 to"),
    ] {
        let message = refused(option, value);
        assert!(message.contains(part) && message.contains(value), "{option} {value}: {message}");
    }
    for seconds in ["0", "-1", "nan"] {
        let arguments = ["world", "bench", "BabyAI-GoToObj-v0", &format!("--seconds={seconds}")];
        let message = counsel(&arguments).expect_failure();
        assert!(message.contains("pass a few seconds"), "{seconds}: {message}");
    }
}

#[test]
fn a_benchmark_says_steps_per_second() {
    let text = counsel(&["world", "bench", "BabyAI-GoToLocal-v0", "--seconds", "0.05", "--json"]).expect_success();
    let line: Value = serde_json::from_str(&text).unwrap();
    assert!(line["steps_per_second"].as_f64().unwrap() > 0.0, "{line}");
}
