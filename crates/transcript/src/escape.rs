//! A name as a part of a path, and back: what file systems dislike is written as `%` and two hexadecimal digits per byte.
//!
//! Invariants: no two names have one form; a form is never empty, hidden, or a way to another folder.

use std::fmt::Write as _;

/// The name as a part of a path.
pub(crate) fn escaped(name: &str) -> String {
    let last = name.len().saturating_sub(1);
    let mut text = String::with_capacity(name.len());
    for (at, byte) in name.bytes().enumerate() {
        // A dot in front hides a file, and some systems drop one at the end.
        let is_plain = byte.is_ascii_alphanumeric() || b"_-".contains(&byte) || (byte == b'.' && at > 0 && at < last);
        if is_plain {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    if text.is_empty() { "%".into() } else { text }
}

/// The name that has this form; nothing if no name has it.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    let name = String::from_utf8(bytes).ok()?;
    (escaped(&name) == text).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_is_one_plain_part_of_a_path() {
        let odd =
            ["", ".", "..", ".hidden", "ends.", "a/b/c", "a\\b", "a:b*c?d|e<f>g\"h", "50%", "%2F", "é 🧭", "a\nb\0c"];
        for name in odd.into_iter().chain(["qwen2.5-coder-0.5b", "meta/llama-7b", "meta_llama-7b"]) {
            let text = escaped(name);
            assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%._-".contains(&byte)), "{text}");
            assert!(!text.is_empty() && !text.starts_with('.') && !text.ends_with('.'), "{text}");
            assert_eq!(unescaped(&text).as_deref(), Some(name));
        }
        assert_eq!(escaped("qwen2.5-coder-0.5b"), "qwen2.5-coder-0.5b", "the names of the repository stay");
        for text in ["a%", "a%2", "a%2f", "%zz", "a b", "%FF", "."] {
            assert_eq!(unescaped(text), None, "{text}");
        }
    }
}
