//! Metrics: how long requests and questions took, what models used, and the counts of `GET /metrics` under their dotted names.

use std::time::SystemTime;

use counsel_serve::{SeenModel, SeenRequest};
use serde_json::{Value, json};

use crate::histogram::{Histogram, SECONDS, TOKENS};
use crate::span::{Attributes, moment};

/// What is measured since the start.
#[derive(Debug)]
pub(crate) struct Measured {
    start: String,
    requests: Histogram,
    operations: Histogram,
    tokens: Histogram,
}

/// The shape of a path: what stands in the place of names.
pub(crate) fn route(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["", "v1", kind @ ("policies" | "budgets" | "decisions" | "episodes" | "advisors"), _] => {
            format!("/v1/{kind}/{{name}}")
        }
        ["", "v1", kind @ ("decisions" | "episodes"), _, verb @ ("resume" | "outcome" | "explain" | "end")] => {
            format!("/v1/{kind}/{{name}}/{verb}")
        }
        ["", "v1", "decisions" | "ask" | "models"] | ["", "v1", "chat", "completions"] => path.to_owned(),
        ["", "mcp", _] => "/mcp/{name}".to_owned(),
        _ => "other".to_owned(),
    }
}

/// What is said of a question to a model.
pub(crate) fn asked(model: &str, operation: &str) -> Attributes {
    Attributes::default().with("gen_ai.operation.name", operation).with("gen_ai.request.model", model)
}

impl Measured {
    pub(crate) fn since(start: SystemTime) -> Self {
        Self {
            start: moment(start),
            requests: Histogram::new("http.server.request.duration", "s", SECONDS),
            operations: Histogram::new("gen_ai.client.operation.duration", "s", SECONDS),
            tokens: Histogram::new("gen_ai.client.token.usage", "{token}", TOKENS),
        }
    }

    pub(crate) fn saw(&mut self, seen: &SeenRequest) {
        let attributes = Attributes::default()
            .with("http.request.method", seen.request.method.as_str())
            .with("http.route", route(seen.request.path()))
            .with("http.response.status_code", seen.response.status);
        self.requests.record(attributes, seen.took.as_secs_f64());
    }

    pub(crate) fn heard(&mut self, spoken: &SeenModel) {
        let attributes = asked(&spoken.model, "chat");
        for (kind, tokens) in ["input", "output"].into_iter().zip(spoken.tokens) {
            if let Some(tokens) = tokens {
                self.tokens.record(attributes.clone().with("gen_ai.token.type", kind), tokens as f64);
            }
        }
        let failed = if spoken.has_answered { Value::Null } else { "no answer".into() };
        self.operations.record(attributes.with("error.type", failed), spoken.took.as_secs_f64());
    }

    /// All metrics at this moment, with the counts of the server in the text format of Prometheus.
    pub(crate) fn json(&self, now: SystemTime, counts: &str) -> Vec<Value> {
        let now = moment(now);
        let between = [self.start.as_str(), now.as_str()];
        let own = [&self.requests, &self.operations, &self.tokens].into_iter().filter_map(|one| one.json(between));
        own.chain(converted(counts, between)).collect()
    }
}

/// Counters and gauges in the text format of Prometheus, as metrics of OTLP.
fn converted(text: &str, [start, now]: [&str; 2]) -> Vec<Value> {
    let mut metrics: Vec<(String, String, bool, Vec<Value>)> = Vec::new();
    let mut help = String::new();
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("# HELP ") {
            help = said.split_once(' ').map_or(String::new(), |(_, help)| help.to_owned());
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|said| said.split_once(' ')) {
            metrics.push((name.to_owned(), std::mem::take(&mut help), kind == "counter", Vec::new()));
        } else if let (Some((series, number)), Some((_, _, _, points))) = (line.rsplit_once(' '), metrics.last_mut()) {
            let Ok(number) = number.parse::<f64>() else { continue };
            let labels = series.split_once('{').map_or("", |(_, labels)| labels.trim_end_matches('}'));
            points.push(json!({
                "startTimeUnixNano": start, "timeUnixNano": now, "asDouble": number, "attributes": labelled(labels).json(),
            }));
        }
    }
    let metrics = metrics.into_iter().filter(|(.., points)| !points.is_empty());
    metrics
        .map(|(name, help, is_counter, points)| {
            let name = name.trim_end_matches("_total").replacen("counsel_", "counsel.", 1).replace('_', ".");
            let kind = if is_counter { "sum" } else { "gauge" };
            let mut data = json!({ "dataPoints": points });
            if is_counter {
                data["aggregationTemporality"] = 2.into();
                data["isMonotonic"] = true.into();
            }
            json!({ "name": name, "description": help, kind: data })
        })
        .collect()
}

/// Labels such as `a="b",c="d"`; a quotation mark in a value stands behind a backslash.
fn labelled(text: &str) -> Attributes {
    let mut attributes = Attributes::default();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once("=\"") {
        let (mut value, mut end, mut is_escaped) = (String::new(), after.len(), false);
        for (at, letter) in after.char_indices() {
            match letter {
                '\\' if !is_escaped => is_escaped = true,
                '"' if !is_escaped => {
                    end = at;
                    break;
                }
                letter => {
                    value.push(letter);
                    is_escaped = false;
                }
            }
        }
        attributes.put(&format!("counsel.{}", name.trim_start_matches(',')), value);
        rest = after.get(end + 1..).unwrap_or("");
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_server_keep_their_numbers_and_labels() {
        let text = "# HELP counsel_verdicts_total Verdicts.\n# TYPE counsel_verdicts_total counter\n\
            counsel_verdicts_total{policy=\"a\\\"b\",verdict=\"ask\"} 3\n# HELP x y\n# TYPE counsel_budget_spent gauge\n\
            counsel_budget_spent{budget=\"p\",unit=\"usd\"} 0.5\n# TYPE counsel_none counter\n";
        let told = converted(text, ["1", "2"]);
        assert_eq!(told.len(), 2);
        assert_eq!(
            (&told[0]["name"], &told[0]["sum"]["dataPoints"][0]["asDouble"]),
            (&json!("counsel.verdicts"), &json!(3.0))
        );
        assert_eq!(told[0]["sum"]["dataPoints"][0]["attributes"][0]["value"]["stringValue"], "a\"b");
        assert_eq!(told[0]["sum"]["dataPoints"][0]["attributes"][1]["key"], "counsel.verdict");
        assert_eq!(told[1]["gauge"]["dataPoints"][0]["asDouble"], json!(0.5));
    }

    #[test]
    fn names_in_paths_are_no_routes() {
        for (path, shape) in [
            ("/v1/decisions/d17/outcome", "/v1/decisions/{name}/outcome"),
            ("/v1/decisions", "/v1/decisions"),
            ("/v1/chat/completions", "/v1/chat/completions"),
            ("/mcp/coding", "/mcp/{name}"),
            ("/v1/anything/else", "other"),
        ] {
            assert_eq!(route(path), shape);
        }
    }
}
