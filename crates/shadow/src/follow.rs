//! What a policy would do at every row of a log, from the evidence that was logged there. It is fed only answers that it would
//! have bought, and that were bought.

use counsel_decision::{Act, Engine, Evidence, Preview, Response, Turn};

use crate::policy::{Policy, Shadowed};
use crate::{Error, ShadowLog};

/// What would be done at one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Would {
    /// Whether somebody would be asked.
    pub asks: bool,
    /// What would be done; `None` if that depends on an answer that nobody bought.
    pub action: Option<u16>,
    /// Δ̂, where the log has values.
    pub estimate: f64,
    /// What the logged answer is worth by the log's values; `None` if nobody was asked, or without values.
    pub worth: Option<f64>,
}

impl Would {
    fn act(action: Option<u16>) -> Self {
        Self { asks: false, action, estimate: 0.0, worth: None }
    }
}

/// What an answer that came is worth by the values: the part of Δ̂ that is its own.
pub(crate) fn worth(preview: &Preview, evidence: &Evidence, response: Response) -> f64 {
    let (advice, no_query) = (evidence.advice(), &preview.no_query);
    let after = advice.given(response).unwrap_or(advice.none());
    let before = if no_query.status.acts() { advice.kept(no_query.action) } else { advice.none() };
    after.mean(preview.prospects[response.index(evidence.actions())].action) - before.mean(no_query.action)
}

/// What a policy would do at every row, as if it had come there.
#[derive(Debug, Clone)]
pub struct Followed {
    /// Row by row.
    pub rows: Vec<Would>,
}

/// Follows a policy over a whole log.
pub fn follow(log: &ShadowLog, shadowed: &Shadowed) -> Result<Followed, Error> {
    if shadowed.policy == Policy::Never {
        let rows = log.base.iter().map(|&base| Would::act(Some(base))).collect();
        return Ok(Followed { rows });
    }
    let mut rows = Vec::with_capacity(log.rows());
    let mut engine: Option<(usize, Engine)> = None;
    for episode in &log.episodes {
        let (_, engine) = match &mut engine {
            Some((run, engine)) if *run == episode.run => (*run, engine),
            other => {
                let fresh = Engine::new(&shadowed.settings, log.parser.clone(), log.seeds[episode.run])?;
                let (run, fresh) = other.insert((episode.run, fresh));
                (*run, fresh)
            }
        };
        engine.begin_episode();
        for row in episode.rows.clone() {
            let Some(mut evidence) = log.evidence(row, shadowed.law.as_ref(), shadowed.radius)? else {
                rows.push(Would::act(None));
                continue;
            };
            if let Some(price) = shadowed.price {
                evidence = evidence.at_price(price)?;
            }
            let reply = log.reply(row);
            let worth =
                reply.as_ref().map(|reply| worth(&engine.preview(&evidence), &evidence, log.parser.parse(reply)));
            rows.push(match engine.decide(evidence)? {
                Turn::Act(acted) => {
                    Would { asks: false, action: Some(acted.action.0), estimate: acted.record.estimate, worth }
                }
                Turn::Ask(question) => {
                    let estimate = question.preview().estimate;
                    // An answer that nobody bought is not known; the call is spent all the same.
                    let action = reply.map(|reply| {
                        let Act { action, .. } = engine.resume(question, reply);
                        action.0
                    });
                    Would { asks: true, action, estimate, worth }
                }
            });
        }
    }
    Ok(Followed { rows })
}
