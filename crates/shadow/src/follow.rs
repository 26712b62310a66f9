//! What a policy would do at every row of a log, from the evidence that was logged there. It is fed only answers that it would
//! have bought, and that were bought.

use counsel_decision::{Acted, Engine, Turn};

use crate::policy::{Policy, Shadowed};
use crate::{Error, ShadowLog};

/// What would be done at one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Would {
    /// Whether somebody would be asked.
    pub asks: bool,
    /// What would be done; nothing where that depends on an answer that nobody bought.
    pub action: Option<u16>,
    /// Δ̂, where the log has values.
    pub estimate: f64,
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
        let rows = log.base.iter().map(|&base| Would { asks: false, action: Some(base), estimate: 0.0 }).collect();
        return Ok(Followed { rows });
    }
    let mut rows = Vec::with_capacity(log.rows());
    let mut engine: Option<(usize, Engine)> = None;
    for episode in &log.episodes {
        let (_, engine) = match &mut engine {
            Some((run, engine)) if *run == episode.run => (*run, engine),
            other => {
                let fresh = Engine::new(&shadowed.controller, log.parser.clone(), log.seeds[episode.run])?;
                let (run, fresh) = other.insert((episode.run, fresh));
                (*run, fresh)
            }
        };
        engine.begin_episode();
        for row in episode.rows.clone() {
            let Some(mut evidence) = log.evidence(row, shadowed.law.as_ref(), shadowed.radius)? else {
                rows.push(Would { asks: false, action: None, estimate: 0.0 });
                continue;
            };
            evidence.kappa = shadowed.kappa.unwrap_or(evidence.kappa);
            rows.push(match engine.decide(evidence) {
                Turn::Act(acted) => {
                    Would { asks: false, action: Some(acted.action.0), estimate: acted.record.estimate }
                }
                Turn::Ask(question) => {
                    let estimate = question.preview().estimate;
                    // An answer that nobody bought is not known; the call is spent all the same.
                    let action = log.reply(row).map(|reply| {
                        let Acted { action, .. } = engine.resume(*question, reply);
                        action.0
                    });
                    Would { asks: true, action, estimate }
                }
            });
        }
    }
    Ok(Followed { rows })
}
