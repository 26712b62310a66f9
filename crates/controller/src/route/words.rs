//! Words as numbers, stated so that any language can do it.
//!
//! Lower-case the ASCII letters. A token is a maximal run of a-z, a maximal run of 0-9, or one other printable ASCII character
//! (33 to 126); everything else separates. The bucket of a token is FNV-1a 64 of its bytes, modulo the number of buckets. With
//! a power of two, `bucket mod 2^j` is the bucket in a smaller table.

use std::collections::BTreeMap;

/// FNV-1a, 64 bits.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The kind of a character; a token is a run of letters, a run of digits, or one sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Sign,
    Separator,
}

fn kind(byte: u8) -> Kind {
    match byte {
        b'a'..=b'z' => Kind::Letter,
        b'0'..=b'9' => Kind::Digit,
        33..=126 => Kind::Sign,
        _ => Kind::Separator,
    }
}

/// How often each bucket occurs in a text, in ascending order.
///
/// ```
/// use counsel_controller::route::counted_words;
///
/// assert_eq!(counted_words("The, the", 4096).iter().map(|(_, count)| count).sum::<u32>(), 3);
/// assert!(counted_words("the", 4096) == [(1404, 1)] && counted_words("GPT", 4096) == [(2338, 1)]);
/// ```
pub fn counted_words(text: &str, buckets: u32) -> Vec<(u32, u32)> {
    let lower = text.to_ascii_lowercase();
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    let mut count = |token: &[u8]| {
        let bucket = fnv1a(token) % u64::from(buckets.max(1));
        // The remainder is below a number of 32 bits.
        *counts.entry(u32::try_from(bucket).unwrap_or(0)).or_default() += 1;
    };
    let runs = lower.as_bytes().chunk_by(|one, next| {
        let (one, next) = (kind(*one), kind(*next));
        one == next && one != Kind::Sign
    });
    runs.filter(|run| kind(run[0]) != Kind::Separator).for_each(&mut count);
    counts.into_iter().collect()
}
