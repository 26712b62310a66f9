//! Where the radius of a decision comes from.

use counsel_calibration::CalibratedRadius;
use counsel_decision::{Evidence, Radius};
use serde::{Deserialize, Serialize};

/// The radius in force.
///
/// ```
/// use counsel_controller::{Books, BooksSpec, Budget, Controller, Execution, Gate, Parser, Radius, RadiusInForce, Seed, Settings};
///
/// let settings = Settings::new(Gate::Predictive(Default::default()), Execution::Improving, Budget::calls(10));
/// let books = Books::new(BooksSpec::default(), 2)?;
/// let silent = Controller::new(&settings, Parser::new(["left", "right"])?, 0.01, books, Seed::root(0))?;
/// let asking = silent.with_radius(RadiusInForce::Declared(Radius::new(0.05)?));
/// # let _ = asking;
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub enum RadiusInForce {
    /// Nothing is calibrated: every conservative gate is silent.
    #[default]
    Silent,
    /// This radius at every decision.
    Declared(Radius),
    /// A radius that was calibrated before deployment.
    Fixed(CalibratedRadius),
    /// The same, to which every labelled decision adds its score.
    Online(CalibratedRadius),
}

impl RadiusInForce {
    /// β at this evidence.
    pub(crate) fn at(&self, evidence: &Evidence, estimate: f64) -> Radius {
        match self {
            Self::Silent => Radius::INFINITE,
            Self::Declared(radius) => *radius,
            Self::Fixed(radius) | Self::Online(radius) => radius.of(evidence, estimate),
        }
    }
}
