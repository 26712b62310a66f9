//! How far the advisor's word can be trusted where nothing is known yet: the mean gain of its answers that were tried,
//! shrunken towards a declared prior, minus a caution.

use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

/// How a track record becomes credit.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `prior_gain` | 0.1 | the gain of an answer before any is known, in units of return |
/// | `prior_answers` | 2 | answers that the prior counts for, above 0 |
/// | `prior_deviation` | 0.05 | the deviation of gains before any is known, 0 or more |
/// | `tries` | 8 | tries after which the advisor's word counts half of what it did, above 0 |
/// | `caution` | 1 | standard errors that are taken off, 0 or more |
/// | `weight` | `tries` | `tries`, `comparisons`: what an answer weighs by |
/// | `least_trust` | none | what the word of an advisor that is not turned away counts for at least, 0 or more |
///
/// ```
/// use counsel_controller::{TrackRecord, TrackRecordSpec};
///
/// let record = TrackRecord::new(TrackRecordSpec { prior_gain: 0.2, ..TrackRecordSpec::default() });
/// // The advisor's word counts most where an action was never tried.
/// assert!(record.credit(0.0) > record.credit(8.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrackRecordSpec {
    /// The gain of an answer before any is known.
    pub prior_gain: f64,
    /// Answers that the prior counts for.
    pub prior_answers: f64,
    /// The deviation of gains before any is known.
    pub prior_deviation: f64,
    /// Tries after which the advisor's word for an action counts half.
    pub tries: f64,
    /// Standard errors that are taken off.
    pub caution: f64,
    /// What an answer weighs by; its tries where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<Weight>,
    /// What the word of an advisor that is not turned away counts for at least, where an action was never tried. Its gains are
    /// measured where states come back; where none does, noise must not silence it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_trust: Option<f64>,
}

/// What an answer weighs by in a track record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// The number of times that it was tried.
    #[default]
    Tries,
    /// The number of times that it can be compared with something else that was tried in its state. Where nothing else was, its
    /// gain is not known.
    Comparisons,
}

impl Weight {
    /// What an answer weighs that was tried this often, beside this many tries of other actions.
    pub(crate) fn of(self, tries: f64, others: f64) -> f64 {
        match self {
            Self::Tries => tries,
            Self::Comparisons if others > 0.0 => tries * others / (tries + others),
            Self::Comparisons => 0.0,
        }
    }
}

impl Default for TrackRecordSpec {
    fn default() -> Self {
        Self {
            prior_gain: 0.1,
            prior_answers: 2.0,
            prior_deviation: 0.05,
            tries: 8.0,
            caution: 1.0,
            weight: None,
            least_trust: None,
        }
    }
}

impl TrackRecordSpec {
    /// Refuses settings from which no record can be made.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { prior_gain, prior_answers, prior_deviation, tries, caution, least_trust, .. } = *self;
        let remedy = "the defaults are 0.1, 2, 0.05, 8, 1 and none";
        in_range(prior_gain.is_finite(), "track_record.prior_gain", prior_gain, "the finite numbers", remedy)?;
        for (what, value) in [("track_record.prior_answers", prior_answers), ("track_record.tries", tries)] {
            in_range(value > 0.0 && value.is_finite(), what, value, "(0, infinity)", remedy)?;
        }
        let least_trust = least_trust.unwrap_or(0.0);
        let from_zero = [
            ("track_record.prior_deviation", prior_deviation),
            ("track_record.caution", caution),
            ("track_record.least_trust", least_trust),
        ];
        for (what, value) in from_zero {
            in_range(value >= 0.0 && value.is_finite(), what, value, "[0, infinity)", remedy)?;
        }
        Ok(())
    }
}

/// An answer of the advisor that has been tried: what it weighs, and what it gained over the fallback. An unusable answer
/// gained nothing, and that is certain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tried {
    pub(crate) count: f64,
    pub(crate) gain: f64,
}

impl Tried {
    pub(crate) const UNUSABLE: Self = Self { count: f64::INFINITY, gain: 0.0 };
}

/// What the advisor's word is worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrackRecord {
    spec: TrackRecordSpec,
    trust: f64,
}

impl TrackRecord {
    /// The record before any answer.
    pub fn new(spec: TrackRecordSpec) -> Self {
        Self::of(spec, &[])
    }

    /// The record of these answers. An answer weighs the more the oftener it was tried.
    pub(crate) fn of(spec: TrackRecordSpec, answers: &[Tried]) -> Self {
        let weighed: Vec<(f64, f64)> = answers
            .iter()
            .map(|tried| {
                let share = if tried.count.is_finite() { tried.count / (tried.count + spec.tries) } else { 1.0 };
                (share, tried.gain)
            })
            .collect();
        let (mut weight, mut sum) = (spec.prior_answers, spec.prior_answers * spec.prior_gain);
        for (share, gain) in &weighed {
            weight += share;
            sum += share * gain;
        }
        let mean = sum / weight;
        let mut spread = spec.prior_answers * (spec.prior_deviation.powi(2) + (spec.prior_gain - mean).powi(2));
        for (share, gain) in &weighed {
            spread += share * (gain - mean).powi(2);
        }
        let error = (spread / weight / weight).sqrt();
        let trust = mean - spec.caution * error;
        Self { spec, trust: spec.least_trust.map_or(trust, |least| trust.max(least)) }
    }

    /// What the advisor's word adds to an action that was never tried.
    pub fn trust(&self) -> f64 {
        self.trust
    }

    /// What it adds to an action that was tried so often. Where nothing else tells two actions apart, it breaks the tie.
    pub fn credit(&self, tries: f64) -> f64 {
        if tries == 0.0 {
            return self.trust;
        }
        self.trust * self.spec.tries / (self.spec.tries + tries) + 1e-9_f64.copysign(self.trust)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_answers_raise_the_record_and_bad_or_unusable_ones_lower_it() {
        let spec = TrackRecordSpec::default();
        let trust =
            |gain: f64, answers: usize| TrackRecord::of(spec, &vec![Tried { count: 20.0, gain }; answers]).trust();
        let before = TrackRecord::new(spec).trust();
        assert!(trust(0.3, 5) > before && trust(0.3, 20) > trust(0.3, 5));
        assert!(trust(-0.1, 5) < 0.0);
        let mute = TrackRecord::of(spec, &[Tried::UNUSABLE; 12]).trust();
        assert!(mute < before && mute < 0.01, "{mute}");
    }

    #[test]
    fn the_word_counts_less_where_the_action_was_tried() {
        let record = TrackRecord::new(TrackRecordSpec::default());
        assert!(record.credit(0.0) > record.credit(1.0) && record.credit(1.0) > record.credit(10.0));
    }
}
