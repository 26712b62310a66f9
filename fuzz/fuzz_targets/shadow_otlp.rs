//! Any bytes as a trace in OTLP/JSON, whatever its file is called.
#![no_main]

mod shadow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    shadow::read("trace.json", bytes);
    shadow::read("trace.jsonl", bytes);
});
