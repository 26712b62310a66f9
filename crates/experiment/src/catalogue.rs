//! The studies that come with the program, one TOML file each.

use std::path::Path;

use counsel_decision::refusal::nearest;
use counsel_file::Expected;

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
    "babyai-deploy",
    "placement",
    "utility-detector",
    "babyai-best",
    "covered-radius",
    "near-threshold",
    "certificate-bounds",
    "pixel",
    "pixel-reliability",
    "pixel-calibration",
    "pixel-reprice",
    "pixel-large",
    "shift",
    "pixel-gates",
    "pixel-learner",
    "crafter",
    "alfworld",
    "alfworld-language",
];

/// What a study is called whose id could not be read.
const UNNAMED: &str = "a study";
/// The file of a study of one's own.
const STUDY: Expected = Expected { what: "a study", most_bytes: 4 << 20 };

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

    /// The studies with these names, where a name that ends in `.toml` is a file with a study of one's own. Such a study
    /// comes after those that come with the program, and its file's name stands for its id from then on.
    pub fn with_files(mut self, names: &[String]) -> Result<(Self, Vec<String>), Error> {
        let mut ids = Vec::new();
        for name in names {
            if Path::new(name).extension().is_none_or(|extension| extension != "toml") {
                ids.push(name.clone());
                continue;
            }
            let invalid = |reason: String| Error::Spec { study: name.clone(), arm: String::new(), reason };
            let text = counsel_file::read_text(Path::new(name), STUDY).map_err(|error| invalid(error.to_string()))?;
            let parsed = Self::parse(&text).map_err(|error| match error {
                Error::Spec { study, arm, reason } if study == UNNAMED => {
                    Error::Spec { study: name.clone(), arm, reason }
                }
                error => error,
            })?;
            let study = Study { order: self.0.len(), ..parsed };
            if self.0.iter().any(|known| known.id == study.id || known.group == study.id) {
                return Err(invalid(format!("there is a study or group `{}` already; give it another id", study.id)));
            }
            ids.push(study.id.clone());
            self.0.push(study);
        }
        Ok((self, ids))
    }

    /// Reads one study.
    pub fn parse(text: &str) -> Result<Study, Error> {
        let invalid = |study: &str, reason| Error::Spec { study: study.into(), arm: String::new(), reason };
        let study: Study = toml::from_str(text).map_err(|error| invalid(UNNAMED, error.to_string()))?;
        let id = study.id.clone();
        study.spread().map_err(|reason| invalid(&id, reason))
    }

    /// The file of a study that comes with the program, as it was written.
    pub fn text(&self, id: &str) -> Result<&'static str, Error> {
        let place = self.0.iter().position(|study| study.id == id);
        place.and_then(|place| STUDIES.get(place).copied()).ok_or_else(|| {
            let nearest = nearest(id, self.0.iter().map(|study| study.id.as_str()));
            Error::UnknownStudy { name: id.to_owned(), nearest }
        })
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
    fn a_study_of_ones_own_is_read_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let names = [path.to_str().unwrap().to_owned(), "lock".to_owned()];
        let with_id = |id: &str| {
            std::fs::write(&path, include_str!("../studies/lock.toml").replacen("id = \"lock\"", id, 1)).unwrap();
            Catalogue::embedded().unwrap().with_files(&names)
        };
        let (catalogue, ids) = with_id("id = \"mine\"").unwrap();
        assert_eq!(ids, ["mine", "lock"]);
        assert_eq!(catalogue.select(&ids).unwrap().len(), 2);
        let error = with_id("id = \"tabular\"").unwrap_err().to_string();
        assert!(error.contains("there is a study or group `tabular` already"), "{error}");
        std::fs::remove_file(&path).unwrap();
        let error = Catalogue::embedded().unwrap().with_files(&names).unwrap_err().to_string();
        assert!(error.contains("mine.toml") && error.contains("No such file"), "{error}");
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let error = Catalogue::embedded().unwrap().select(&["lokc".into()]).unwrap_err();
        assert!(error.to_string().contains("did you mean `lock`"), "{error}");
    }
}
