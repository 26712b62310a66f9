//! The inequality by which an answer was admitted or rejected, with its numbers: Eq. `main:safe`, and the improvement test of
//! Eq. `main:decide`.

use counsel_decision::{Branch, ExecutionRule, Response};

use crate::explain::word;
use crate::{Decision, Manifest};

/// The inequalities in words, one each; none where no answer named an action.
pub fn inequalities(manifest: &Manifest, decision: &Decision) -> Vec<String> {
    let advice = &decision.record.evidence.advice;
    let Some(answer) = decision.record.answer() else { return Vec::new() };
    let (Response::Recommends(advised), Some(branch)) = (answer.response, advice.given(answer.response)) else {
        return Vec::new();
    };
    let said = word(manifest, advised);
    let improvement = |branch: &Branch| {
        let (mean, base) = (branch.mean(advised), branch.mean(branch.base()));
        format!(
            "improvement: mean of {said} {mean:.6} {} mean of {} {base:.6}",
            relation(mean >= base, [">=", "<"]),
            word(manifest, branch.base())
        )
    };
    match manifest.controller.execution {
        ExecutionRule::Certified { tolerance } => {
            let (lower, ceiling) = (branch.bounds().lower()[advised.index()], branch.bounds().ceiling());
            let sign = relation(lower >= ceiling - tolerance, [">=", "<"]);
            let certificate = format!(
                "certificate: lower bound of {said} {lower:.6} {sign} highest upper bound {ceiling:.6} - tolerance {tolerance} = {:.6}",
                ceiling - tolerance
            );
            vec![certificate, improvement(branch)]
        }
        ExecutionRule::Improving => vec![improvement(branch)],
        ExecutionRule::Trusting | ExecutionRule::Unscreened { .. } => {
            vec!["no certificate: whatever names an action acts".into()]
        }
        ExecutionRule::Screened { threshold: None, .. } => vec!["screen: not fitted, so nothing passes".into()],
        ExecutionRule::Screened { threshold: Some(threshold), .. } => {
            let lead = branch.lead(advised);
            let sign = relation(lead > threshold, [">", "<="]);
            vec![format!("screen: lead of {said} {lead:.6} {sign} threshold {threshold:.6}")]
        }
        ExecutionRule::LowVariance { max_variance } => {
            let variance = branch.epistemic_variance();
            let sign = relation(variance <= max_variance, ["<=", ">"]);
            vec![format!("variance: {variance:.6} {sign} largest variance {max_variance}")]
        }
    }
}

fn relation(holds: bool, [yes, no]: [&'static str; 2]) -> &'static str {
    if holds { yes } else { no }
}
