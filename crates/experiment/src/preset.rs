//! The recommended controller as settings of a study. There is one table of it, `controllers.toml`; an arm or a whole study that
//! writes `controller = "recommended"` holds what stands there, with its own settings over it.

use counsel_decision::refusal::UnknownName;
use toml::{Table, Value};

use crate::change::lay_over;

/// The key of a controller's name.
const CONTROLLER: &str = "controller";

/// The settings of each controller that has a name.
const CONTROLLERS: &str = include_str!("../controllers.toml");

/// The key of its predictor, which only worlds have in which answers are predicted.
const PREDICTOR: &str = "predictor";

/// The settings with those of the controller that they name below them. Settings that name none stay as they are. Its predictor
/// belongs to them where the study `predicts`, that is, declares one for all of its arms.
pub(crate) fn expanded(mut settings: Table, predicts: bool) -> Result<Table, String> {
    let Some(named) = settings.remove(CONTROLLER) else { return Ok(settings) };
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
    lay_over(&mut whole, &settings);
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use counsel_controller::{Books, BooksSpec, Budget, Controller, PredictorSpec, by_context, recommended};
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
    fn an_unknown_controller_is_refused_with_the_known_ones() {
        let refused = expanded(toml::from_str("controller = 'recomended'").unwrap(), true).unwrap_err();
        assert!(refused.contains("recommended"), "{refused}");
        assert!(expanded(toml::from_str("controller = 3").unwrap(), true).is_err());
    }
}
