//! Decisions without a world.

mod bindings;
mod book;
mod cascade;
mod golden;
mod recall;
mod router;
