//! Places in traces: a `traceparent` is continued, and what has none begins a trace of its own.

use std::sync::atomic::{AtomicU64, Ordering};

use counsel_serve::TraceContext;
use sha2::{Digest, Sha256};

/// Makes names that no other process makes.
#[derive(Debug)]
pub(crate) struct Places {
    nonce: String,
    made: AtomicU64,
}

impl Places {
    /// The nonce is new for every process.
    pub(crate) fn new(nonce: String) -> Self {
        Self { nonce, made: AtomicU64::new(0) }
    }

    /// The place of work that begins with this `traceparent`; none where its trace is not sampled.
    pub(crate) fn begin(&self, traceparent: Option<&str>) -> Option<TraceContext> {
        let [trace, span] = self.name();
        match traceparent.and_then(read) {
            None => Some(TraceContext { trace, span: eight(span), parent: None }),
            Some((trace, parent, true)) => Some(TraceContext { trace, span: eight(span), parent: Some(parent) }),
            Some((_, _, false)) => None,
        }
    }

    /// The place of a part of this work.
    pub(crate) fn within(&self, whole: &TraceContext) -> TraceContext {
        let [_, span] = self.name();
        TraceContext { trace: whole.trace, span: eight(span), parent: Some(whole.span) }
    }

    fn name(&self) -> [[u8; 16]; 2] {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let digest: [u8; 32] =
            Sha256::new().chain_update(&self.nonce).chain_update(number.to_le_bytes()).finalize().into();
        let mut halves = [[0; 16]; 2];
        halves[0].copy_from_slice(&digest[..16]);
        halves[1].copy_from_slice(&digest[16..]);
        halves
    }
}

fn eight(bytes: [u8; 16]) -> [u8; 8] {
    let mut half = [0; 8];
    half.copy_from_slice(&bytes[..8]);
    half
}

/// The parts of a `traceparent`, and whether it is sampled: `00-TRACE-SPAN-FLAGS`. What is none counts as absent.
fn read(text: &str) -> Option<([u8; 16], [u8; 8], bool)> {
    let mut parts = text.trim().split('-');
    let [version, trace, span, flags] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
    // A later version may have more parts; the first one has four.
    if version.len() != 2 || version == "ff" || version == "00" && parts.next().is_some() || flags.len() != 2 {
        return None;
    }
    let (trace, span) = (bytes::<16>(trace)?, bytes::<8>(span)?);
    let [flags] = bytes::<1>(flags)?;
    bytes::<1>(version)?;
    (trace != [0; 16] && span != [0; 8]).then_some((trace, span, flags & 1 == 1))
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != 2 * N || !text.bytes().all(digits) {
        return None;
    }
    let mut read = [0; N];
    for (at, byte) in read.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traceparent_is_continued_and_anything_else_begins_anew() {
        let places = Places::new("n".into());
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let continued = places.begin(Some(parent)).unwrap();
        assert_eq!((continued.trace[0], continued.parent.unwrap()[0]), (0x0a, 0xb7));
        assert_eq!(places.begin(Some(&parent.replace("-01", "-00"))), None, "its caller does not record it");
        for text in [
            "",
            "00-0af7",
            &parent.replace('a', "g"),
            &parent.to_uppercase(),
            &format!("{parent}-x"),
            &parent.replace("00-", "ff-"),
        ] {
            assert_eq!(places.begin(Some(text)).unwrap().parent, None, "{text}");
        }
        let part = places.within(&continued);
        assert_eq!((part.trace, part.parent), (continued.trace, Some(continued.span)));
        assert_ne!(part.span, continued.span);
    }
}
