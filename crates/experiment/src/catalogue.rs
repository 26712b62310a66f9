//! The studies that come with the program, one TOML file each.

use std::borrow::Cow;
use std::path::Path;

use counsel_decision::refusal::find_named;
use counsel_file::Expected;
use serde::Deserialize;

use crate::paper::{label, labels};
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
    "bounds-lock",
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
    "foretold",
    "ablation",
    "bad-advisors",
    "several-advisors",
    "placement",
    "utility-detector",
    "babyai-best",
    "covered-radius",
    "near-threshold",
    "certificate-bounds",
    "bounds-babyai",
    "pixel",
    "pixel-reliability",
    "pixel-calibration",
    "pixel-reprice",
    "pixel-large",
    "bounds-pixel",
    "shift",
    "pixel-gates",
    "pixel-learner",
    "crafter",
    "crafter-foretold",
    "ablation-crafter",
    "alfworld",
    "alfworld-language",
    "where-to-ask",
    "route-pareto",
    "route-mmlu",
    "route-gsm8k",
    "cascade",
];

/// All studies that stand for something in the paper.
const PAPER: &str = "paper";
/// What a study is called whose id could not be read.
const UNNAMED: &str = "a study";
/// The file of a study of one's own.
const STUDY: Expected = Expected { what: "a study", most_bytes: 4 << 20 };

/// A study that can be run.
pub type Study = StudySpec;

/// All studies. The file of one is parsed when it is selected: most commands are about one of many.
#[derive(Debug, Clone)]
pub struct Catalogue(Vec<Entry>);

/// What a study is selected by, and its file.
#[derive(Debug, Clone, Deserialize)]
struct Entry {
    id: String,
    group: String,
    paper_label: String,
    #[serde(skip)]
    text: Cow<'static, str>,
}

impl Entry {
    /// What it can be selected by: its id, its group, `paper` where it stands for something in the paper, and the labels of the
    /// paper's tables and sections that it is about.
    fn names(&self) -> impl Iterator<Item = &str> {
        let is_none = self.paper_label.is_empty() || self.paper_label.starts_with("none");
        let of_paper = (!is_none).then_some(PAPER);
        [self.id.as_str(), &self.group].into_iter().chain(of_paper).chain(labels(&self.paper_label))
    }

    fn fits(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }
}

impl Catalogue {
    /// The studies that come with the program.
    pub fn embedded() -> Result<Self, Error> {
        let entry = |&text: &&'static str| {
            // The keys of a study stand before its tables.
            let keys = text.find("\n[").map_or(text, |end| &text[..end]);
            let entry: Entry = toml::from_str(keys).map_err(|error| invalid(UNNAMED, error.to_string()))?;
            Ok(Entry { text: text.into(), ..entry })
        };
        STUDIES.iter().map(entry).collect::<Result<_, _>>().map(Self)
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
            let text = counsel_file::read_text(Path::new(name), STUDY);
            let text = text.map_err(|error| invalid(name, error.to_string()))?;
            let Study { id, group, paper_label, .. } = Self::parse(&text).map_err(|error| match error {
                Error::Spec { study, arm, reason } if study == UNNAMED => {
                    Error::Spec { study: name.clone(), arm, reason }
                }
                error => error,
            })?;
            if self.names(&id) {
                let reason = format!("there is a study or group `{id}` already; give it another id");
                return Err(invalid(name, reason));
            }
            ids.push(id.clone());
            self.0.push(Entry { id, group, paper_label, text: text.into() });
        }
        Ok((self, ids))
    }

    /// Whether a study or a group has this name.
    pub fn names(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.fits(name))
    }

    /// Reads one study.
    pub fn parse(text: &str) -> Result<Study, Error> {
        let study: Study = toml::from_str(text).map_err(|error| invalid(UNNAMED, error.to_string()))?;
        let id = study.id.clone();
        study.spread().map_err(|reason| invalid(&id, reason))
    }

    /// The file of a study, as it was written.
    pub fn text(&self, id: &str) -> Result<&str, Error> {
        let named = self.0.iter().map(|entry| (entry.id.as_str(), &*entry.text));
        find_named(id, named).map_err(Error::UnknownStudy)
    }

    /// The ids of all studies, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| entry.id.as_str())
    }

    /// All studies, in order.
    pub fn studies(&self) -> Result<Vec<Study>, Error> {
        self.read(|_| true)
    }

    /// The studies with these names, in the groups with these names, or about these tables of the paper (`tab:alg1-real`,
    /// `Table 13`), each once and in the catalogue's order.
    pub fn select(&self, names: &[String]) -> Result<Vec<Study>, Error> {
        let labels = names.iter().map(|name| label(name)).collect::<Result<Vec<_>, _>>()?;
        for (name, label) in names.iter().zip(&labels) {
            let named = self.0.iter().flat_map(Entry::names).map(|name| (name, ()));
            find_named(label, named).map_err(|unknown| {
                if name == label {
                    Error::UnknownStudy(unknown)
                } else {
                    Error::TableWithoutStudy { table: name.clone(), label: (*label).to_owned() }
                }
            })?;
        }
        self.read(|entry| labels.iter().any(|label| entry.fits(label)))
    }

    fn read(&self, wanted: impl Fn(&Entry) -> bool) -> Result<Vec<Study>, Error> {
        let entries = self.0.iter().enumerate().filter(|(_, entry)| wanted(entry));
        entries.map(|(order, entry)| Ok(Study { order, ..Self::parse(&entry.text)? })).collect()
    }
}

fn invalid(study: &str, reason: String) -> Error {
    Error::Spec { study: study.into(), arm: String::new(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    #[test]
    fn every_study_can_be_planned() {
        let catalogue = Catalogue::embedded().unwrap();
        for study in catalogue.studies().unwrap() {
            let plan = Plan::new(&study, None, &[]).unwrap();
            assert_eq!(plan.cells().len() as u64, study.arms.len() as u64 * study.seeds, "{}", study.id);
        }
    }

    #[test]
    fn a_table_of_the_paper_selects_its_studies() {
        let catalogue = Catalogue::embedded().unwrap();
        let ids = |name: &str| {
            catalogue.select(&[name.into()]).map(|found| found.into_iter().map(|study| study.id).collect::<Vec<_>>())
        };
        assert_eq!(ids("tab:alg1-real").unwrap(), ["babyai-main"]);
        assert_eq!(
            (ids("Table 13").unwrap(), ids("Table 9").unwrap()),
            (ids("tab:alg1-real").unwrap(), ids("tab:tasks").unwrap())
        );
        assert!(ids("Table 16").unwrap_err().to_string().contains("tab:alg1-7b"), "a table without a study is named");
        let without: Vec<usize> = (1..=41).filter(|number| ids(&format!("Table {number}")).is_err()).collect();
        assert_eq!(without, [1, 8, 16], "two lists of the paper's own studies, and a model that cannot be had");
    }

    #[test]
    fn the_paper_selects_all_that_stands_for_something_in_it() {
        let catalogue = Catalogue::embedded().unwrap();
        let found = catalogue.select(&["paper".into()]).unwrap();
        assert!(found.iter().all(|study| !study.paper_label.starts_with("none")));
        let all = catalogue.studies().unwrap();
        assert_eq!(found.len(), all.iter().filter(|study| !study.paper_label.starts_with("none")).count());
        assert!(found.iter().any(|study| study.id == "babyai-repeat"), "its label is no label of a table");
    }

    #[test]
    fn an_entry_is_named_as_its_study() {
        let catalogue = Catalogue::embedded().unwrap();
        for (entry, study) in catalogue.0.iter().zip(catalogue.studies().unwrap()) {
            assert_eq!((&entry.id, &entry.group), (&study.id, &study.group));
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
