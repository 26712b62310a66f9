//! Any body of `POST /v1/chat/completions`, and behind a zero byte anything that the models may say: it is answered, paid for once, and
//! no error repeats its messages.
#![no_main]

mod gate;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gate::converse("/v1/chat/completions", bytes));
