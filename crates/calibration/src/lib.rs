//! Calibrated radii for the predicted value of a query: scores, ranks, splits and coverage audits.
//!
//! Arrays and closures in, radii out. The way of a radius, section "Calibrating the query-value radius":
//!
//! 1. [`PairedRollouts`] or [`exact_value`] give the label of each [`Opportunity`]; [`MonteCarloSpec`] gives the noise of
//!    the label.
//! 2. [`Splits`] cuts the time-ordered opportunities into a [`FitSet`], a [`CalibrationSet`] and an [`EvaluationSet`].
//! 3. [`CalibratedRadius::calibrate`] turns a [`RadiusSpec`] and the first two parts into a radius and its
//!    [`Derivation`], from which a log reader can compute the radius again.
//!    Radii of whole episodes have other data: [`least_clean`] scores for [`CalibratedRadius::closed_loop`], a [`Wager`] for
//!    [`CalibratedRadius::wagered`].
//! 4. [`CoverageAudit`] says what the radius was worth on the third part.
//!
//! Beside the radius, a [`BoundFactor`] makes the bounds of the certificate hold as often as declared, and a [`Screen`] stops wrong
//! answers.

mod alpha;
mod bound_factor;
mod closed_loop;
mod coverage;
mod derivation;
mod error;
mod exact;
mod isotonic;
mod monte_carlo;
mod opportunity;
mod paired;
mod radius;
mod rank;
mod ridge;
mod scale;
mod score;
mod screen;
mod split;
mod wager;

pub use alpha::Alpha;
pub use bound_factor::{BoundFactor, Promise};
pub use closed_loop::least_clean;
pub use coverage::{Audited, CoverageAudit, Share};
pub use derivation::{Derivation, GroupDerivation};
pub use error::Error;
pub use exact::exact_value;
pub use isotonic::Isotonic;
pub use monte_carlo::{MonteCarloSpec, empirical_bernstein, hoeffding};
pub use opportunity::Opportunity;
pub use paired::{PairedRollouts, Proxy};
pub use radius::{CalibratedRadius, RadiusSpec};
pub use rank::{conformal_quantile, conformal_rank};
pub use ridge::Ridge;
pub use scale::{ScaleModel, ScaleSpec, scale_features};
pub use score::{excess, score};
pub use screen::Screen;
pub use split::{Calibrate, CalibrationSet, Cuts, Evaluate, EvaluationSet, Fit, FitSet, Part, Splits};
pub use wager::Wager;
