//! Several advisors in one study: who may be asked, at which price, by which template.
//!
//! Contexts come from the first one's template, whoever is asked; each advisor is asked by its own. All share one budget.

use counsel_controller::Order;
use counsel_decision::refusal::in_range;
use counsel_log::PricedAdvisor;
use serde::{Deserialize, Serialize};

use super::consultant::Consulted;
use super::spec::DeepStudy;
use crate::{Error, refuse};

/// An advisor beside the first.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `advisor` | none | as that of the study |
/// | `price` | none | 0 or more |
/// | `corruption` | 0 | share of its usable answers replaced by a wrong move, 0 to 1 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherAdvisor {
    /// Who may be asked.
    pub advisor: Consulted,
    /// The cost of a call.
    pub price: f64,
    /// The share of its usable answers that are replaced by a wrong move.
    #[serde(default)]
    pub corruption: f64,
}

impl OtherAdvisor {
    fn check(&self) -> Result<(), Error> {
        let Self { price, corruption, .. } = *self;
        in_range(price >= 0.0 && price.is_finite(), "price", price, "[0, infinity)", "pass the cost of one call")
            .map_err(counsel_decision::Error::from)?;
        refuse(!(0.0..=1.0).contains(&corruption), "corruption is a share; choose a number from 0 to 1")
    }
}

impl DeepStudy {
    /// All advisors, the first one first.
    fn listed(&self) -> Vec<OtherAdvisor> {
        let Self { advisor, corruption, deployment, others, .. } = self;
        let first = OtherAdvisor { advisor: advisor.clone(), price: deployment.price, corruption: *corruption };
        std::iter::once(first).chain(others.iter().flatten().cloned()).collect()
    }

    /// Those that may be asked, in the order of the study.
    pub fn panel(&self) -> Vec<OtherAdvisor> {
        let listed = self.listed();
        match &self.among {
            None => listed,
            Some(places) => places.iter().filter_map(|place| listed.get(place.checked_sub(1)?).cloned()).collect(),
        }
    }

    /// The same as the manifest has them.
    pub(super) fn priced(&self) -> Vec<PricedAdvisor> {
        let priced = |one: OtherAdvisor| PricedAdvisor { advisor: one.advisor.to_string(), price: one.price };
        self.panel().into_iter().map(priced).collect()
    }

    /// Whether anybody but the first advisor is named.
    pub fn names_others(&self) -> bool {
        self.others.is_some()
    }

    /// In which order they are asked.
    pub(super) fn order(&self) -> Order {
        self.order.unwrap_or_default()
    }

    /// Refuses advisors that cannot be asked side by side.
    pub(super) fn check_panel(&self) -> Result<(), Error> {
        self.others.iter().flatten().try_for_each(OtherAdvisor::check)?;
        let named = self.among.is_some() || self.order.is_some();
        refuse(named && self.others.is_none(), "`among` and `order` are for several advisors; name the `others`")?;
        let panel = self.panel().len();
        if let Some(places) = &self.among {
            let mut once = places.clone();
            once.sort_unstable();
            once.dedup();
            let known = panel == places.len() && once.len() == places.len() && panel > 0;
            refuse(!known, "`among` names advisors by place, each once; 1 is `advisor`, 2 the first of `others`")?;
        }
        let calibration = &self.deployment.calibration;
        let labels = calibration.prefix_episodes > 0 || calibration.fit + calibration.calibrate > 0;
        refuse(
            panel > 1 && (labels || self.label_decisions || self.matched.is_some()),
            "several advisors are neither calibrated nor matched; set calibration = { radius = { method = \"zero\" } }",
        )
    }
}
