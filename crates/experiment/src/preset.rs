//! The recommended controller as settings of a study. There is one table of it, `controllers.toml`; an arm or a whole study that
//! writes `controller = "recommended"` holds what stands there, with its own settings over it. `without = ["pacing.rationing"]` beside
//! it takes parts of that controller away, so that an ablation differs from the controller in these alone.

use counsel_advisor::PredictorSpec;
use counsel_decision::refusal::UnknownName;
use toml::{Table, Value};

use crate::change::lay_over;
use crate::scenario::refuse_unknown;

/// The key of a controller's name, and that of the parts that are left out of it.
const CONTROLLER: &str = "controller";
const WITHOUT: &str = "without";

/// The settings of each controller that has a name.
const CONTROLLERS: &str = include_str!("../controllers.toml");

/// The key of its predictor, which only worlds have in which answers are predicted.
pub(crate) const PREDICTOR: &str = "predictor";

/// The settings with those of the controller that they name below them. Settings that name none stay as they are. Its predictor
/// belongs to them where the study `predicts`, that is, declares one for all of its arms.
pub(crate) fn expanded(mut settings: Table, predicts: bool) -> Result<Table, String> {
    let without = settings.remove(WITHOUT);
    let Some(named) = settings.remove(CONTROLLER) else {
        return match without {
            None => Ok(settings),
            Some(_) => Err(format!("`{WITHOUT}` takes parts from a controller; name it beside, with `{CONTROLLER}`")),
        };
    };
    let known: Table = toml::from_str(CONTROLLERS).map_err(|error| format!("controllers.toml: {error}"))?;
    let Value::String(name) = named else {
        return Err(format!("`{CONTROLLER}` is {named}; write the name of a controller, such as \"recommended\""));
    };
    let Some(Value::Table(preset)) = known.get(&name) else {
        let unknown = UnknownName::among(&name, known.keys().map(String::as_str));
        return Err(format!("there is no controller {unknown}"));
    };
    let mut whole = preset.clone();
    if !predicts {
        whole.remove(PREDICTOR);
    }
    for part in parts(without)? {
        if !take(&mut whole, &part.split('.').collect::<Vec<_>>()) {
            return Err(format!("the controller `{name}` has no part `{part}` to go without"));
        }
    }
    lay_over(&mut whole, &settings);
    Ok(whole)
}

/// Refuses a key that a shared predictor does not have, even if every arm names a controller that brings its own.
pub(crate) fn check_predictor(given: &Value) -> Result<(), String> {
    // A predictor of another kind of scenario is read with the rest of its settings.
    let Ok(understood) = given.clone().try_into::<PredictorSpec>() else { return Ok(()) };
    let said = |error: serde_json::Error| error.to_string();
    let (given, understood) =
        (serde_json::to_value(given).map_err(said)?, serde_json::to_value(understood).map_err(said)?);
    refuse_unknown(PREDICTOR, &given, &understood)
}

/// The parts that are left out.
fn parts(without: Option<Value>) -> Result<Vec<String>, String> {
    let Some(without) = without else { return Ok(Vec::new()) };
    without.try_into().map_err(|_| format!("`{WITHOUT}` is a list of settings, such as [\"pacing.rationing\"]"))
}

/// Removes the setting at this path; whether it was there.
fn take(settings: &mut Table, path: &[&str]) -> bool {
    match (path, path.first().and_then(|key| settings.get_mut(*key))) {
        ([key], Some(_)) => settings.remove(*key).is_some(),
        ([_, rest @ ..], Some(Value::Table(inner))) => take(inner, rest),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use counsel_controller::{Books, BooksSpec, Budget, Controller, by_context, recommended};
    use counsel_session::{Bookkeeping, Deployment};
    use serde::Deserialize;

    use super::*;

    /// What a controller holds, whatever the scenario.
    #[derive(Deserialize)]
    struct Held {
        #[serde(flatten)]
        books: Bookkeeping,
        #[serde(flatten)]
        deployment: Deployment,
    }

    fn held(text: &str) -> Held {
        expanded(toml::from_str(text).unwrap(), false).unwrap().try_into().unwrap()
    }

    #[test]
    fn the_settings_are_those_of_the_recommended_controller() {
        let budget = || Budget::calls(7);
        let known = [
            ("recommended", BooksSpec::recommended(), recommended(budget())),
            ("by-context", BooksSpec::by_context(), by_context(budget())),
        ];
        for (name, books_spec, settings) in known {
            let Held { books, deployment } =
                held(&format!("controller = \"{name}\"\nprice = 0.01\nbudget = {{ per_run = 7 }}"));
            assert_eq!(books.spec(), books_spec);
            assert!(Books::new(books.spec(), 3).is_ok());
            assert_eq!(deployment.settings, settings);
        }
    }

    #[test]
    fn a_predictor_is_set_where_the_study_declares_one() {
        let named = || toml::from_str("controller = 'recommended'").unwrap();
        let predictor = &expanded(named(), true).unwrap()[PREDICTOR];
        let predictor: PredictorSpec = predictor.clone().try_into().unwrap();
        let controller = Controller::recommended(0.01, Budget::calls(7), &["a", "b"]).unwrap();
        assert_eq!(controller.declared_predictor(), Some(predictor));
        assert!(!expanded(named(), false).unwrap().contains_key(PREDICTOR));
    }

    #[test]
    fn own_settings_stand_over_those_of_the_controller() {
        let whole = expanded(toml::from_str("controller = 'recommended'\npatience = 9").unwrap(), false).unwrap();
        assert_eq!(whole["patience"].as_integer(), Some(9));
        assert!(!whole.contains_key(CONTROLLER) && whole.contains_key("gate"));
    }

    #[test]
    fn a_part_that_is_left_out_is_no_longer_there_and_everything_else_is() {
        let vetting = "agent.experienced.vetting";
        let text = format!("controller = 'recommended'\nwithout = ['{vetting}', 'guard']\npatience = 9");
        let less = expanded(toml::from_str(&text).unwrap(), true).unwrap();
        let mut whole = expanded(toml::from_str("controller = 'recommended'\npatience = 9").unwrap(), true).unwrap();
        assert!(whole["agent"]["experienced"].get("vetting").is_some() && whole.contains_key("guard"));
        assert!(take(&mut whole, &["agent", "experienced", "vetting"]) && take(&mut whole, &["guard"]));
        assert_eq!(less, whole);
    }

    #[test]
    fn a_part_that_a_controller_does_not_have_is_refused() {
        let refused = |text: &str| expanded(toml::from_str(text).unwrap(), true).unwrap_err();
        let unknown = refused("controller = 'recommended'\nwithout = ['pacing.rationing.window']");
        assert!(unknown.contains("`pacing.rationing.window`"), "{unknown}");
        assert!(refused("controller = 'recommended'\nwithout = ['patience.most']").contains("`patience.most`"));
        assert!(refused("controller = 'recommended'\nwithout = 'guard'").contains("a list"));
        assert!(refused("without = ['guard']").contains("`controller`"));
    }

    #[test]
    fn an_unknown_controller_is_refused_with_the_known_ones() {
        let refused = expanded(toml::from_str("controller = 'recomended'").unwrap(), true).unwrap_err();
        assert!(refused.contains("recommended"), "{refused}");
        assert!(expanded(toml::from_str("controller = 3").unwrap(), true).is_err());
    }
}
