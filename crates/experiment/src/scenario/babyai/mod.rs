//! Algorithm 1 on BabyAI: the deep fallback learner, advised by a language model.
//!
//! A run has four phases with random numbers of their own: warm-up (uniformly random episodes from which the learner
//! learns), prefix (questions at random, to fit the predictor), calibration (one labelled opportunity per episode of the
//! frozen warm-started learner), and deployment. Arms of a study that differ only in gate, price, budget or radius share
//! everything up to deployment, and the luck of worlds and exploration in it. Only deployment is logged; calls before it
//! are counted apart.

mod calibrate;
mod consultant;
mod label;
mod matched;
mod operational;
mod session;
mod settings;
mod surroundings;
mod warm_start;

pub use consultant::Consulted;
pub use matched::Matched;
pub use operational::{LabelTable, ValuesFrom};
pub use settings::{BabyAi, Support};
pub use warm_start::WarmStarts;
