//! An advisor is a model, a template and a decoding: `qwen2.5-coder-0.5b/abstract/scored`.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use counsel_decision::as_text;

use crate::Error;

/// The name of an advisor, the same on the command line, in logs and in tables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AdvisorName {
    /// The model.
    pub model: String,
    /// The template of its prompts.
    pub template: String,
    /// How answers are taken: `generate` or `scored`.
    pub decoding: String,
}

as_text!(AdvisorName);

impl Display for AdvisorName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { model, template, decoding } = self;
        write!(f, "{model}/{template}/{decoding}")
    }
}

impl FromStr for AdvisorName {
    type Err = Error;

    /// The last two parts are template and decoding, so that a model may be named `owner/model`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || Error::AdvisorName { text: text.to_owned() };
        let (rest, decoding) = text.rsplit_once('/').ok_or_else(refuse)?;
        let (model, template) = rest.rsplit_once('/').ok_or_else(refuse)?;
        let known = matches!(decoding, "generate" | "scored");
        if !known || model.is_empty() || template.is_empty() {
            return Err(refuse());
        }
        Ok(Self { model: model.to_owned(), template: template.to_owned(), decoding: decoding.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_as_it_prints() {
        for text in ["qwen2.5-coder-0.5b/abstract/scored", "owner/model/plain/generate"] {
            assert_eq!(text.parse::<AdvisorName>().unwrap().to_string(), text);
        }
        for text in ["", "m", "m/plain", "/plain/scored", "m//scored", "m/plain/beam"] {
            assert!(text.parse::<AdvisorName>().is_err(), "{text:?}");
        }
    }
}
