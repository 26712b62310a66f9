//! What is known of a controller beside its decisions, so that each of them can explain itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use counsel_decision::{Action, Engine, Record, Seed};
use counsel_log::{Before, CellKey, Decision, Deployed, Hindsight, Manifest, StudySheet, Totals, explain};

/// The heading under which decisions are explained.
#[derive(Debug, Clone)]
pub(crate) struct Explained(Option<Arc<Manifest>>);

impl Explained {
    /// That of the decisions of an engine.
    pub(crate) fn by(engine: &Engine) -> Self {
        let deployed = Deployed {
            settings: engine.settings(),
            advisor: engine.cache().advisor().to_owned(),
            advisors: Vec::new(),
            words: engine.parser().words().to_vec(),
            form: engine.parser().form(),
            engine_seed: Seed::root(0),
            calibration: None,
            before: Before::default(),
        };
        let key = CellKey { study: "live".into(), arm: engine.gate().name().into(), seed: 0 };
        let sheet = StudySheet::plain("live", "", BTreeMap::from([(key.arm.clone(), serde_json::Value::Null)]));
        Self(deployed.manifest(&sheet, key, Totals::of(&[], Before::default())).ok().map(Arc::new))
    }

    /// Why a decision was made.
    pub(crate) fn of(&self, record: &Record) -> String {
        let decision = Decision::new(record.clone(), Hindsight::default());
        let text = self.0.as_ref().map(|manifest| explain(manifest, &decision)).unwrap_or_default();
        // What came of it is not known yet.
        text.replace(" and received 0\n", "\n")
    }

    /// Whether both are of one controller.
    pub(crate) fn is(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(one), Some(other)) if Arc::ptr_eq(one, other))
    }

    /// The name of an action.
    pub(crate) fn name(&self, action: Action) -> String {
        let words = self.0.as_ref().map(|manifest| &manifest.words);
        words.and_then(|words| words.get(action.index())).cloned().unwrap_or_else(|| action.0.to_string())
    }
}
