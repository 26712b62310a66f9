//! Names with a star, and arms that are chosen by what they returned.
//!
//! `v*` stands for every name that begins with `v`. `best of v*` is the arm among those with the highest mean in the block
//! itself, so it is known in hindsight only; `chosen of v*` is the one with the highest mean over all other blocks.

/// Whether a name fits a pattern, in which a star stands for any letters.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let (between, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(inner) = name.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
    // Each piece is taken where it first occurs: what is left for the others is then as long as can be.
    let mut left = Some(inner);
    for piece in between.split('*') {
        left = left.and_then(|left| left.split_once(piece)).map(|(_, after)| after);
    }
    left.is_some()
}

/// How an arm is named: as such, or by what it returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice<'a> {
    /// Every arm that fits the pattern.
    Each(&'a str),
    /// The one of them that is best in the block itself.
    Best(&'a str),
    /// The one of them that is best over the other blocks.
    Chosen(&'a str),
}

impl<'a> Choice<'a> {
    /// Reads `NAME`, `best of PATTERN` or `chosen of PATTERN`.
    pub fn of(text: &'a str) -> Self {
        match (text.strip_prefix("best of "), text.strip_prefix("chosen of ")) {
            (Some(pattern), _) => Self::Best(pattern),
            (_, Some(pattern)) => Self::Chosen(pattern),
            _ => Self::Each(text),
        }
    }

    /// The pattern, however the arm is chosen among those that fit it.
    pub fn pattern(self) -> &'a str {
        match self {
            Self::Each(pattern) | Self::Best(pattern) | Self::Chosen(pattern) => pattern,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        assert!(matches("obj-*", "obj-15-plain") && matches("*", "") && matches("*-pred", "unif-pred"));
        assert!(matches("a*c*e", "abcde") && matches("never", "never"));
        assert!(!matches("obj-*", "local-15") && !matches("never", "nevers") && !matches("a*c", "ab"));
        assert!(matches("a*b*b", "abb") && !matches("a*b*b", "ab") && !matches("ab*ba", "aba"));
        assert!(matches("*ab*", "xabx") && matches("**", "") && !matches("*é*", "e"));
    }

    #[test]
    fn many_stars_take_no_longer_than_their_letters() {
        let pattern = "*a".repeat(500) + "*";
        assert!(matches(&pattern, &"a".repeat(500)) && !matches(&pattern, &"a".repeat(499)));
    }

    #[test]
    fn choices_are_told_by_their_first_words() {
        assert_eq!(Choice::of("best of v*"), Choice::Best("v*"));
        assert_eq!(Choice::of("chosen of v*"), Choice::Chosen("v*"));
        assert_eq!(Choice::of("bestow"), Choice::Each("bestow"));
    }
}
