//! Predictors of what an advisor will say, one file per kind.
//!
//! A predictor learns from paid responses and nothing else: [`Predictor::observe`] takes a `PaidResponse`, which only the
//! engine makes, after it has decided. The [`oracle`] knows the true laws and says of itself that it is a
//! diagnostic.

pub mod chosen;
pub mod feature;
pub mod forest;
pub mod frequency;
pub mod oracle;
pub mod per_context;
mod prediction;
mod spec;
mod table;
pub mod uniform;

pub use chosen::Chosen;
pub use feature::{Feature, FeatureSpec, Paid};
pub use forest::{Forest, ForestSpec};
pub use frequency::Frequency;
pub use oracle::Oracle;
pub use per_context::PerContext;
pub use prediction::Predictor;
pub use spec::{AnyPredictor, PredictorSpec};
pub use uniform::Uniform;
