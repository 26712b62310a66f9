//! Decisions without a world.

mod bindings;
mod book;
mod cascade;
mod chronicle;
mod golden;
mod off_policy;
mod recall;
mod router;
