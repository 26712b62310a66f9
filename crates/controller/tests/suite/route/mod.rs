//! Decisions without a world.

mod book;
mod cascade;
mod golden;
mod recall;
mod router;
