//! What is multiplied from a decision on, where a run is played again under another setting.

use counsel_decision::{Radius, Settings};
use serde::{Deserialize, Serialize};

use crate::{Controller, Error};

/// Factors of the price of a call, of the radius, and of what the advisor's word adds to the value of an action.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `price` | 1 | 0 or more |
/// | `radius` | 1 | 0 or more; 0 takes the radius off, also where nothing is calibrated |
/// | `trust` | 1 | 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Of the price.
    pub price: f64,
    /// Of the radius.
    pub radius: f64,
    /// Of the credits.
    pub trust: f64,
}

impl Default for Stretch {
    fn default() -> Self {
        Self { price: 1.0, radius: 1.0, trust: 1.0 }
    }
}

impl Stretch {
    /// Whether nothing is stretched.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// A radius, stretched.
    pub(crate) fn of(&self, radius: Radius) -> Result<Radius, Error> {
        let stretched = match (self.radius, radius.finite()) {
            (1.0, _) => return Ok(radius),
            (0.0, _) => 0.0,
            (_, None) => return Ok(radius),
            (factor, Some(value)) => value * factor,
        };
        Ok(Radius::new(stretched)?)
    }
}

impl Controller {
    /// From the next decision on these settings and factors hold; see [`counsel_decision::Engine::retune`]. The gate, the books and
    /// what was learned stay as they are.
    pub fn retune(&mut self, settings: &Settings, stretch: Stretch) -> Result<(), Error> {
        for (name, factor) in [("price", stretch.price), ("radius", stretch.radius), ("trust", stretch.trust)] {
            if !(factor >= 0.0 && factor.is_finite()) {
                return Err(Error::Stretch { name, factor });
            }
        }
        self.engine.retune(settings)?;
        (self.settings, self.stretch) = (settings.clone(), stretch);
        Ok(())
    }
}
