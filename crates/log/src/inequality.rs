//! The inequality by which an answer was admitted or rejected, with its numbers: Eq. `main:safe`, and the improvement test of
//! Eq. `main:decide`.

use counsel_decision::{Branch, Execution, Response};

use crate::explain::word;
use crate::{Decision, Manifest, Worth};

/// The inequalities in words, one each; none where no answer named an action.
pub fn inequalities(manifest: &Manifest, decision: &Decision) -> Vec<String> {
    let advice = decision.record.evidence.advice();
    let Some(answer) = decision.record.answer() else { return Vec::new() };
    let (Response::Recommends(advised), Some(branch)) = (answer.response, advice.given(answer.response)) else {
        return Vec::new();
    };
    let said = word(manifest, advised);
    let improvement = |branch: &Branch| {
        let (mean, base) = [advised, branch.base()].map(|action| Worth::within(advice, branch, action)).into();
        format!(
            "improvement: mean of {said} {mean} {} mean of {} {base}",
            relation(mean.after >= base.after, [">=", "<"]),
            word(manifest, branch.base())
        )
    };
    match manifest.settings.execution {
        Execution::Certified { tolerance } => {
            let (lower, ceiling) = (branch.bounds().lower()[advised.index()], branch.bounds().ceiling());
            let sign = relation(lower >= ceiling - tolerance, [">=", "<"]);
            let certificate = format!(
                "certificate: lower bound of {said} {lower:.6} {sign} highest upper bound {ceiling:.6} - tolerance {tolerance} = {:.6}",
                ceiling - tolerance
            );
            vec![certificate, improvement(branch)]
        }
        Execution::Improving => vec![improvement(branch)],
        Execution::Trusting | Execution::Unscreened { .. } => {
            vec!["no certificate: whatever names an action acts".into()]
        }
        Execution::Screened { threshold: None, .. } => vec!["screen: not fitted, so nothing passes".into()],
        Execution::Screened { threshold: Some(threshold), .. } => {
            let lead = branch.lead(advised);
            let sign = relation(lead > threshold, [">", "<="]);
            vec![format!("screen: lead of {said} {lead:.6} {sign} threshold {threshold:.6}")]
        }
        Execution::LowVariance { max_variance } => {
            let variance = branch.epistemic_variance();
            let sign = relation(variance <= max_variance, ["<=", ">"]);
            vec![format!("variance: {variance:.6} {sign} largest variance {max_variance}")]
        }
    }
}

fn relation(holds: bool, [yes, no]: [&'static str; 2]) -> &'static str {
    if holds { yes } else { no }
}
