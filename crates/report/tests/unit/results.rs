//! Small results for tests: arms with given numbers, and accounts written as a study writes them.

use std::collections::BTreeMap;

use counsel_log::StudySheet;
use counsel_log::study::{Account, Measure};
use serde_json::{Value, json};

use super::results::{Arm, Block, DeclaredBlock, Results};

/// Blocks and arms with given numbers.
pub(super) struct Measured(Results);

impl Measured {
    pub(super) fn new() -> Self {
        Self(Results { study: "study".into(), blocks: Vec::new(), declared: Vec::new() })
    }

    /// An arm of a block, with one list of seeds for each measure.
    pub(super) fn arm(self, block: &str, name: &str, values: &[(Measure, &[f64])]) -> Self {
        self.set(block, name, json!({}), values)
    }

    /// The same with settings.
    pub(super) fn set(self, block: &str, name: &str, spec: Value, values: &[(Measure, &[f64])]) -> Self {
        let arm = Arm {
            name: name.into(),
            folder: name.into(),
            seeds: (0..values[0].1.len() as u64).collect(),
            spec,
            values: values.iter().map(|(of, seeds)| (*of, seeds.iter().copied().map(Some).collect())).collect(),
        };
        let mut this = self.unrun(block, name);
        let blocks = &mut this.0.blocks;
        match blocks.iter_mut().find(|known| known.name == block) {
            Some(known) => known.arms.push(arm),
            None => blocks.push(Block { name: block.into(), label: block.into(), arms: vec![arm] }),
        }
        this
    }

    /// Declares an arm that is not run.
    pub(super) fn unrun(mut self, block: &str, arm: &str) -> Self {
        let declared = &mut self.0.declared;
        let place = declared.iter().position(|known| known.name == block).unwrap_or_else(|| {
            declared.push(DeclaredBlock { name: block.into(), arms: Vec::new() });
            declared.len() - 1
        });
        declared[place].arms.push(arm.into());
        self
    }

    pub(super) fn results(self) -> Results {
        self.0
    }
}

/// An account as JSON writes it; what is left out is empty.
pub(super) fn account(written: Value) -> Account {
    let mut whole =
        json!({ "blocks": [], "table": { "columns": ["return"] }, "families": [], "findings": [], "figures": [] });
    let parts: BTreeMap<String, Value> = serde_json::from_value(written).unwrap();
    parts.into_iter().for_each(|(key, value)| whole[key] = value);
    serde_json::from_value(whole).unwrap()
}

/// A sheet with this account.
pub(super) fn sheet(account: Account) -> StudySheet {
    StudySheet {
        id: "study".into(),
        order: 0,
        title: "A title".into(),
        paper_label: "tab:study".into(),
        finding: "Something holds".into(),
        arms: Vec::new(),
        seeds: None,
        account,
        changed: Vec::new(),
        answers: counsel_log::AnswersFrom::Recorded,
        settings: std::collections::BTreeMap::new(),
    }
}
