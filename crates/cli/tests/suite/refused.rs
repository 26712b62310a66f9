//! What the verbs of an endpoint refuse before anything is sent: impossible numbers, and keys that would be betrayed.

use crate::server::{Server, answer};
use crate::support::{command, counsel};

const KEY: &str = "sk-test-4f9a77c1d2e3b4a5";

fn ask<'a>(base_url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments =
        vec!["advisor", "ask", "--model", "m", "--prompt", "?", "--base-url", base_url, "--retries", "0"];
    arguments.extend(more);
    arguments
}

#[test]
fn impossible_numbers_are_refused_with_one_clear_message() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    for (more, message) in [
        (["--temperature", "-1"], "--temperature is -1; pass a number between 0 and 100"),
        (["--temperature", "nan"], "--temperature is NaN; pass a number between 0 and 100"),
        (["--temperature", "inf"], "--temperature is inf; pass a number between 0 and 100"),
        (["--max-tokens", "0"], "--max-tokens is 0; pass 1 or more"),
        (["--time-out", "-1"], "--time-out is -1; pass seconds between 0.001 and 86400"),
        (["--time-out", "nan"], "--time-out is NaN; pass seconds"),
        (["--deadline", "0"], "--deadline is 0; pass seconds"),
        (["--deadline", "1e9"], "--deadline is 1000000000; pass seconds"),
    ] {
        let said = counsel(&ask(&server.base_url, &more));
        assert_eq!(said.code, Some(1), "{more:?}: {said:#?}");
        assert!(said.stderr.starts_with(&format!("error: {message}")), "{more:?}: {}", said.stderr);
        assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
    }
    let verify = counsel(&["advisor", "verify", "qwen2.5-coder-0.5b/abstract/scored", "--sample", "0"]);
    assert_eq!(verify.stderr, "error: --sample is 0; pass 1 or more\n");
    for (more, named) in
        [(["--budget", "-1"], "--budget"), (["--money", "-1"], "--money"), (["--stop-after", "0"], "--stop-after")]
    {
        let said = counsel(&[&ask(&server.base_url, &more)[..], &["--prices", "p"]].concat());
        assert!(said.code != Some(0) && said.stderr.contains(named), "{more:?}: {}", said.stderr);
        assert!(!said.stderr.contains("unexpected argument"), "{}", said.stderr);
    }
    assert_eq!(server.count(), 0);
}

/// Runs with the key in this variable.
fn with_key(arguments: &[&str], variable: &str) -> (Option<i32>, String) {
    let output = command(arguments).env(variable, KEY).output().unwrap();
    let all = [output.stdout, output.stderr].concat();
    let all = String::from_utf8(all).unwrap();
    assert!(!all.contains(&KEY[..8]), "{all}");
    (output.status.code(), all)
}

#[test]
fn a_key_over_plain_http_to_another_host_is_refused_unless_a_flag_says_so() {
    for variable in ["OPENAI_API_KEY", "MY_KEY"] {
        let named: &[&str] = if variable == "MY_KEY" { &["--key-env", "MY_KEY"] } else { &[] };
        // A host that does not exist: nothing is sent even if nothing refuses.
        let asked = ask("http://no-such-host.invalid:8080", named);
        let (code, message) = with_key(&asked, variable);
        assert_eq!(code, Some(1), "{message}");
        for part in ["no-such-host.invalid", "in clear", "--key-over-http"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        let (_, message) = with_key(&[&asked[..], &["--key-over-http"]].concat(), variable);
        assert!(message.contains("has no address"), "it is tried: {message}");
    }
}

#[test]
fn a_key_goes_to_this_machine_over_plain_http() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let (code, said) = with_key(&ask(&server.base_url, &["--key-env", "MY_KEY"]), "MY_KEY");
    assert_eq!((code, said.as_str()), (Some(0), "left\n"));
    assert!(server.received()[0].head.contains(KEY), "the server has it");
}

#[test]
fn a_named_variable_without_a_key_is_an_error_that_names_it() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let asked = ask(&server.base_url, &["--key-env", "NO_SUCH_KEY"]);
    for value in [None, Some("")] {
        let mut command = command(&asked);
        command.env_remove("NO_SUCH_KEY");
        command.envs(value.map(|value| ("NO_SUCH_KEY", value)));
        let output = command.output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("--key-env names the variable NO_SUCH_KEY, which is not set or empty"), "{message}");
    }
    assert_eq!(server.count(), 0);
    // Nobody named the default, so nobody needs it.
    let plain = command(&ask(&server.base_url, &[])).env_remove("OPENAI_API_KEY").output().unwrap();
    assert!(plain.status.success(), "{plain:?}");
}
