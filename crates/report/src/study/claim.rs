//! A claim about the results, and whether it holds on these runs.

/// One claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) words: String,
    pub(super) verdict: Verdict,
}

/// What the runs say about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    Fails,
    /// The runs do not hold what is needed, because arms or seeds are missing.
    Open,
}

impl Claim {
    /// A claim that holds if `truth` is true, fails if it is false, and is open if nothing is known.
    pub(super) fn new(words: impl Into<String>, truth: Option<bool>) -> Self {
        let verdict = match truth {
            Some(true) => Verdict::Holds,
            Some(false) => Verdict::Fails,
            None => Verdict::Open,
        };
        Self { words: words.into(), verdict }
    }

    /// The claim with its verdict, as a note under the table.
    pub(super) fn note(&self) -> String {
        let verdict = match self.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "does not hold",
            Verdict::Open => "cannot be told from these runs",
        };
        format!("{verdict}: {}", self.words)
    }
}

/// What the claims say together.
pub(super) fn summary(claims: &[Claim]) -> &'static str {
    if claims.is_empty() {
        "No claim is made."
    } else if claims.iter().any(|claim| claim.verdict == Verdict::Fails) {
        "Does not hold on these runs as stated; see the notes."
    } else if claims.iter().any(|claim| claim.verdict == Verdict::Open) {
        "Cannot be told from these runs; see the notes."
    } else {
        "Holds on these runs."
    }
}

/// How many of the claims hold, for a study that makes each of them for several tasks and advisors.
pub(super) fn tally(claims: &[Claim]) -> String {
    let of = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (all, open) = (claims.len(), of(Verdict::Open));
    let untold = if open > 0 { format!(", {open} cannot be told from them") } else { String::new() };
    format!("{} of {all} statements hold on these runs{untold}; see the notes.", of(Verdict::Holds))
}
