//! Replay and record: who answers, and that a replay repeats the recording.

use std::sync::mpsc;

use counsel_advisor::{Decoding, Identity, LanguageModel, Outage, Request, Utterance};
use counsel_transcript::{
    AnsweredBy, Answers, AttributedAnswer, Journal, Prompts, Shelf, Transcript, compare, packed_name,
};

use crate::fixture::{Oracle, advisor, answers, day, identity, request, requests};

fn sources(told: &[Result<AttributedAnswer, Outage>]) -> Vec<Option<AnsweredBy>> {
    told.iter().map(|told| told.as_ref().ok().map(|told| told.source)).collect()
}

fn utterances(told: Vec<Result<AttributedAnswer, Outage>>) -> Vec<Result<Utterance, Outage>> {
    told.into_iter().map(|told| told.map(|told| told.utterance)).collect()
}

#[test]
fn a_replay_tells_what_the_recording_run_was_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let (oracle, all) = (Oracle::default(), requests(6));
    let asked = [&all[..4], &all[2..6], &all[..6], &[all[0].clone(), all[0].clone()]].concat();
    let journal = Journal::open(&path, &advisor(), Prompts::Kept).unwrap();
    let mut recording = Transcript::record(journal, Box::new(oracle.clone()), day()).unwrap();
    let told = recording.told(&asked);
    assert_eq!(oracle.calls(), 6, "every prompt is asked once");
    let live = |at: usize| Some(if at < 4 || (6..8).contains(&at) { AnsweredBy::Live } else { AnsweredBy::Replayed });
    assert_eq!(sources(&told), (0..asked.len()).map(live).collect::<Vec<_>>());
    assert!(sources(&recording.told(&asked)).iter().all(|source| *source == Some(AnsweredBy::Replayed)));

    let (read, _) = Journal::read(&path).unwrap();
    let packed = Answers::unpack(&read.pack().unwrap()).unwrap();
    let mut replay = Transcript::replay(packed);
    assert_eq!(replay.identity(), &identity());
    assert_eq!(replay.answer(&asked), utterances(told));
    assert_eq!(oracle.calls(), 6);
}

#[test]
fn a_replay_refuses_up_front_and_says_what_to_record() {
    let recorded = answers(3, Prompts::Digested);
    assert!(recorded.require(&requests(3)).is_ok());
    let asked = [requests(5), requests(5)].concat();
    let missing = recorded.missing(&asked);
    assert_eq!(
        missing.iter().map(|missing| missing.prompt).collect::<Vec<_>>(),
        [3, 4].map(|at| request(at).prompt.digest())
    );
    insta::assert_snapshot!(recorded.require(&asked).unwrap_err());
    let told = Transcript::replay(recorded.clone()).told(&asked[..5]);
    assert_eq!(sources(&told)[2..4], [Some(AnsweredBy::Replayed), None]);
    insta::assert_snapshot!(told[3].as_ref().unwrap_err());
    let other = Request { decoding: Decoding::scored(["left", "right"]), ..request(0) };
    assert_eq!(recorded.missing(&[other]).len(), 1, "another word set is another question");
}

#[test]
fn outages_are_passed_on_and_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let tired = Oracle { outage: Some(request(1).prompt.digest()), ..Oracle::default() };
    let open = || Journal::open(&path, &advisor(), Prompts::Kept).unwrap();
    let mut recording = Transcript::record(open(), Box::new(tired), day()).unwrap();
    let told = recording.told(&requests(3));
    assert_eq!(sources(&told), [Some(AnsweredBy::Live), None, Some(AnsweredBy::Live)]);
    assert_eq!(told[1], Err(Outage::new("too tired")));
    let rested = Oracle::default();
    let mut recording = Transcript::record(open(), Box::new(rested.clone()), day()).unwrap();
    assert_eq!(
        sources(&recording.told(&requests(3))),
        [Some(AnsweredBy::Replayed), Some(AnsweredBy::Live), Some(AnsweredBy::Replayed)]
    );
    assert_eq!(rested.calls(), 1);
}

#[test]
fn what_is_packed_is_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(folder.path().join("journal.jsonl"), &advisor(), Prompts::Kept).unwrap();
    let oracle = Oracle::default();
    let base = answers(4, Prompts::Digested);
    let mut recording = Transcript::record_beside(base.clone(), journal, Box::new(oracle.clone()), day()).unwrap();
    recording.told(&requests(6));
    assert_eq!(oracle.calls(), 2);
    let mut merged = base;
    assert_eq!(merged.merge(recording.journal().unwrap().answers()).unwrap(), []);
    assert!(merged.require(&requests(6)).is_ok());
}

#[test]
fn a_score_that_is_no_number_is_an_outage_of_its_own_request_only() {
    struct Broken(Oracle);
    impl LanguageModel for Broken {
        fn identity(&self) -> &counsel_advisor::Identity {
            self.0.identity()
        }
        fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
            let mut answers = self.0.answer(requests);
            if let Some(Ok(first)) = answers.first_mut() {
                first.scores.as_mut().unwrap()[0].probability = f64::NAN;
            }
            answers
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(folder.path().join("journal.jsonl"), &advisor(), Prompts::Kept).unwrap();
    let mut recording = Transcript::record(journal, Box::new(Broken(Oracle::default())), day()).unwrap();
    let told = recording.told(&requests(2));
    assert_eq!(sources(&told), [None, Some(AnsweredBy::Live)]);
    insta::assert_snapshot!(told[0].as_ref().unwrap_err());
}

#[test]
fn a_recording_of_scores_takes_no_free_answers() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(folder.path().join("journal.jsonl"), &advisor(), Prompts::Kept).unwrap();
    let oracle = Oracle::default();
    let mut recording = Transcript::record(journal, Box::new(oracle.clone()), day()).unwrap();
    let free = Request { decoding: Decoding::greedy(4), ..request(0) };
    let told = recording.told(&[free, request(0)]);
    assert_eq!(sources(&told), [None, Some(AnsweredBy::Live)]);
    assert_eq!(oracle.calls(), 1, "what cannot be kept is not asked");
    insta::assert_snapshot!(told[0].as_ref().unwrap_err());
}

#[test]
fn a_live_run_is_compared_with_its_transcript() {
    let recorded = answers(200, Prompts::Kept);
    let sample = recorded.sample(50);
    let mut same = Oracle::default();
    let comparison = compare(&mut same, &recorded, &sample);
    assert_eq!((comparison.equal, comparison.differences.len()), (50, 0));

    let mut other = Oracle { mood: 1, ..Oracle::default() };
    let comparison = compare(&mut other, &recorded, &[sample, requests(201)[200..].to_vec()].concat());
    assert_eq!(comparison.differences.len() + comparison.equal, 50);
    assert!(comparison.equal < 5);
    assert_eq!(comparison.unrecorded, [request(200).prompt.digest()]);
}

#[test]
fn a_model_that_is_not_the_recorded_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(folder.path().join("journal.jsonl"), &advisor(), Prompts::Kept).unwrap();
    let mut engine = identity();
    engine.engine = "test 2".into();
    let other = Oracle { identity: engine, ..Oracle::default() };
    insta::assert_snapshot!(Transcript::record(journal, Box::new(other), day()).unwrap_err());
}

#[test]
fn a_shelf_finds_transcripts_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::at(folder.path());
    let name = advisor().name();
    let say = |error: counsel_transcript::Error| error.to_string().replace(&folder.path().display().to_string(), "DIR");
    insta::assert_snapshot!("nothing_there", say(shelf.open(&name).unwrap_err()));
    answers(3, Prompts::Kept).save(folder.path().join(packed_name(&name))).unwrap();
    assert_eq!(shelf.open(&name).unwrap(), answers(3, Prompts::Kept));
    assert_eq!(shelf.names(), std::slice::from_ref(&name));
    insta::assert_snapshot!("near", say(shelf.open(&"owner/small/abstrakt/scored".parse().unwrap()).unwrap_err()));
    let misplaced = "owner/large/abstract/scored".parse().unwrap();
    answers(3, Prompts::Kept).save(folder.path().join(packed_name(&misplaced))).unwrap();
    insta::assert_snapshot!("misplaced", say(shelf.open(&misplaced).unwrap_err()));
    let path = folder.path().join(packed_name(&name));
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    insta::assert_snapshot!("damaged", say(shelf.open(&name).unwrap_err()));
    std::fs::write(&path, "").unwrap();
    insta::assert_snapshot!("empty", say(shelf.open(&name).unwrap_err()));
    Answers::of(advisor()).save(&path).unwrap();
    insta::assert_snapshot!("empty", say(shelf.open(&name).unwrap_err()));
    assert!(!packed_name(&"../../etc/plain/scored".parse().unwrap()).to_str().unwrap().contains("../"));
}

/// Answers when it may, and says when it is asked.
struct Slow {
    oracle: Oracle,
    asked: mpsc::Sender<()>,
    may_answer: mpsc::Receiver<()>,
}

impl LanguageModel for Slow {
    fn identity(&self) -> &Identity {
        self.oracle.identity()
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        self.asked.send(()).unwrap();
        self.may_answer.recv().unwrap();
        self.oracle.answer(requests)
    }
}

#[test]
fn a_question_that_is_under_way_elsewhere_is_waited_for_and_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let open = |model: Box<dyn LanguageModel + Send>| {
        Transcript::record(Journal::open(&path, &advisor(), Prompts::Kept).unwrap(), model, day()).unwrap()
    };
    let (first, second) = (Oracle::default(), Oracle::default());
    let ((asked, was_asked), (answer, may_answer)) = (mpsc::channel(), mpsc::channel());
    let mut slow = open(Box::new(Slow { oracle: first.clone(), asked, may_answer }));
    let mut quick = open(Box::new(second.clone()));
    std::thread::scope(|scope| {
        let slow = scope.spawn(move || slow.told(&requests(3)));
        was_asked.recv().unwrap();
        let quick = scope.spawn(move || quick.told(&requests(5)));
        // The other has asked what is left to it, and waits for the rest.
        while second.calls() < 2 {
            std::thread::yield_now();
        }
        answer.send(()).unwrap();
        let (slow, quick) = (slow.join().unwrap(), quick.join().unwrap());
        assert_eq!((first.calls(), second.calls()), (3, 2), "five questions, five calls");
        assert!(sources(&slow).iter().all(|source| *source == Some(AnsweredBy::Live)));
        let mixed = [[AnsweredBy::Replayed; 3].as_slice(), &[AnsweredBy::Live; 2]].concat();
        assert_eq!(sources(&quick), mixed.into_iter().map(Some).collect::<Vec<_>>());
    });
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "no claim is left behind: {left:?}");
}
