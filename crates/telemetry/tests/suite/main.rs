//! A server under the eyes of OpenTelemetry, with a real receiver, a module per subject.

mod faults;
mod metrics;
mod receiver;
mod served;
mod settings;
mod traces;
