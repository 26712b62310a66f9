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
    assert!(shown.contains("`z` is no action; l r f p d t x, ?, n or q"), "{shown}");
    let keys =
        "keys: l left, r right, f forward, p pickup, d drop, t toggle, x done, ? ask (0.005), n next episode, q quit";
    assert_eq!(shown.matches(keys).count(), 2, "under every picture: {shown}");
    assert!(shown.starts_with("Type letters and press Enter"), "{shown}");
}

/// Whoever follows the advisor gets there; what that cost is said.
#[test]
fn a_player_asks_and_is_told_what_it_costs() {
    for (level, seed) in [("BabyAI-GoToLocal-v0", "0"), ("alfworld", "3")] {
        let mut typed = String::new();
        let mut calls = 0;
        loop {
            typed += "?\n";
            calls += 1;
            let arguments = ["world", "play", level, "--seed", seed, "--price", "0.02"];
            let shown = crate::support::counsel_typing(&arguments, &format!("{typed}q\n"));
            let said = shown.rsplit("the advisor says: ").next().unwrap();
            let (advice, rest) = said.split_once(". That costs 0.02; so far ").unwrap();
            let times = if calls == 1 { "1 call for 0.02".to_owned() } else { format!("{calls} calls for ") };
            assert!(rest.starts_with(&times), "{level}: {rest}");
            let keys = shown.lines().find_map(|line| line.strip_prefix("keys: "));
            let key = |name: &str| {
                let control = keys?.split(", ").find(|control| control[2..] == *name)?;
                Some(control[..1].to_owned())
            };
            typed += &key(advice).unwrap_or_else(|| advice.to_owned());
            typed.push('\n');
            let shown = crate::support::counsel_typing(&arguments, &format!("{typed}q\n"));
            if let Some((_, end)) = shown.split_once("done, with reward ") {
                let cost = f64::from(calls) * 0.02;
                let reward: f64 = end.split(';').next().unwrap().parse().unwrap();
                let net: f64 = end.split("; ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
                assert!((reward - cost - net).abs() < 0.001, "{level}: {end}");
                break;
            }
            assert!(calls < 60, "{level}: {shown}");
        }
    }
    let refused = counsel(&["world", "play", "BabyAI-GoToObj-v0", "--price=-1"]).expect_failure();
    assert!(refused.contains("pass a price of 0 or more"), "{refused}");
}

/// Two balls of which one is grey and one is green are two different tiles; from a pipe there are no colours.
#[test]
fn grey_and_green_are_told_apart() {
    let shown = crate::support::counsel_typing(&["world", "play", "BabyAI-GoToLocal-v0", "--seed", "0"], "q\n");
    assert!(shown.contains("go to the green ball") && !shown.contains('\u{1b}'), "{shown}");
    assert!(shown.to_uppercase().contains("OG") && shown.to_uppercase().contains("OE"), "{shown}");
}

/// At a terminal a key acts at once, in colour. `script` of util-linux is the terminal; where it is missing, nothing is tested.
#[test]
fn at_a_terminal_one_key_is_enough() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let Ok(mut terminal) = Command::new("script")
        .args([
            "-qec",
            &format!("{} world play BabyAI-GoToObj-v0 --seed 7", env!("CARGO_BIN_EXE_counsel")),
            "/dev/null",
        ])
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    else {
        return;
    };
    // No line ends: two steps, a question, and the end.
    let mut keyboard = terminal.stdin.take().unwrap();
    for key in ["f", "l", "?", "q"] {
        keyboard.write_all(key.as_bytes()).unwrap();
        keyboard.flush().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    let said = terminal.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&said.stdout);
    assert!(shown.contains("Press a key.") && shown.contains("(step 2 of 64)"), "{shown}");
    assert!(shown.contains("\u{1b}[") && shown.contains("the advisor says: "), "{shown}");
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
