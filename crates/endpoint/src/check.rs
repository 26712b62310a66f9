//! Is the endpoint alive, which models has it, and does it give log-probabilities?

use std::sync::atomic::Ordering;

use counsel_advisor::{Identity, LanguageModel, Message, Outage, Prompt, Role};
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use crate::connection::{Connection, milliseconds};
use crate::dialect::is_same_model;
use crate::exchange::{Failure, HttpRequest, Received};
use crate::key::quote;
use crate::{Endpoint, chat};

/// What one paid request showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
    /// Log-probabilities come with the answer.
    Given,
    /// The answer comes without.
    Absent,
    /// No answer came.
    Unknown,
}

/// What an endpoint showed of itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Its address.
    pub base_url: String,
    /// The model that would be asked.
    pub model: String,
    /// Whether it replied at all.
    pub alive: bool,
    /// The models it lists, in order of name; at most 1000.
    pub models: Vec<String>,
    /// Whether it gives log-probabilities.
    pub log_probabilities: Probe,
    /// Tokens of the paid request, where it counts them.
    pub request_tokens: Option<u32>,
    /// Tokens of the paid answer, where it counts them.
    pub response_tokens: Option<u32>,
    /// Time from the paid request to its answer, where one came.
    pub latency_ms: Option<f64>,
    /// The model that the answer names, where it names one.
    pub answered_as: Option<String>,
    /// What went wrong, one line each.
    pub problems: Vec<String>,
}

impl Check {
    fn of(identity: &Identity) -> Self {
        Self {
            base_url: identity.version.clone(),
            model: identity.model.clone(),
            alive: false,
            models: Vec::new(),
            log_probabilities: Probe::Unknown,
            request_tokens: None,
            response_tokens: None,
            latency_ms: None,
            answered_as: None,
            problems: Vec::new(),
        }
    }
}

impl Endpoint {
    /// Lists the models, which is free, and asks for one token with log-probabilities, which is a call of the ledger.
    pub fn check(&self) -> Check {
        let connection = self.connection();
        let checked = self.run([async move { connection.check().await }]);
        checked.into_iter().flatten().next().unwrap_or_else(|| Check {
            problems: vec!["the check was lost inside the endpoint; please report this".to_owned()],
            ..Check::of(self.identity())
        })
    }
}

impl Connection {
    async fn check(&self) -> Check {
        let mut check = Check::of(&self.identity);
        match self.list_models().await {
            Ok(models) => {
                check.alive = true;
                check.models = models;
                if !check.models.iter().any(|listed| is_same_model(&check.model, listed)) {
                    check.problems.push(format!("models: `{}` is not listed", check.model));
                }
            }
            Err(failure) => {
                check.alive = failure.status.is_some();
                check.problems.push(format!("models: {}", failure.outage));
            }
        }
        let message = Message::new(Role::User, "Answer with one word: yes or no?");
        let body = chat::probe(&self.settings, &message);
        let prompt = Prompt::new(vec![message], 0).digest();
        let started = Instant::now();
        match self.converse(self.number(), prompt, &body, Ok).await {
            Ok(reply) => {
                check.alive = true;
                check.log_probabilities = if reply.candidates.is_empty() { Probe::Absent } else { Probe::Given };
                (check.request_tokens, check.response_tokens) = (reply.request_tokens, reply.response_tokens);
                check.answered_as = reply.model;
                check.latency_ms = Some(milliseconds(started.elapsed()));
            }
            Err(Outage { reason, .. }) => check.problems.push(format!("answer: {reason}")),
        }
        // One that refuses is not silent.
        check.alive |= self.replied.load(Ordering::Relaxed);
        check
    }

    async fn list_models(&self) -> Result<Vec<String>, Failure> {
        let key = self.settings.key.as_ref();
        let request = HttpRequest {
            client: &self.client,
            key,
            url: &self.models,
            body: None,
            max_body_bytes: self.settings.max_body_bytes,
        };
        let until = Instant::now() + self.settings.time_out.min(self.settings.deadline);
        let Received { status, body } = self.within(until, request).await?;
        let whole: Value = serde_json::from_slice(&body).unwrap_or_default();
        let Some(entries) = whole["data"].as_array() else {
            return Err(Failure::stop(Some(status), Outage::new("the reply is no list of models")));
        };
        let names = entries.iter().filter_map(|entry| entry["id"].as_str()).take(1000);
        let mut names: Vec<String> = names.map(|name| quote(key, name)).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}
