//! Any bytes as a user's log in Parquet. The seeds are files of pandas, polars and DuckDB in each codec.
#![no_main]

mod shadow;

use std::panic::PanicHookInfo;
use std::sync::Mutex;

use libfuzzer_sys::fuzz_target;

/// The latest panic. Parquet's reader may panic, which the log's own reader catches: only a panic that gets past it is told.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn remember(panic: &PanicHookInfo<'_>) {
    *PANIC.lock().unwrap() = panic.to_string();
}

fuzz_target!(init: std::panic::set_hook(Box::new(remember)), |bytes: &[u8]| {
    if std::panic::catch_unwind(|| shadow::read("log.parquet", bytes)).is_err() {
        eprintln!("{}", PANIC.lock().unwrap());
        std::process::abort();
    }
});
