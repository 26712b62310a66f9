//! A reader at work: a folder, what was given to them, and the commands that they type there.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::document::{Step, words};
use super::rules::{Instead, Rule, rule_for};
use crate::server::{Received, Server, reply, send};
use crate::support::{Said, command};

/// The address at which the documents suppose an endpoint.
const ENDPOINT: &str = "http://127.0.0.1:8080";
/// Longer than this no command of a tour may take; the documents promise minutes.
const MOST: Duration = Duration::from_secs(400);

/// Results of one's own, for `counsel stats`.
const RESULTS: &str = "seed,arm,value\n0,never,0.1\n1,never,0.2\n2,never,0.15\n0,mine,0.3\n1,mine,0.5\n2,mine,0.42\n";

pub(crate) struct Reader {
    folder: tempfile::TempDir,
    endpoint: Server,
    /// What the last command said.
    said: String,
    /// The rules that were needed.
    pub(crate) used: Vec<&'static str>,
}

impl Reader {
    /// A reader in a new folder, with results, a model file and an endpoint of their own.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/local/tiny-qwen2.gguf");
        fs::copy(model, folder.path().join("my-model.gguf")).unwrap();
        fs::write(folder.path().join("results.csv"), RESULTS).unwrap();
        let endpoint = Server::start(|request, stream| send(stream, &reply(200, "", &answer(request))));
        Self { folder, endpoint, said: String::new(), used: Vec::new() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Does one step of a page.
    pub(crate) fn follow(&mut self, step: &Step) {
        match step {
            Step::Saves { name, text } => fs::write(self.folder.path().join(name), text).unwrap(),
            Step::Sees(line) => assert!(self.said.contains(line.trim_end()), "{line:?} is not in:\n{}", self.said),
            Step::Types(command) => self.types(command),
        }
    }

    fn types(&mut self, typed: &str) {
        let (wanted, file) = words(typed);
        let rule = rule_for(&wanted);
        self.used.extend(rule.map(|rule| rule.command));
        let run = |command: &str| self.run(&words(command).0, "");
        let said = match rule.map(|Rule { instead, .. }| *instead) {
            None => succeed(typed, self.run(&shortened(wanted.clone()), "")),
            Some(Instead::Run(command)) => succeed(command, run(command)),
            Some(Instead::Typing(keys)) => succeed(typed, self.run(&wanted, keys)),
            Some(Instead::Refused(command, with)) => {
                let error = run(command).expect_failure();
                assert!(error.starts_with("error: ") && error.contains(with), "{command}: {error}");
                String::new()
            }
            Some(Instead::OwnWorld) => {
                let folder = self.path().join(wanted.last().expect("the command names a folder"));
                own_world::run(&folder, 0..2).unwrap();
                own_world::summary(&folder).unwrap()
            }
            Some(Instead::Nothing) => String::new(),
        };
        if let Some(file) = file {
            fs::write(self.path().join(file), &said).unwrap();
        }
        self.said = said;
    }

    /// Runs a command of the program in the reader's folder.
    fn run(&self, words: &[String], keys: &str) -> Said {
        let (program, arguments) = words.split_first().expect("a command has a first word");
        assert_eq!(program, "counsel", "`{}` has no rule: say in rules.rs what is run instead", words.join(" "));
        let arguments: Vec<String> =
            arguments.iter().map(|word| word.replace(ENDPOINT, &self.endpoint.base_url)).collect();
        let here = self.path();
        let (out, err) = (here.join(".said"), here.join(".complained"));
        fs::write(here.join(".keys"), keys).unwrap();
        let mut command = command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        command.current_dir(here).env("HOME", here).env("COUNSEL_MODELS", here.join("models"));
        // No hub can be reached: what needs one is refused.
        command.env("HF_ENDPOINT", "http://127.0.0.1:9").env_remove("OPENAI_API_KEY");
        command.stdin(Stdio::from(File::open(here.join(".keys")).unwrap()));
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        let code = wait(command.spawn().expect("the command starts"), &arguments);
        let read = |path: &Path| fs::read_to_string(path).expect("what is said is UTF-8");
        Said { stdout: read(&out), stderr: read(&err), code }
    }
}

/// Two seeds of a study where the page names none. The slow lane plays all.
fn shortened(mut words: Vec<String>) -> Vec<String> {
    let is_whole = words.get(1).is_some_and(|verb| verb == "reproduce") && !words.iter().any(|word| word == "--seeds");
    if is_whole && !cfg!(feature = "long-tests") {
        words.extend(["--seeds", "0..1"].map(str::to_owned));
    }
    words
}

fn succeed(command: &str, said: Said) -> String {
    assert_eq!(said.code, Some(0), "{command}\n{said:#?}");
    said.stdout
}

fn wait(mut child: Child, arguments: &[String]) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the command can be waited for") {
            return status.code();
        }
        if start.elapsed() > MOST {
            child.kill().expect("the command can be ended");
            panic!("{arguments:?} takes too long; say in rules.rs what is run instead");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What the endpoint of the reader says: it has one model, which calls itself as it is asked for, and answers `left`.
fn answer(request: &Received) -> Vec<u8> {
    if request.head.starts_with("GET") {
        return json!({ "object": "list", "data": [{ "id": "my-model", "object": "model" }] }).to_string().into_bytes();
    }
    let token = json!({ "token": "left", "logprob": -0.1, "top_logprobs": [{ "token": "left", "logprob": -0.1 }] });
    let choice = json!({
        "index": 0,
        "message": { "role": "assistant", "content": "left" },
        "finish_reason": "stop",
        "logprobs": { "content": [token] },
    });
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13 });
    let model = request.json()["model"].clone();
    let body = json!({ "id": "x", "object": "chat.completion", "model": model, "choices": [choice], "usage": usage });
    body.to_string().into_bytes()
}
