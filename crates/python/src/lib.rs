//! The engine for Python: one private native module, `counsel._counsel`. Everything public is named by the package `counsel`
//! beside it, in `python/counsel`.
//!
//! Nothing is decided here: arrays and settings are carried over into the types of the other crates, which refuse what is
//! wrong, and their errors become Python exceptions with the value and the remedy.
//!
//! Every class is frozen behind a mutex, so that threads may share it and nothing is ever "already borrowed". No lock is held
//! while Python code runs, and what holds a budget refuses to be copied, pickled or used in a forked process.

#![expect(clippy::needless_pass_by_value, reason = "Python hands over what was extracted from its objects")]

mod act;
mod answer;
mod array;
mod batch;
mod calibration;
mod cascade;
mod chronicle;
mod consultation;
mod controller;
mod deployment;
mod diagnosis;
mod engine;
mod error;
mod explained;
mod holding;
mod key;
mod ledger;
mod log;
mod model;
mod offers;
mod predictor;
mod process;
mod request;
mod routed;
mod router;
mod rows;
mod settings;
mod setup;
mod shown;
mod situation;
mod stats;
mod vector;
mod whole;
mod worlds;

#[pyo3::pymodule]
mod _counsel {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        act::{Act, Ask, Paid, Reply},
        answer::Answer,
        batch::Batch,
        calibration::{
            CalibratedRadius, CalibrationSet, EvaluationSet, FitSet, conformal_rank, coverage, empirical_bernstein,
            exact_value, hoeffding, screen, split,
        },
        cascade::Cascade,
        chronicle::audit_chronicle,
        consultation::Consultation,
        controller::Controller,
        diagnosis::Diagnosis,
        engine::Engine,
        key::context_key,
        ledger::{Ledger, Reservation},
        log::{Log, audit, columns, explain},
        model::Model,
        predictor::Predictor,
        routed::Route,
        router::Router,
        settings::check_settings,
        stats::{clopper_pearson, holm, interquartile_mean, mean_interval, paired},
        vector::VectorController,
        whole::checked_seed,
        worlds::{Worlds, levels},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
