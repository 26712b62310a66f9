//! The routes: one table from which requests are dispatched and the OpenAPI document is made.

use crate::message::unescaped;
use crate::openapi::{Described, Keyed, part_in};
use crate::problem::{Kind, Problem};

/// What a route does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    PutPolicy,
    GetPolicy,
    PutBudget,
    GetBudget,
    Decide,
    GetDecision,
    Explain,
    Resume,
    Outcome,
    End,
    Advisor,
    Metrics,
    Health,
    OpenApi,
}

impl Action {
    /// Its name, for programs.
    fn name(self) -> &'static str {
        match self {
            Self::PutPolicy => "PutPolicy",
            Self::GetPolicy => "GetPolicy",
            Self::PutBudget => "PutBudget",
            Self::GetBudget => "GetBudget",
            Self::Decide => "Decide",
            Self::GetDecision => "GetDecision",
            Self::Explain => "Explain",
            Self::Resume => "Resume",
            Self::Outcome => "Outcome",
            Self::End => "End",
            Self::Advisor => "Advisor",
            Self::Metrics => "Metrics",
            Self::Health => "Health",
            Self::OpenApi => "OpenApi",
        }
    }

    /// Whether it changes anything.
    pub(crate) fn changes(self) -> bool {
        matches!(self, Self::PutPolicy | Self::PutBudget | Self::Decide | Self::Resume | Self::Outcome | Self::End)
    }
}

/// One route.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) method: &'static str,
    /// The path; `{name}` stands for one part of it.
    pub(crate) path: &'static str,
    pub(crate) action: Action,
    pub(crate) summary: &'static str,
    /// The schemas of the body and of the answer, by name.
    pub(crate) body: Option<&'static str>,
    pub(crate) answer: &'static str,
    /// The statuses of answers that are no problems.
    pub(crate) statuses: &'static [u16],
}

const fn route(
    (method, path): (&'static str, &'static str),
    action: Action,
    summary: &'static str,
    (body, answer): (Option<&'static str>, &'static str),
    statuses: &'static [u16],
) -> Route {
    Route { method, path, action, summary, body, answer, statuses }
}

/// All of them.
pub(crate) const ROUTES: &[Route] = &[
    route(
        ("PUT", "/v1/policies/{name}"),
        Action::PutPolicy,
        "Declare a policy, or another version of it",
        (Some("PolicySpec"), "Policy"),
        &[200, 201],
    ),
    route(
        ("GET", "/v1/policies/{name}"),
        Action::GetPolicy,
        "The version of a policy that is in force",
        (None, "Policy"),
        &[200],
    ),
    route(
        ("PUT", "/v1/budgets/{name}"),
        Action::PutBudget,
        "Declare a budget above policies",
        (Some("BudgetSpec"), "Budget"),
        &[200],
    ),
    route(
        ("GET", "/v1/budgets/{name}"),
        Action::GetBudget,
        "What is spent of a budget, and what is open",
        (None, "Budget"),
        &[200],
    ),
    route(
        ("POST", "/v1/decisions"),
        Action::Decide,
        "Decide whether to act or to ask; a permit is reserved before it leaves",
        (Some("DecisionRequest"), "Decision"),
        &[200, 201],
    ),
    route(
        ("GET", "/v1/decisions/{name}"),
        Action::GetDecision,
        "What is known of a decision",
        (None, "DecisionState"),
        &[200],
    ),
    route(
        ("GET", "/v1/decisions/{name}/explain"),
        Action::Explain,
        "Why a decision was made, in words and numbers",
        (None, "text"),
        &[200],
    ),
    route(
        ("POST", "/v1/decisions/{name}/resume"),
        Action::Resume,
        "Hand in the reply to a question; a permit is used once",
        (Some("ResumeRequest"), "Resumed"),
        &[200],
    ),
    route(
        ("POST", "/v1/decisions/{name}/outcome"),
        Action::Outcome,
        "Say what came of a decision; the last word counts",
        (Some("OutcomeRequest"), "Accepted"),
        &[200],
    ),
    route(
        ("POST", "/v1/episodes/{name}/end"),
        Action::End,
        "End an episode; its open questions are lost",
        (Some("EndRequest"), "Ended"),
        &[200],
    ),
    route(("GET", "/v1/advisors/{name}"), Action::Advisor, "The record of an advisor", (None, "Advisor"), &[200]),
    route(("GET", "/metrics"), Action::Metrics, "Counts for Prometheus", (None, "text"), &[200]),
    route(("GET", "/healthz"), Action::Health, "Whether the server is at work", (None, "Health"), &[200]),
    route(("GET", "/openapi.json"), Action::OpenApi, "This document", (None, "object"), &[200]),
];

impl Route {
    /// As the document describes it.
    pub(crate) fn described(&self) -> Described {
        let &Self { method, path, action, summary, body, answer, statuses } = self;
        let keyed = match action {
            Action::Decide => Keyed::Required,
            action if action.changes() => Keyed::Optional,
            _ => Keyed::Never,
        };
        let query: &[&str] = if action == Action::GetBudget { &["run", "episode", "child"] } else { &[] };
        Described { method, path, id: action.name(), summary, body, answer, statuses, keyed, query, refusal: None }
    }

    /// What a request asks for, and the name in its path.
    pub(crate) fn of(method: &str, path: &str) -> Result<(Action, String), Problem> {
        let matching = || ROUTES.iter().filter_map(|route| Some((route, route.name_in(path)?)));
        if let Some((route, name)) = matching().find(|(route, _)| route.method == method) {
            return Ok((route.action, name));
        }
        let methods: Vec<&str> = matching().map(|(route, _)| route.method).collect();
        Err(if methods.is_empty() {
            Problem::new(Kind::Unknown, "there is no such resource; GET /openapi.json lists them")
        } else {
            Problem::new(Kind::Method, format!("this resource bears {}", methods.join(", ")))
        })
    }

    /// The name in a path that fits; nothing if it does not.
    fn name_in(&self, path: &str) -> Option<String> {
        part_in(self.path, path).and_then(unescaped)
    }
}
