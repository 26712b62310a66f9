//! Any bytes as a packed transcript or a journal: refused with a reason, or read and packed again as the same answers.
//!
//! Seals, checks and keys are digests, which no fuzzer guesses. The first byte says whether they are put in here: `p` for a
//! heading and the rows of a packed file, `j` for the lines of a journal, and anything else for bytes as they are.
#![no_main]

use std::path::Path;

use counsel_advisor::{Digest, Request};
use counsel_transcript::{RecordedAdvisor, Answers, Journal};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

const TITLE: &str = "counsel transcript 1\n";

/// A packed file with this heading, rows as long as it says, and a seal that fits.
fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (heading, rows) = (&bytes[..end], &bytes[end + 1..]);
    let mut heading: Value = serde_json::from_slice(heading).ok()?;
    *heading.get_mut("bytes")? = json!(rows.len());
    let heading = heading.to_string();
    let body = zstd::bulk::compress(rows, 1).ok()?;
    let seal = Digest::of_parts(&[TITLE.as_bytes(), heading.as_bytes(), &body]);
    Some([TITLE.as_bytes(), heading.as_bytes(), b"\n", seal.to_string().as_bytes(), b"\n", &body].concat())
}

/// A journal of these lines, each with its check, and each answer under its key.
fn checked(bytes: &[u8]) -> Vec<u8> {
    let mut advisor: Option<RecordedAdvisor> = None;
    let mut journal = Vec::new();
    for line in bytes.split(|&byte| byte == b'\n') {
        let Ok(mut content) = serde_json::from_slice::<Value>(line) else { continue };
        if let Some(found) = content.pointer("/advisor/advisor") {
            advisor = serde_json::from_value(found.clone()).ok().or(advisor);
        }
        let request = json!({ "prompt": content.pointer("/answer/asked/prompt"), "decoding": content.pointer("/answer/decoding") });
        let request = serde_json::from_value::<Request>(request).ok();
        let key = advisor.as_ref().zip(request).map(|(advisor, request)| advisor.key(&request));
        if let (Some(key), Some(place)) = (key, content.pointer_mut("/answer/key")) {
            *place = json!(key.to_string());
        }
        let content = content.to_string();
        let check = Digest::of(content.as_bytes()).to_string();
        journal.extend(format!("{{\"check\":\"{}\",\"is\":{content}}}\n", &check[..16]).into_bytes());
    }
    journal
}

/// What was accepted, packed and unpacked, is the same; and so are the bytes.
fn assert_packs(answers: &Answers) {
    let bytes = answers.pack().unwrap();
    let again = Answers::unpack(&bytes).unwrap();
    assert_eq!(again, *answers);
    assert_eq!(again.pack().unwrap(), bytes);
}

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("a.transcript");
    let (bytes, journal) = match bytes {
        [b'p', rest @ ..] => (packed(rest), None),
        [b'j', rest @ ..] => (None, Some(checked(rest))),
        _ => (Some(bytes.to_vec()), Some(bytes.to_vec())),
    };
    if let Some(Ok(answers)) = bytes.map(|bytes| Answers::unpack(&bytes)) {
        assert_packs(&answers);
        let _ = answers.sample(3);
    }
    if let Some(Ok((answers, _))) = journal.map(|bytes| Journal::parse(&bytes, path)) {
        assert_packs(&answers);
    }
});
