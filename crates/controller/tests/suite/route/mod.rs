//! Decisions without a world.

mod book;
mod cascade;
mod golden;
mod off_policy;
mod recall;
mod router;
