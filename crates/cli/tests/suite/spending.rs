//! What is bought at an endpoint: at prices in the unit that is meant, on a ledger that lasts, each question once, and every answer kept.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::endpoint::{PROMPTS, assert_stopped, folder, good, journalled, record, recorded};
use crate::server::{Received, Server, answer, reply, send};
use crate::support::{command, counsel, files, path};

/// A file of prices, in a folder.
fn prices(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("prices.toml");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn prices_of_another_unit_are_refused_before_anything_is_asked() {
    let (server, out) = (good(), folder());
    for (text, part) in [
        ("[default]\nrequest = 0.00001\nresponse = 0.00001\n", "usd_per_million_input_tokens"),
        (
            "[default]\nusd_per_million_input_tokens = 0.00001\nusd_per_million_output_tokens = 0.00001\n",
            "per token by 1000000",
        ),
    ] {
        let prices = prices(out.path(), text);
        let said = recorded(&server, &out, &["--budget", "50", "--prices", path(&prices), "--money", "0.05"]);
        assert_stopped(&said, &[part]);
    }
    assert_eq!(server.count(), 0);
}

#[test]
fn calls_without_a_price_are_not_free_to_a_money_budget() {
    let (server, out, other) = (good(), folder(), folder());
    let ledger = out.path().join("shared.ledger");
    let prices = prices(out.path(), "[m]\nusd_per_million_input_tokens = 1\nusd_per_million_output_tokens = 1\n");
    let shared = ["--budget", "500", "--ledger", path(&ledger)];
    assert_eq!(recorded(&server, &out, &shared).code, Some(0));
    let money = [&shared[..], &["--prices", path(&prices), "--money", "9"]].concat();
    let said = recorded(&server, &other, &money);
    assert_stopped(&said, &["42 calls that were made without prices", "start another"]);
    assert_eq!(server.count(), PROMPTS, "nothing was asked");
}

#[test]
fn a_budget_without_a_named_ledger_is_kept_beside_what_it_buys_and_said_before_consent() {
    let (server, out) = (good(), folder());
    assert_stopped(&recorded(&server, &out, &["--budget", "3"]), &["39 of 42 prompts", "budget of 3 calls is spent"]);
    let again = recorded(&server, &out, &["--budget", "3"]);
    assert_stopped(&again, &["39 of 42 prompts", "budget of 3 calls is spent"]);
    assert_eq!(server.count(), 3, "the second run has no budget of its own");
    let mut unsaid = record(&server.base_url, out.path(), &["--budget", "9"]);
    unsaid.retain(|word| *word != "--yes");
    let said = counsel(&unsaid);
    let ledger = out.path().join("calls.ledger");
    let counted = format!("Calls are counted in {}, over all runs", ledger.display());
    assert!(said.stderr.contains(&counted) && said.stderr.contains("leaves 6 of 9 calls"), "{}", said.stderr);
    assert_stopped(&said, &["nothing was asked"]);
    assert!(ledger.is_file());
}

#[test]
fn checking_an_endpoint_announces_its_paid_call_and_counts_it() {
    let server = good();
    let folder = folder();
    let ledger = folder.path().join("calls.ledger");
    let check = ["advisor", "check", "--model", "m", "--base-url", &server.base_url];
    let said = counsel(&[&check[..], &["--budget", "9", "--ledger", path(&ledger)]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let announced = said.stderr.find("a paid call, 5 at most with retries").expect(&said.stderr);
    assert!(said.stderr.find("1 of 9 calls are made").expect(&said.stderr) > announced);
    assert_eq!(std::fs::read_to_string(&ledger).unwrap().matches("\"reserved\"").count(), 1);
}

#[test]
fn the_proxy_of_the_environment_is_used_and_named() {
    let proxy = Server::start(|_, stream| send(stream, &reply(502, "", b"")));
    let words = [
        "advisor",
        "ask",
        "--model",
        "m",
        "--prompt",
        "?",
        "--base-url",
        "https://api.example.invalid",
        "--retries",
        "0",
    ];
    let said = command(&words)
        .env("HTTPS_PROXY", &proxy.base_url)
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    let complaint = String::from_utf8(said.stderr).unwrap();
    assert!(complaint.contains("through the proxy 127.0.0.1:"), "{complaint}");
    assert!(proxy.received()[0].head.starts_with("CONNECT api.example.invalid:443 "), "{:?}", proxy.received());
    let said = command(&words)
        .env("HTTPS_PROXY", "socks5://h:1")
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    let complaint = String::from_utf8(said.stderr).unwrap();
    assert!(complaint.contains("HTTPS_PROXY names a proxy of kind socks5"), "{complaint}");
}

#[test]
fn no_model_behind_an_endpoint_is_told_that_it_is_qwen() {
    let (server, out) = (good(), folder());
    assert_eq!(recorded(&server, &out, &["m/hinted/generate", "--budget", "500"]).code, Some(0));
    assert!(server.count() > PROMPTS);
    for received in server.received() {
        assert!(!received.body.contains("Qwen"), "{}", received.body);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_keeps_the_answer_under_way_and_asks_nothing_more() {
    let server = Server::start(|received: &Received, stream: &mut TcpStream| {
        thread::sleep(Duration::from_millis(if received.number == 4 { 1000 } else { 0 }));
        answer(stream, "left")
    });
    let out = folder();
    let mut child = command(&record(&server.base_url, out.path(), &["--budget", "100"]));
    let child = child.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null()).spawn().unwrap();
    while server.count() < 4 {
        thread::yield_now();
    }
    thread::sleep(Duration::from_millis(200));
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("waiting for the answer under way") && said.contains("the same command goes on"), "{said}");
    assert_eq!((server.count(), journalled(out.path())), (4, 4), "what was paid is kept");
}

#[test]
fn a_recording_that_lacks_a_task_is_refused_before_the_first_cell_with_the_command_that_records_it() {
    let (server, out) = (good(), folder());
    assert_eq!(recorded(&server, &out, &["--budget", "42"]).code, Some(0));
    let advisor = ["--advisor", "m/abstract/generate", "--transcripts", path(out.path())];
    let runs = out.path().join("runs");
    let study = ["reproduce", "babyai-deploy", "--seeds", "0..0", "--out", path(&runs)];
    let error = counsel(&[&study[..], &advisor[..]].concat()).expect_failure();
    let command = "counsel advisor record m/abstract/generate --task";
    for part in
        [" prompts of GoToObjDoor", &format!("{command} GoToObjDoor --out {}", out.path().display()), &server.base_url]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!error.contains("prompts of GoToObj;"), "{error}");
    assert!(!files(&runs).keys().any(|name| name.contains("seed-")), "no cell is run");
    let mine = out.path().join("mine.toml");
    let new = counsel(&["study", "new", "babyai-deploy"]).expect_success();
    let names = [
        "qwen2.5-coder-0.5b/abstract/scored",
        "qwen2.5-coder-1.5b/abstract/scored",
        "qwen2.5-coder-1.5b/plain/generate",
        "smollm2-135m/abstract/scored",
    ];
    let new = names.iter().fold(new, |new, name| new.replace(name, "m/abstract/generate"));
    std::fs::write(&mine, new).unwrap();
    let error = counsel(&["study", "check", path(&mine), "--transcripts", path(out.path())]).expect_failure();
    assert!(error.contains(" prompts of GoToObjDoor") && error.contains(command), "{error}");
}
