//! Several processes append to one journal, and some of them are killed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use counsel_transcript::{AnsweredBy, Journal, Prompts, Transcript};

use crate::fixture::{Oracle, advisor, day, requests};

const PROMPTS: usize = 120;

/// The part that runs in a process of its own: records every prompt in batches, and says what it has recorded.
#[test]
#[ignore = "started by the other tests of this file, which write to its standard input"]
fn writer() {
    let mut input = std::io::stdin().lock().lines().map(Result::unwrap);
    let (Some(path), Some(mood), Some(batch)) = (input.next(), input.next(), input.next()) else { return };
    let oracle = Oracle { mood: mood.parse().unwrap(), ..Oracle::default() };
    let journal = Journal::open(path, &advisor(), Prompts::Kept).unwrap();
    let mut recording = Transcript::record(journal, Box::new(oracle), day()).unwrap();
    println!("begun");
    for batch in requests(PROMPTS).chunks(batch.parse().unwrap()) {
        for (request, told) in batch.iter().zip(recording.told(batch)) {
            if told.unwrap().source == AnsweredBy::Live {
                println!("recorded {}", request.prompt.digest());
            }
        }
    }
}

fn start(path: &Path, mood: u8, batch: usize) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["processes::writer", "--exact", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{}\n{mood}\n{batch}", path.display()).unwrap();
    child
}

#[test]
fn processes_that_disagree_leave_one_answer_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let children: Vec<Child> = [(0, 1), (1, 3), (2, 7), (0, 40)].map(|(mood, batch)| start(&path, mood, batch)).into();
    for mut child in children {
        // Nobody reads what it says; a closed pipe would stop it.
        let said = BufReader::new(child.stdout.take().unwrap());
        said.lines().for_each(drop);
        assert!(child.wait().unwrap().success());
    }
    let (answers, damage) = Journal::read(&path).unwrap();
    assert_eq!(damage, counsel_transcript::Damage::default(), "the first answer is the only one in the file");
    assert!(answers.require(&requests(PROMPTS)).is_ok());
    let moods = [0, 1, 2].map(|mood| Oracle { mood, ..Oracle::default() });
    for request in requests(PROMPTS) {
        let scores = &answers.get(&request).unwrap().utterance.scores;
        assert!(moods.iter().any(|oracle| oracle.say(&request).scores == *scores));
    }
}

#[test]
fn what_a_killed_process_reported_is_there() {
    let folder = tempfile::tempdir().unwrap();
    for killed_after in [1, 5, 20, 50] {
        let path = folder.path().join(format!("journal-{killed_after}.jsonl"));
        let mut bystander = start(&path, 0, 2);
        let mut child = start(&path, 0, 1);
        let mut reported = Vec::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            if let Some(digest) = line.unwrap().strip_prefix("recorded ") {
                reported.push(digest.parse().unwrap());
            }
            if reported.len() >= killed_after {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        BufReader::new(bystander.stdout.take().unwrap()).lines().for_each(drop);
        assert!(bystander.wait().unwrap().success(), "the lock of a dead process holds nobody up");
        let (answers, damage) = Journal::read(&path).unwrap();
        let held: Vec<_> = answers.entries().map(|(_, entry)| entry.asked.digest()).collect();
        assert!(reported.iter().all(|digest| held.contains(digest)));
        assert!(damage.conflicts.is_empty() && damage.tail_bytes == 0);
        assert!(answers.require(&requests(PROMPTS)).is_ok());
    }
}
