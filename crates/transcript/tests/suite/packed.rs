//! The packed form: exact, deterministic, sealed.

use counsel_transcript::{Answers, Date, Prompts, RecordedAnswer};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fixture::any::{a_request, an_utterance};
use crate::fixture::{advisor, answers, request};

fn an_entry() -> impl Strategy<Value = RecordedAnswer> {
    let date = (0..=9999_u16, 1..=12_u8, 1..=28_u8).prop_map(|(year, month, day)| Date::new(year, month, day).unwrap());
    let prompts = prop_oneof![Just(Prompts::Kept), Just(Prompts::Digested)];
    a_request()
        .prop_flat_map(|request| (Just(request.clone()), an_utterance(request.decoding)))
        .prop_flat_map(move |pair| (Just(pair), date.clone(), prompts.clone()))
        .prop_map(|((request, utterance), date, prompts)| {
            RecordedAnswer::new(&request, utterance, date, prompts).unwrap()
        })
}

fn bits(answers: &Answers) -> Vec<String> {
    answers
        .entries()
        .map(|(key, entry)| {
            let scores = entry.utterance.scores.iter().flatten().map(|score| score.probability.to_bits());
            format!("{key} {entry:?} {:?}", scores.collect::<Vec<_>>())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn what_is_packed_is_unpacked_to_the_bit(entries in vec(an_entry(), 0..12)) {
        let mut answers = Answers::of(advisor());
        for entry in &entries {
            let _ = answers.add(entry.clone());
        }
        let packed = answers.pack().unwrap();
        let unpacked = Answers::unpack(&packed).unwrap();
        prop_assert_eq!(bits(&unpacked), bits(&answers));
        prop_assert_eq!(unpacked.pack().unwrap(), packed);
    }

    #[test]
    fn the_order_of_recording_leaves_no_trace(entries in vec(an_entry(), 0..12), seed in any::<u64>()) {
        let mut forward = Answers::of(advisor());
        let mut kept = Vec::new();
        for entry in entries {
            if forward.len() < { let _ = forward.add(entry.clone()); forward.len() } {
                kept.push(entry);
            }
        }
        if !kept.is_empty() {
            let turn = usize::try_from(seed).unwrap_or_default() % kept.len();
            kept.rotate_left(turn);
        }
        let mut other = Answers::of(advisor());
        for entry in kept {
            let _ = other.add(entry);
        }
        prop_assert_eq!(other.len(), forward.len());
        prop_assert_eq!(other.pack().unwrap(), forward.pack().unwrap());
    }

    #[test]
    fn any_changed_byte_is_noticed(at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let mut packed = answers(20, Prompts::Kept).pack().unwrap();
        let at = at.index(packed.len());
        packed[at] ^= flip;
        prop_assert!(Answers::unpack(&packed).is_err());
    }

    #[test]
    fn bytes_of_any_kind_are_refused_without_panic(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(Answers::unpack(&bytes).is_err());
        let titled = [b"counsel transcript 1\n".as_slice(), &bytes].concat();
        prop_assert!(Answers::unpack(&titled).is_err());
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let packed = answers(10, Prompts::Digested).pack().unwrap();
    for end in 0..packed.len() {
        assert!(Answers::unpack(&packed[..end]).is_err(), "cut at {end}");
    }
    let longer = [packed.as_slice(), b"\0"].concat();
    assert!(Answers::unpack(&longer).is_err());
}

/// A heading and rows that were tampered with and sealed again must not crash the reader either.
#[test]
fn a_resealed_forgery_never_panics() {
    use counsel_advisor::Digest;
    let packed = answers(3, Prompts::Kept).pack().unwrap();
    let mut lines = packed.splitn(4, |&byte| byte == b'\n');
    let (title, heading, _, body) =
        (lines.next().unwrap(), lines.next().unwrap(), lines.next().unwrap(), lines.next().unwrap());
    let rows = zstd::bulk::decompress(body, 1 << 20).unwrap();
    let seal_and_read = |heading: &[u8], rows: &[u8]| {
        let body = zstd::bulk::compress(rows, 1).unwrap();
        let seal = Digest::of_parts(&[&[title, b"\n"].concat(), heading, &body]).to_string();
        Answers::unpack(&[title, b"\n", heading, b"\n", seal.as_bytes(), b"\n", &body].concat())
    };
    assert!(seal_and_read(heading, &rows).is_ok(), "the forger knows the form");
    let mut refused = 0;
    for at in 0..rows.len() {
        for flip in [1, 0x80, 0xff] {
            let mut rows = rows.clone();
            rows[at] ^= flip;
            refused += usize::from(seal_and_read(heading, &rows).is_err());
        }
    }
    assert!(refused > 0);
    let text = std::str::from_utf8(heading).unwrap();
    for (from, to) in [
        ("\"count\":3", "\"count\":18446744073709551615"),
        ("\"count\":3", "\"count\":2"),
        ("\"bytes\":", "\"bytes\":9"),
    ] {
        assert!(seal_and_read(text.replace(from, to).as_bytes(), &rows).is_err(), "{to}");
    }
}

#[test]
fn a_file_of_format_1_is_read_and_written_as_ever() {
    let golden = include_bytes!("fixture/five.transcript");
    assert_eq!(
        Answers::unpack(golden).unwrap(),
        answers(5, Prompts::Kept),
        "a committed transcript must stay readable"
    );
    assert!(
        answers(5, Prompts::Kept).pack().unwrap() == golden,
        "the packed form changed: if that is meant, write fixture/five.transcript anew with `Answers::save`, and pack the \
         transcripts of the repository again"
    );
}

#[test]
fn digested_transcripts_hold_no_prompt_text_and_answer_all_the_same() {
    let (kept, digested) = (answers(50, Prompts::Kept), answers(50, Prompts::Digested));
    assert_eq!(kept.clone().digested(), digested);
    for number in 0..50 {
        let request = request(number);
        assert_eq!(kept.get(&request).unwrap().utterance, digested.get(&request).unwrap().utterance);
    }
    assert!(digested.sample(10).is_empty());
    assert_eq!(kept.sample(10).len(), 10);
    assert_eq!(kept.sample(1000).len(), 50);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/file.transcript");
    digested.save(&path).unwrap();
    assert_eq!(Answers::load(&path).unwrap(), digested);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing but the file is left");
}

#[cfg(unix)]
#[test]
fn saving_follows_no_link_in_the_place_of_its_neighbour() {
    let folder = tempfile::tempdir().unwrap();
    let (path, victim) = (folder.path().join("a.transcript"), folder.path().join("victim.txt"));
    std::fs::write(&victim, "mine").unwrap();
    let part = folder.path().join(format!("a.transcript.{}.part", std::process::id()));
    std::os::unix::fs::symlink(&victim, &part).unwrap();
    answers(3, Prompts::Kept).save(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
    assert!(path.symlink_metadata().unwrap().is_file() && Answers::load(&path).is_ok());
}
