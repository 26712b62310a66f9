//! A played cell, written down: the one way from what was played to a log and its manifest.

use counsel_log::{CellKey, LogFile, Manifest, Run, StudySheet, Versions};

use crate::{Error, Played, refuse};

impl Played {
    /// Writes the cell into a run. The sheet of its study says where the arm stands, what its settings are, and where
    /// answers came from.
    pub fn write(&self, run: &Run, sheet: &StudySheet, key: CellKey) -> Result<(), Error> {
        let arm_order = sheet.arms.iter().position(|arm| *arm == key.arm);
        refuse(arm_order.is_none(), "the sheet of the study does not name the arm of the cell; add it to the sheet")?;
        let manifest = Manifest {
            arm_order: arm_order.unwrap_or_default(),
            spec: sheet.settings.get(&key.arm).cloned().unwrap_or_default(),
            key,
            versions: Versions::current(),
            controller: self.controller.clone(),
            advisor: self.advisor.clone(),
            answers: sheet.answers.clone(),
            words: self.words.clone(),
            form: self.form,
            engine_seed: self.engine_seed,
            calibration: self.calibration.clone(),
            totals: self.totals.clone(),
            log: LogFile { file: String::new(), rows: 0, sha256: String::new() },
            seal: String::new(),
        };
        Ok(run.write(manifest, &self.decisions)?)
    }
}
