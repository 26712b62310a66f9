//! The growing form: nothing complete is ever lost, whatever happens to the file.

use std::fs;

use counsel_advisor::{Decoding, Request, Utterance};
use counsel_transcript::{Answers, Damage, Error, Journal, Prompts, RecordedAdvisor, RecordedAnswer, journal_name};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fixture::any::{a_request, an_utterance};
use crate::fixture::{Oracle, advisor, answers, day, identity, request, requests, template};

fn recorded(journal: &mut Journal, numbers: std::ops::Range<usize>) {
    let oracle = Oracle::default();
    let answered = numbers.map(|number| (request(number), oracle.say(&request(number)))).collect();
    journal.append(answered, day()).unwrap();
}

#[test]
fn a_journal_and_its_packed_form_hold_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(journal_name(&advisor()));
    for prompts in [Prompts::Kept, Prompts::Digested] {
        let _ = fs::remove_file(&path);
        let mut journal = Journal::open(&path, &advisor(), prompts).unwrap();
        recorded(&mut journal, 0..30);
        recorded(&mut journal, 20..40);
        let (read, damage) = Journal::read(&path).unwrap();
        assert_eq!(read, answers(40, prompts));
        assert_eq!(damage, Damage::default());
        assert_eq!(Answers::unpack(&read.pack().unwrap()).unwrap(), read);
    }
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 41, "an answer is written once");
    assert!(!text.contains("The target is"), "digested journals hold no prompt text");
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("every line is JSON");
    }
}

#[test]
fn a_cut_at_any_byte_costs_at_most_the_line_it_falls_into() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    recorded(&mut Journal::open(&path, &advisor(), Prompts::Digested).unwrap(), 0..3);
    let whole = fs::read(&path).unwrap();
    // Every place near the end of a line, and some of the others.
    let near = |end: usize| whole[end.saturating_sub(3)..whole.len().min(end + 3)].contains(&b'\n');
    for end in (0..whole.len()).filter(|&end| end % 11 == 0 || near(end)) {
        fs::write(&path, &whole[..end]).unwrap();
        let complete = whole[..end].split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")).count();
        let mut journal = Journal::open(&path, &advisor(), Prompts::Digested).unwrap();
        assert_eq!(journal.answers().len(), complete.saturating_sub(1), "cut at {end}");
        recorded(&mut journal, 0..4);
        let (read, damage) = Journal::read(&path).unwrap();
        assert_eq!(read, answers(4, Prompts::Digested), "cut at {end}");
        // A line that lacks nothing but its end is saved by closing it.
        let torn = end > 0 && whole[end - 1] != b'\n' && whole[end] != b'\n';
        assert_eq!(damage.lines.len(), usize::from(torn), "cut at {end}");
        assert_eq!(damage.tail_bytes, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_journal_holds_answers_of_any_kind_to_the_bit(
        answered in vec(a_request().prop_flat_map(|request| (Just(request.clone()), an_utterance(request.decoding))), 0..8),
        kept in any::<bool>(),
    ) {
        let prompts = if kept { Prompts::Kept } else { Prompts::Digested };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path, &advisor(), prompts).unwrap();
        let mut expected = Answers::of(advisor());
        for (request, utterance) in answered {
            let outcome = journal.append(vec![(request.clone(), utterance.clone())], day());
            prop_assert_eq!(outcome.is_ok(), request.decoding.name() == "scored");
            if outcome.is_ok() {
                let _ = expected.add(RecordedAnswer::new(&request, utterance, day(), prompts).unwrap());
            }
        }
        let (read, damage) = Journal::read(&path).unwrap();
        prop_assert_eq!(read.pack().unwrap(), expected.pack().unwrap());
        prop_assert!(damage.lines.is_empty());
    }

    #[test]
    fn a_changed_byte_costs_at_most_two_lines(at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        recorded(&mut Journal::open(&path, &advisor(), Prompts::Kept).unwrap(), 0..8);
        let mut bytes = fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        let first = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        bytes[at] ^= flip;
        fs::write(&path, &bytes).unwrap();
        match Journal::read(&path) {
            Ok((read, damage)) => {
                prop_assert!(at > first);
                prop_assert!(read.len() >= 6);
                let expected = answers(8, Prompts::Kept);
                for (key, entry) in read.entries() {
                    prop_assert_eq!(expected.under(key), Some(entry));
                }
                prop_assert!(!damage.lines.is_empty() || damage.tail_bytes > 0);
            }
            Err(error) => prop_assert!(at <= first, "{}", error),
        }
    }
}

#[test]
fn the_first_answer_stays_and_a_different_one_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut first = Journal::open(&path, &advisor(), Prompts::Kept).unwrap();
    let mut second = Journal::open(&path, &advisor(), Prompts::Kept).unwrap();
    let (calm, other) = (Oracle::default(), Oracle { mood: 1, ..Oracle::default() });
    first.append(vec![(request(0), calm.say(&request(0)))], day()).unwrap();
    second.append(vec![(request(0), other.say(&request(0))), (request(1), other.say(&request(1)))], day()).unwrap();
    assert_eq!(second.answers().get(&request(0)).unwrap().utterance.scores, calm.say(&request(0)).scores);
    assert_eq!(second.damage().conflicts.len(), 1);
    assert_eq!(second.damage().conflicts[0].prompt, request(0).prompt.digest());
    first.refresh().unwrap();
    assert_eq!(first.answers(), second.answers());
    assert!(first.damage().conflicts.is_empty());
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["dear diary", "dear diary\n", "{}\n{}\n", "\0\0\0\0"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(Journal::open(&path, &advisor(), Prompts::Kept), Err(Error::Foreign { .. })), "{text:?}");
        assert!(matches!(Journal::read(&path), Err(Error::Foreign { .. })), "{text:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let path = folder.path().join("journal.jsonl");
    recorded(&mut Journal::open(&path, &advisor(), Prompts::Kept).unwrap(), 0..2);
    let mut engine = identity();
    engine.engine.push_str(" avx512");
    let other = RecordedAdvisor::new(engine, template(), &requests(1)[0].decoding);
    assert!(matches!(Journal::open(&path, &other, Prompts::Kept), Err(Error::Advisor { .. })));
    assert_ne!(journal_name(&other), journal_name(&advisor()));
}

#[test]
fn a_journal_that_is_cut_while_open_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::open(&path, &advisor(), Prompts::Kept).unwrap();
    recorded(&mut journal, 0..2);
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10).unwrap();
    assert!(matches!(journal.refresh(), Err(Error::Shortened { .. })));
}

#[test]
fn what_has_no_influence_on_an_answer_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let free = |temperature, seed| Decoding::Generate { max_tokens: 4, temperature, seed };
    let advisor = RecordedAdvisor::new(identity(), template(), &free(0.0, 0));
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::open(&path, &advisor, Prompts::Kept).unwrap();
    let asked = |number, decoding| Request { decoding, ..request(number) };
    let said =
        |latency_ms| Utterance { latency_ms: Some(latency_ms), scores: None, ..Oracle::default().say(&request(0)) };
    let answered = vec![(asked(0, free(0.0, 5)), said(1.23)), (asked(1, free(-0.0, 6)), said(1e300))];
    journal.append(answered, day()).unwrap();
    let (answers, damage) = Journal::read(&path).unwrap();
    assert_eq!(damage, Damage::default());
    assert_eq!(answers, *journal.answers());
    assert_eq!(Answers::unpack(&answers.pack().unwrap()).unwrap(), answers);
    assert!(answers.entries().all(|(_, entry)| *entry.decoding == free(0.0, 0)));
}
