//! The tests of the controller, one program.

mod advised;
mod checkpoint;
mod diagnosis;
mod foretold;
mod guards;
mod lead;
mod overriding;
mod refusals;
mod route;
mod several;
mod shift;
