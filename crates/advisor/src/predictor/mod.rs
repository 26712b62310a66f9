//! Predictors of what an advisor will say, one file per kind.
//!
//! A predictor learns from paid responses and nothing else: [`Predictor::observe`] takes a `PaidResponse`, which only the
//! engine makes, after it has decided. The [`replay`] oracle is told the laws and says of itself that it is a
//! diagnostic.

pub mod feature;
pub mod frequency;
pub mod per_context;
mod prediction;
pub mod replay;
mod spec;
mod table;
pub mod uniform;

pub use feature::{Feature, FeatureSpec, Paid};
pub use frequency::Frequency;
pub use per_context::PerContext;
pub use prediction::Predictor;
pub use replay::Replay;
pub use spec::{AnyPredictor, PredictorSpec};
pub use uniform::Uniform;
