//! Any bytes as a user's log in JSONL.
#![no_main]

mod shadow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shadow::read("log.jsonl", bytes));
