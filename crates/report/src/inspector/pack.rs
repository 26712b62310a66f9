//! Data small enough for a page: JSON, deflated, as base64. A browser unpacks it with `DecompressionStream`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

/// From 0, fast, to 10, small.
const LEVEL: u8 = 8;

/// The bytes depend on the data alone: the compressor makes no use of what a processor has.
pub(super) fn packed(data: &impl Serialize) -> String {
    // What the page is given holds strings, finite numbers and lists: it always has a form in JSON.
    let json = serde_json::to_vec(data).unwrap_or_default();
    packed_bytes(&json)
}

/// The same of bytes that are there already.
pub(super) fn packed_bytes(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(compress_to_vec_zlib(bytes, LEVEL))
}
