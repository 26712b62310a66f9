//! The engine with its books: advice that is bought only where it pays.
//!
//! An agent brings a context, the action it would take by itself, and afterwards the reward. The [`Controller`] decides whether
//! to ask, whether the answer may act, and learns from what comes of it:
//!
//! ```
//! use counsel_controller::{Action, Budget, Controller, Outcome, Reply, Situation, Turn};
//!
//! let mut controller = Controller::recommended(0.01, Budget::calls(500), &["left", "right", "forward"])?;
//! controller.begin_episode()?;
//! let turn = controller.decide(Situation::of("a wall is ahead").proposing(Action(2)))?;
//! let act = match turn {
//!     Turn::Act(act) => act,
//!     Turn::Ask(ask) => controller.resume(ask, Reply::live("left"))?, // or Reply::lost()
//! };
//! println!("do action {}", act.action);
//! controller.outcome(Outcome::reward(0.0).terminated(false))?;
//! # Ok::<(), counsel_controller::Error>(())
//! ```
//!
//! Nothing has to be learned before the first useful call: no radius, no tolerance, no value samples. Those who have them hand
//! them in ([`Situation::valued`], [`Situation::expecting`], [`Controller::with_radius`]) and choose another gate
//! ([`Controller::new`]).
//!
//! | part | what it keeps |
//! |---|---|
//! | [`Books`] | all that follows, over deployments |
//! | [`EmpiricalMdp`] | values by context from the agent's own steps; [`LabelTable`] the same from copies of the world |
//! | [`Recurrence`] | the number of episodes in which a kept answer will serve |
//! | [`Foretelling`] | what the advisor would say where it was heard in states that look alike |
//! | [`TrackRecord`] | what the advisor's word adds where little is known |
//! | [`Vetting`] | whether the advisor is worth following at all |
//! | [`Unadvised`] | the return of the agent without advice, against which advice is credited |
//! | [`ShiftDetector`] | whether a kept answer still delivers what it used to |
//! | [`Guard`] | who leads, episode by episode: the controller, or the agent alone where that returns more |
//!
//! Several advisors may be asked, each at its own price ([`Controller::recommended_among`]). The values are shared, and what is
//! known of an advisor is kept for each.
//!
//! Without a world, where several advisors can answer a request, [`route`] has a router and a cascade.
//!
//! [`Controller::diagnose`] says in counts and plain words why it is silent or does not follow. [`Controller::save`] and
//! [`Controller::load`] keep everything: the same decisions follow. Every decision is one [`Record`], which `counsel-log`
//! writes and `counsel audit` computes again.

mod books;
mod bounds;
mod checkpoint;
mod consideration;
mod controller;
mod diagnosis;
mod dossier;
mod empirical_mdp;
mod episode;
mod error;
mod foretelling;
mod guard;
mod labels;
mod last_word;
mod radius;
mod recommended;
mod recurrence;
pub mod route;
mod shift;
mod situation;
mod spec;
mod statistics;
mod stretch;
mod track_record;
mod unadvised;
mod vetting;

pub use books::Books;
pub use bounds::Spread;
pub use consideration::Order;
pub use controller::{Controller, Learning};
pub use counsel_advisor::predictor::FeatureSpec;
pub use counsel_advisor::{Context, PredictorSpec};
pub use counsel_decision::{
    Act, Action, Ask, Budget, CacheSpec, ContextKey, Execution, Gate, Lead, Monitored, Override, Parser, Radius,
    Record, Reply, ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
pub use diagnosis::{Diagnosis, Reason};
pub use empirical_mdp::{EmpiricalMdp, ExperienceSpec, HeldAnswers, Step};
pub use error::Error;
pub use foretelling::{Foretelling, ForetellingSpec};
pub use guard::{Guard, GuardSpec};
pub use labels::{LabelSpec, LabelTable};
pub use radius::RadiusInForce;
pub use recommended::{by_context, recommended};
pub use recurrence::Recurrence;
pub use shift::{ShiftDetector, ShiftSpec, ShiftTest};
pub use situation::{Keyed, Outcome, Situation, likeness};
pub use spec::{BooksSpec, ByContext, States, Values};
pub use statistics::ValueTable;
pub use stretch::Stretch;
pub use track_record::{TrackRecord, TrackRecordSpec, Weight};
pub use unadvised::Unadvised;
pub use vetting::{Merit, Standing, Vetting, worst_of};

/// Keeps the program in the README true.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Keeps the program of the page about cascades true.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/CASCADE.md")]
struct CascadePage;
