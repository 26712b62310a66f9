//! The scenes that studies play: each is a world with an agent in it, behind the contract of `counsel_session::Scene`.

mod alfworld;
mod babyai;
mod crafter;
mod decisions;
mod deep;
mod household;
mod latent;
mod pixel;
mod placement;
mod repeat;
mod tabular;

pub use alfworld::{Alfworld, HeadsSpec, TrustSpec};
pub use babyai::BabyAi;
pub use crafter::Crafter;
pub use decisions::{
    Change as StreamChange, Decisions, Features, Policy, Protocol, RoutedSpec, TableName, recompute_routes, swe_table,
};
pub use deep::Learned;
pub use household::Household;
pub use latent::{Estimator, Latent};
pub use pixel::Pixel;
pub use placement::Placement;
pub use repeat::{Again, Repeat};
pub use tabular::{Continuation, Controlled, WorldSpec};
