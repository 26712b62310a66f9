//! Any bytes as the journal of a server, and a right journal with any bytes behind it: refused, cut, or read.
#![no_main]

use std::path::Path;

use counsel_serve::{Core, Request};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("journal");
    if let Ok((_, whole)) = Core::read(&mut &bytes[..], path) {
        assert!(whole <= bytes.len() as u64);
    }
    let (mut core, mut journal) = Core::begin();
    let policy = Request::new("PUT", "/v1/policies/p", "price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = 3\n");
    journal.extend(core.handle(7, &policy).line.iter().flatten());
    let right = journal.len() as u64;
    journal.extend(bytes);
    if let Ok((again, whole)) = Core::read(&mut &journal[..], path) {
        assert_eq!(whole, right, "checks are digests, which nobody guesses");
        assert_eq!(again.snapshot(), core.snapshot());
    }
});
