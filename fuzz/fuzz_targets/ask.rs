//! Any body of `POST /v1/ask`, and behind a zero byte anything that the model may say: it is answered, paid for once, and no error
//! repeats its texts.
#![no_main]

mod gate;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gate::converse("/v1/ask", bytes));
