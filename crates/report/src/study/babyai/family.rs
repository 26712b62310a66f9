//! A family of paired differences over all blocks, adjusted together by Holm's method.

use counsel_stats::{Bootstrap, PairedComparison, holm};

use super::block::Block;
use crate::number::{fixed, p_value};
use crate::study::claim::Claim;

/// Above this, an adjusted p value shows nothing.
const LEVEL: f64 = 0.05;

/// More places than these are counted, not named.
const NAMED: usize = 12;

/// One paired difference of a family.
pub(super) struct Member {
    /// The name of the block.
    pub(super) block: String,
    /// The block in words.
    pub(super) label: String,
    pub(super) task: String,
    /// The arm whose value is subtracted, where there is one.
    pub(super) baseline: String,
    /// The arm from which it is subtracted.
    pub(super) treatment: String,
    pub(super) paired: PairedComparison,
    pub(super) adjusted: Option<f64>,
}

/// Paired differences that are adjusted together.
pub(super) struct Family(pub(super) Vec<Member>);

impl Member {
    /// A difference in this block, not adjusted yet; nothing if no seed has one.
    pub(super) fn new(block: &Block<'_>, treatment: &str, baseline: &str, differences: &[f64]) -> Option<Self> {
        let paired = PairedComparison::from_differences(differences, &Bootstrap::seeded(0)).ok()?;
        Some(Self {
            block: block.name.to_owned(),
            label: block.label(),
            task: block.task(),
            baseline: baseline.to_owned(),
            treatment: treatment.to_owned(),
            paired,
            adjusted: None,
        })
    }

    /// Whether it is above zero, by its 95 % interval and after adjustment.
    pub(super) fn above(&self) -> Option<bool> {
        Some(self.paired.t_interval?.low > 0.0 && self.adjusted? < LEVEL)
    }

    /// Whether it is below zero, by its 95 % interval and after adjustment.
    pub(super) fn below(&self) -> Option<bool> {
        Some(self.paired.t_interval?.high < 0.0 && self.adjusted? < LEVEL)
    }

    /// Whether it does not differ clearly from zero after adjustment.
    pub(super) fn unclear(&self) -> Option<bool> {
        Some(!self.above()? && !self.below()?)
    }

    /// The difference with its interval and its adjusted p value.
    pub(super) fn figures(&self) -> String {
        let adjusted = self.adjusted.map_or_else(|| "no p".to_owned(), |p| format!("Holm p {}", p_value(p)));
        format!("{}, {adjusted}", interval(&self.paired))
    }
}

/// A mean difference with its 95 % interval: `+0.055 [0.010, 0.100]`.
pub(super) fn interval(paired: &PairedComparison) -> String {
    let mean = paired.mean_difference;
    let sign = if mean > 0.0 { "+" } else { "" };
    let ends = paired.t_interval.map_or_else(
        || "no interval from one seed".to_owned(),
        |ends| format!("[{}, {}]", fixed(ends.low, 3), fixed(ends.high, 3)),
    );
    format!("{sign}{} {ends}", fixed(mean, 3))
}

impl Family {
    /// These differences, adjusted together.
    pub(super) fn new(members: impl IntoIterator<Item = Member>) -> Self {
        let mut members: Vec<Member> = members.into_iter().collect();
        let tested: Vec<f64> = members.iter().filter_map(|member| member.paired.p_value).collect();
        let mut adjusted = holm(&tested).unwrap_or_default().into_iter();
        for member in &mut members {
            member.adjusted = member.paired.p_value.and_then(|_| adjusted.next());
        }
        Self(members)
    }

    /// The differences of these pairs of arms (treatment, baseline) in every block that has both.
    pub(super) fn of(blocks: &[Block<'_>], pairs: &[(&str, &str)], heading: &str) -> Self {
        let member = |block: &Block<'_>, (treatment, baseline): (&str, &str)| {
            Member::new(block, treatment, baseline, &block.differences(treatment, baseline, heading))
        };
        Self::new(blocks.iter().flat_map(|block| pairs.iter().filter_map(move |pair| member(block, *pair))))
    }

    /// One arm minus each of the others, in every block.
    pub(super) fn minus_each(blocks: &[Block<'_>], ours: &str, others: &[&str], heading: &str) -> Self {
        let pairs: Vec<(&str, &str)> = others.iter().map(|other| (ours, *other)).collect();
        Self::of(blocks, &pairs, heading)
    }

    /// The difference of these arms in this block.
    pub(super) fn find(&self, block: &str, treatment: &str, baseline: &str) -> Option<&Member> {
        let is =
            |member: &&Member| member.block == block && member.treatment == treatment && member.baseline == baseline;
        self.0.iter().find(is)
    }

    /// A claim about those members that are `meant`: it holds if each of them is as the claim says. Its words name the
    /// members for which it holds and those for which it does not, with their figures.
    pub(super) fn claim(
        &self,
        words: &str,
        meant: impl Fn(&Member) -> bool,
        truth: impl Fn(&Member) -> Option<bool>,
    ) -> Claim {
        let meant: Vec<&Member> = self.0.iter().filter(|member| meant(member)).collect();
        let several = meant.iter().any(|member| member.baseline != meant[0].baseline);
        let told = meant.iter().map(|member| {
            let versus = if several { format!(" against {}", member.baseline) } else { String::new() };
            (format!("{}{versus} ({})", member.label, member.figures()), truth(member))
        });
        everywhere(words, told)
    }
}

/// A claim that holds if it holds in every place, with the places for which it does and those for which it does not.
/// Places where it cannot be told are left out; it is open if there is no other.
pub(super) fn everywhere(words: &str, places: impl IntoIterator<Item = (String, Option<bool>)>) -> Claim {
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    for (place, truth) in places {
        match truth {
            Some(true) => holds.push(place),
            Some(false) => fails.push(place),
            None => {}
        }
    }
    let truth = (!holds.is_empty() || !fails.is_empty()).then_some(fails.is_empty());
    let all = holds.len() + fails.len();
    let mut words = words.to_owned();
    for (verdict, places) in [("holds", &holds), ("does not hold", &fails)] {
        match places.len() {
            0 => {}
            1..=NAMED => words = format!("{words}; {verdict} for {}", places.join(", ")),
            many => words = format!("{words}; {verdict} for {many} of {all}, as the rows show"),
        }
    }
    Claim::new(words, truth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::claim::Verdict;

    fn member(baseline: &str, differences: &[f64]) -> Member {
        let paired = PairedComparison::from_differences(differences, &Bootstrap::seeded(0)).unwrap();
        Member {
            block: "obj".into(),
            label: "GoToObj with m/plain/generate".into(),
            task: "GoToObj".into(),
            baseline: baseline.into(),
            treatment: "ours".into(),
            paired,
            adjusted: None,
        }
    }

    #[test]
    fn members_are_adjusted_together() {
        let family = Family::new([
            member("a", &[0.10, 0.11, 0.09, 0.10]),
            member("b", &[0.3, -0.2, 0.1, -0.25]),
            member("c", &[0.2]),
        ]);
        let first = &family.0[0];
        assert_eq!(first.adjusted, first.paired.p_value.map(|p| 2.0 * p));
        assert_eq!((first.above(), first.below(), first.unclear()), (Some(true), Some(false), Some(false)));
        assert_eq!(family.0[1].unclear(), Some(true));
        assert_eq!(family.0[2].adjusted, None);
        assert_eq!(family.0[2].above(), None);
        assert!(family.find("obj", "ours", "b").is_some());
        assert!(family.find("local", "ours", "b").is_none());
    }

    #[test]
    fn a_claim_names_where_it_holds_and_where_not() {
        let family = Family::new([member("a", &[0.1, 0.1, 0.1]), member("b", &[-0.1, -0.1, -0.1])]);
        let claim = family.claim("ours is above", |_| true, Member::above);
        assert_eq!(claim.verdict, Verdict::Fails);
        assert_eq!(
            claim.words,
            "ours is above; holds for GoToObj with m/plain/generate against a (+0.100 [0.100, 0.100], Holm p < 0.001); \
             does not hold for GoToObj with m/plain/generate against b (-0.100 [-0.100, -0.100], Holm p < 0.001)"
        );
        assert_eq!(family.claim("it is", |_| false, Member::above).verdict, Verdict::Open);
    }

    #[test]
    fn many_places_are_counted() {
        let places = (0..15).map(|place| (place.to_string(), Some(place > 0)));
        let claim = everywhere("it is so", places);
        assert_eq!(claim.verdict, Verdict::Fails);
        assert_eq!(claim.words, "it is so; holds for 14 of 15, as the rows show; does not hold for 0");
    }
}
