//! What can be wrong with a template, a name or a mission. Every message names the offending value and the remedy.

/// A request that this crate refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No template has this name.
    #[error("there is no template `{name}`{nearest}; the templates are {known}")]
    UnknownTemplate {
        /// What was asked for.
        name: String,
        /// A hint with the nearest name, or nothing.
        nearest: String,
        /// All names.
        known: String,
    },
    /// No task has this name.
    #[error("there is no task `{name}`{nearest}; the tasks are {known}")]
    UnknownTask {
        /// What was asked for.
        name: String,
        /// A hint with the nearest name, or nothing.
        nearest: String,
        /// All names.
        known: String,
    },
    /// No decoding has this name, or the template does not have it.
    #[error("the template `{template}` has no decoding `{name}`; it has {known}")]
    UnknownDecoding {
        /// The template.
        template: String,
        /// What was asked for.
        name: String,
        /// Those that it has.
        known: &'static str,
    },
    /// A mission that no template can tell.
    #[error(
        "the mission `{mission}` cannot be told: {reason}; choose a level whose mission is to go to, open or pick up one \
         object"
    )]
    Mission {
        /// The mission.
        mission: String,
        /// What stands in the way.
        reason: &'static str,
    },
    /// A place outside of the view.
    #[error(
        "no view has a place {ahead} ahead and {aside} aside; give 0 to 6 ahead and -3 to 3 aside, but not 0 and 0"
    )]
    Place {
        /// The steps ahead.
        ahead: u8,
        /// The steps to the right.
        aside: i8,
    },
    /// A template file that does not say what it must.
    #[error("the template {name}is not valid: {reason}")]
    Template {
        /// Its name in quotes and a space, or nothing.
        name: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
}

/// `, did you mean …?` if one of the names is close.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let name = name.to_lowercase();
    known
        .map(|candidate| (strsim::damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .min()
        .filter(|(distance, candidate)| distance * 2 <= candidate.len())
        .map_or_else(String::new, |(_, candidate)| format!(", did you mean `{candidate}`?"))
}
