//! All that is read out of a study.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Baseline, Family, FigureSpec, Finding, Measure, Rows, TableSpec, Test};

/// All that is read out of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// The names of the blocks, in order; none in a study whose arms are run once.
    pub blocks: Vec<String>,
    /// The table.
    pub table: TableSpec,
    /// The differences that are tested together.
    pub families: Vec<Family>,
    /// The statements.
    pub findings: Vec<Finding>,
    /// The figures.
    pub figures: Vec<FigureSpec>,
}

impl Account {
    /// An arm's block, and its name within it. A name may hold a dot of its own, so only a block of the study is split off.
    pub fn split<'a>(&self, arm: &'a str) -> (&'a str, &'a str) {
        let parts = arm.split_once('.').filter(|(block, _)| self.blocks.iter().any(|known| known == block));
        parts.unwrap_or(("", arm))
    }

    /// The family with this name.
    pub fn family(&self, name: &str) -> Option<&Family> {
        self.families.iter().find(|family| family.name == name)
    }

    /// Every measure that table, families, findings or figures need. Calls are always among them: without any, what comes
    /// with an answer does not exist; with some, it was not logged.
    pub fn measures(&self) -> BTreeSet<Measure> {
        let mut measures = BTreeSet::from([Measure::Calls]);
        for column in &self.table.columns {
            measures.extend([Some(column.measure), column.of].into_iter().flatten());
        }
        measures.extend(self.table.differences.iter().map(|difference| difference.measure));
        match &self.table.rows {
            Rows::Arms => {}
            Rows::SideBySide { each, .. } | Rows::HeldOut { each, .. } => measures.extend(each),
        }
        for family in &self.families {
            measures.extend(&family.measures);
            measures.extend(family.charged.as_ref().map(|_| Measure::CallsPerEpisode));
        }
        self.findings.iter().for_each(|finding| finding.test.needs(&mut measures));
        for figure in &self.figures {
            match figure {
                FigureSpec::Curve { .. } | FigureSpec::Reliability { .. } => {}
                FigureSpec::Frontier { paid, gained } => measures.extend([*paid, *gained]),
                FigureSpec::Sweep { measure, .. } => measures.extend([*measure]),
            }
        }
        measures
    }
}

impl Test {
    fn needs(&self, measures: &mut BTreeSet<Measure>) {
        match self {
            // The family has named its measures already.
            Self::Above(_) | Self::Below(_) | Self::Equivalent(_) | Self::NoLess(_) | Self::NoMore(_) => {}
            Self::Level(test) => measures.extend([test.measure]),
            Self::Ratio(test) => measures.extend([test.measure]),
            Self::Gap(test) => measures.extend([test.measure]),
            Self::Same(test) => measures.extend([Some(test.measure), test.without].into_iter().flatten()),
            Self::Ordered(test) => measures.extend([Some(test.measure), test.per].into_iter().flatten()),
            Self::Spread(test) => measures.extend([test.measure]),
            Self::BestVaries(test) => measures.extend([test.measure]),
            Self::Dominated(test) => measures.extend([test.gained, test.paid]),
        }
    }
}

impl Baseline {
    /// The arm, where it is one.
    pub fn arm(&self) -> Option<&str> {
        match self {
            Self::Level(_) => None,
            Self::Arm(arm) => Some(arm),
        }
    }
}
