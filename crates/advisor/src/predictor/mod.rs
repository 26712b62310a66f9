//! Predictors of what an advisor will say, one file per kind.
//!
//! A predictor learns from paid responses and nothing else: [`Predictor::observe`] takes a `PaidResponse`, which only the
//! engine makes, after it has decided. The [`oracle`] knows the true laws and says of itself that it is a
//! diagnostic.

pub mod feature;
pub mod frequency;
pub mod oracle;
pub mod per_context;
mod prediction;
mod spec;
mod table;
pub mod uniform;

pub use feature::{Feature, FeatureSpec, Paid};
pub use frequency::Frequency;
pub use oracle::Oracle;
pub use per_context::PerContext;
pub use prediction::Predictor;
pub use spec::{AnyPredictor, PredictorSpec};
pub use uniform::Uniform;
