//! The studies that come with the program, one TOML file each.

use counsel_decision::refusal::nearest;

use crate::{Error, StudySpec};

/// The texts of the studies with these ids.
macro_rules! studies {
    ($($id:literal,)*) => { &[$(include_str!(concat!("../studies/", $id, ".toml")),)*] };
}

/// The text of every study, in the order of the paper. A new study is its file and one line here.
const STUDIES: &[&str] = studies![
    "informative",
    "stability",
    "lock",
    "lock-tolerance",
    "query-count",
    "predictor",
    "components",
    "variance-only",
    "radius-audit",
    "correlated",
    "limits",
    "babyai-main",
    "babyai-matched",
    "babyai-exact",
    "babyai-surrogate",
    "babyai-volume",
    "babyai-heldout",
    "babyai-persistence",
    "babyai-radius",
    "babyai-corruption",
    "babyai-tolerance",
    "babyai-price",
    "babyai-frontier",
    "babyai-repeat",
    "babyai-best",
    "pixel-gates",
];

/// A study that can be run.
pub type Study = StudySpec;

/// All studies.
#[derive(Debug, Clone)]
pub struct Catalogue(Vec<Study>);

impl Catalogue {
    /// The studies that come with the program.
    pub fn embedded() -> Result<Self, Error> {
        let numbered = |(order, text): (usize, &&str)| Ok(Study { order, ..Self::parse(text)? });
        STUDIES.iter().enumerate().map(numbered).collect::<Result<_, _>>().map(Self)
    }

    /// Reads one study.
    pub fn parse(text: &str) -> Result<Study, Error> {
        let invalid = |study: &str, reason| Error::Spec { study: study.into(), arm: String::new(), reason };
        let study: Study = toml::from_str(text).map_err(|error| invalid("a study", error.to_string()))?;
        let id = study.id.clone();
        study.spread().map_err(|reason| invalid(&id, reason))
    }

    /// All studies, in order.
    pub fn studies(&self) -> &[Study] {
        &self.0
    }

    /// The studies with these names, or in the groups with these names, each once and in the catalogue's order.
    pub fn select(&self, names: &[String]) -> Result<Vec<&Study>, Error> {
        for name in names {
            if !self.0.iter().any(|study| study.id == *name || study.group == *name) {
                let known = self.0.iter().flat_map(|study| [study.id.as_str(), study.group.as_str()]);
                return Err(Error::UnknownStudy { name: name.clone(), nearest: nearest(name, known) });
            }
        }
        let wanted = |study: &&Study| names.iter().any(|name| study.id == *name || study.group == *name);
        Ok(self.0.iter().filter(wanted).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    #[test]
    fn every_study_can_be_planned() {
        let catalogue = Catalogue::embedded().unwrap();
        for study in catalogue.studies() {
            let plan = Plan::new(study, None, &[]).unwrap();
            assert_eq!(plan.cells().len() as u64, study.arms.len() as u64 * study.seeds, "{}", study.id);
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let error = Catalogue::embedded().unwrap().select(&["lokc".into()]).unwrap_err();
        assert!(error.to_string().contains("did you mean `lock`"), "{error}");
    }
}
