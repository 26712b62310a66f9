//! ALFWorld by abstract options: a fixed set of deeds, each of which is a command of the game at hand.
//!
//! What the player knows of a game comes down to one line ([`Outlook::line`]): what it holds, whether it knows where the object
//! is, whether it stands before a closed place. A [`Deed`] is what can be done about it: take, open, fetch, deliver, put, light,
//! drop, or search the places of a kind. A [`Household`] is a world whose actions are these deeds. [`words`] has what is said to
//! a language model.

mod census;
mod deed;
mod outlook;
mod script;
pub mod words;
mod world;

pub use deed::Deed;
pub use outlook::{Hand, Outlook, Spot, Whereabouts};
pub use script::Script;
pub use world::{FEATURES, Household, Situation};
