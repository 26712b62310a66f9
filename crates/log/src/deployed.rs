//! A cell of any program, written down: the one way from decisions to a log and its manifest.

use counsel_decision::{Form, Seed, Settings};

use crate::{
    Before, Calibration, CellKey, Decision, Error, LogFile, Manifest, PricedAdvisor, Run, StudySheet, Totals, Versions,
};

/// What was deployed in a cell: all that a reader needs to compute its decisions again.
#[derive(Debug, Clone)]
pub struct Deployed {
    /// The settings, as they were deployed.
    pub settings: Settings,
    /// Who was asked.
    pub advisor: String,
    /// All advisors with their prices, where there are several.
    pub advisors: Vec<PricedAdvisor>,
    /// The words of the parser.
    pub words: Vec<String>,
    /// The form in which the parser wants an answer.
    pub form: Form,
    /// The seed of the engine.
    pub engine_seed: Seed,
    /// How the radius came about, where one was calibrated.
    pub calibration: Option<Calibration>,
    /// What was spent before deployment.
    pub before: Before,
}

impl Run {
    /// Writes the decisions of a cell. The sheet of its study says where the arm stands, what its settings are, and where answers
    /// came from.
    pub fn write_cell(
        &self,
        sheet: &StudySheet,
        key: CellKey,
        deployed: &Deployed,
        decisions: &[Decision],
    ) -> Result<(), Error> {
        self.write(deployed.manifest(sheet, key, Totals::of(decisions, deployed.before))?, decisions)
    }
}

impl Deployed {
    /// The manifest of a cell with these totals, before its log is there.
    pub fn manifest(&self, sheet: &StudySheet, key: CellKey, totals: Totals) -> Result<Manifest, Error> {
        let Some(arm_order) = sheet.arms.iter().position(|arm| *arm == key.arm) else {
            return Err(Error::NoArm { arm: key.arm, study: key.study });
        };
        let Self { settings, advisor, advisors, words, form, engine_seed, calibration, before: _ } = self.clone();
        Ok(Manifest {
            arm_order,
            spec: sheet.settings.get(&key.arm).cloned().unwrap_or_default(),
            key,
            versions: Versions::current(),
            settings,
            advisor,
            advisors,
            answers: sheet.answers.clone(),
            words,
            form,
            engine_seed,
            calibration,
            totals,
            log: LogFile { file: String::new(), rows: 0, sha256: String::new() },
            pieces: Vec::new(),
            seal: String::new(),
        })
    }
}
