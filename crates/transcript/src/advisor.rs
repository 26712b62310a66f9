//! Whose answers these are: a model, and the template of the prompts it was given.

use counsel_advisor::{AdvisorName, Decoding, Digest, Edition, Identity, Request};
use serde::{Deserialize, Serialize};

/// The template that made the prompts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedTemplate {
    /// Its name, as `abstract`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The digest of its text.
    pub digest: Digest,
}

impl From<&Edition> for RecordedTemplate {
    fn from(edition: &Edition) -> Self {
        let Edition { name, version, digest, .. } = edition;
        Self { name: name.clone(), version: version.to_string(), digest: *digest }
    }
}

/// Whose answers these are. Answers of different advisors are never mixed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedAdvisor {
    /// Which model answers, and what runs it.
    pub identity: Identity,
    /// The template of the prompts.
    pub template: RecordedTemplate,
    /// How answers are taken: `generate` or `scored`. Word sets, seeds and limits may differ from answer to answer.
    pub decoding: String,
}

impl RecordedAdvisor {
    /// An advisor that takes its answers as `decoding` does.
    pub fn new(identity: Identity, template: RecordedTemplate, decoding: &Decoding) -> Self {
        Self { identity, template, decoding: decoding.name().to_owned() }
    }

    /// Its name: model, template and decoding.
    pub fn name(&self) -> AdvisorName {
        AdvisorName {
            model: self.identity.model.clone(),
            template: self.template.name.clone(),
            decoding: self.decoding.clone(),
        }
    }

    /// What it is known by.
    pub fn digest(&self) -> Digest {
        let Self { identity: Identity { model, version, engine }, template, decoding } = self;
        Digest::of_parts(&[
            model.as_bytes(),
            version.as_bytes(),
            engine.as_bytes(),
            template.name.as_bytes(),
            template.version.as_bytes(),
            template.digest.as_bytes(),
            decoding.as_bytes(),
        ])
    }

    /// What its answer to a request is known by.
    pub fn key(&self, request: &Request) -> Digest {
        key(&self.digest(), &decoding_digest(&request.decoding), &request.prompt.digest())
    }
}

/// The key of an answer from the digests it consists of.
pub(crate) fn key(advisor: &Digest, decoding: &Digest, prompt: &Digest) -> Digest {
    Digest::of_parts(&[advisor.as_bytes(), decoding.as_bytes(), prompt.as_bytes()])
}

/// The decoding as it is kept: a seed without influence, and the sign of a temperature of 0, are left out.
pub(crate) fn canonical(decoding: Decoding) -> Decoding {
    match decoding {
        Decoding::Generate { max_tokens, temperature: 0.0, .. } => Decoding::greedy(max_tokens),
        other => other,
    }
}

/// What a decoding is known by, as it is kept.
pub(crate) fn decoding_digest(decoding: &Decoding) -> Digest {
    match canonical(decoding.clone()) {
        Decoding::Generate { max_tokens, temperature, seed } => Digest::of_parts(&[
            b"generate",
            &max_tokens.to_le_bytes(),
            &temperature.to_bits().to_le_bytes(),
            &seed.to_le_bytes(),
        ]),
        Decoding::Scored { words } => {
            let parts: Vec<&[u8]> =
                [b"scored".as_slice()].into_iter().chain(words.iter().map(String::as_bytes)).collect();
            Digest::of_parts(&parts)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_without_influence_is_no_part_of_the_key() {
        let generate = |temperature, seed| decoding_digest(&Decoding::Generate { max_tokens: 4, temperature, seed });
        assert_eq!(generate(0.0, 1), generate(-0.0, 2));
        assert_ne!(generate(0.5, 1), generate(0.5, 2));
        assert_ne!(
            decoding_digest(&Decoding::scored(["left", "right"])),
            decoding_digest(&Decoding::scored(["right", "left"]))
        );
        assert_ne!(
            decoding_digest(&Decoding::scored(["leftright"])),
            decoding_digest(&Decoding::scored(["left", "right"]))
        );
    }
}
