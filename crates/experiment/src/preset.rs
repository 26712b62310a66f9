//! The recommended controller as settings of a study. There is one table of it, `controllers.toml`; an arm or a whole study that
//! writes `controller = "recommended"` holds what stands there, with its own settings over it.

use counsel_decision::refusal::UnknownName;
use toml::{Table, Value};

use crate::change::lay_over;

/// The key of a controller's name.
const CONTROLLER: &str = "controller";

/// The settings of each controller that has a name.
const CONTROLLERS: &str = include_str!("../controllers.toml");

/// The settings with those of the controller that they name below them. Settings that name none stay as they are.
pub(crate) fn expanded(mut settings: Table) -> Result<Table, String> {
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
    lay_over(&mut whole, &settings);
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use counsel_controller::{Books, BooksSpec, Budget, States, recommended};
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
        expanded(toml::from_str(text).unwrap()).unwrap().try_into().unwrap()
    }

    #[test]
    fn the_settings_are_those_of_the_recommended_controller() {
        for (name, states) in [("recommended", States::Contexts), ("recommended-by-features", States::Features)] {
            let Held { books, deployment } =
                held(&format!("controller = \"{name}\"\nprice = 0.01\nbudget = {{ per_run = 7 }}"));
            assert_eq!(books.spec(), BooksSpec::recommended(states));
            assert!(Books::new(books.spec(), 3).is_ok());
            assert_eq!(deployment.settings, recommended(Budget::calls(7), states));
        }
    }

    #[test]
    fn own_settings_stand_over_those_of_the_controller() {
        let whole = expanded(toml::from_str("controller = 'recommended'\npatience = 9").unwrap()).unwrap();
        assert_eq!(whole["patience"].as_integer(), Some(9));
        assert!(!whole.contains_key(CONTROLLER) && whole.contains_key("gate"));
    }

    #[test]
    fn an_unknown_controller_is_refused_with_the_known_ones() {
        let refused = expanded(toml::from_str("controller = 'recomended'").unwrap()).unwrap_err();
        assert!(refused.contains("recommended"), "{refused}");
        assert!(expanded(toml::from_str("controller = 3").unwrap()).is_err());
    }
}
