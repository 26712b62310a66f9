//! Any text as a file of prices: refused with a reason in one line, or every price in it is one that somebody may charge, and a cost is
//! never rounded down.
#![no_main]

use std::path::Path;

use counsel_endpoint::{Prices, Tokens};
use libfuzzer_sys::fuzz_target;

/// The cheapest and the dearest million of tokens, in billionths.
const PLAUSIBLE: std::ops::RangeInclusive<u64> = 1_000_000..=1_000_000_000_000_000;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let prices = match Prices::parse(text, Path::new("prices.toml")) {
        Ok(prices) => prices,
        Err(refusal) => {
            assert!(!refusal.to_string().contains('\n'), "{refusal:?}");
            return;
        }
    };
    for model in ["m", "default", "other"] {
        let Ok(price) = prices.of(model) else { continue };
        assert!(price.currency.len() == 3 && price.currency.bytes().all(|letter| letter.is_ascii_uppercase()));
        for money in [price.request, price.response] {
            assert!(money.nano() == 0 || PLAUSIBLE.contains(&money.nano()), "{money}");
        }
        let (request, response) = (u64::from(bytes.len() as u32), 1 + bytes.len() as u64 % 7);
        let cost = u128::from(price.of(Tokens { request, response }).nano()) * 1_000_000;
        let exact = u128::from(price.request.nano()) * u128::from(request)
            + u128::from(price.response.nano()) * u128::from(response);
        assert!(cost >= exact && cost < exact + 1_000_000);
    }
});
