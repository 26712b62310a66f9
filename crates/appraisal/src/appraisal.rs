//! The appraisal of one advisor on one task.

use counsel_babyai::{Act, World};
use counsel_decision::{Response, Seed};
use counsel_prompt::{Situation, Task};
use rand::RngExt;

use crate::{Error, HORIZON, Heard, Moment, Panel, Share, moments};

/// How often a wrong answer is followed by another wrong one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repeats {
    /// When the same words are said again.
    pub identical: Share,
    /// When it is said in other words, where such a template was given.
    pub paraphrase: Option<Share>,
    /// When the answer that did not help is told, where such a template was given.
    pub repair: Option<Share>,
}

/// What an answer takes on average, where it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// Tokens sent.
    pub request_tokens: Option<f64>,
    /// Tokens received.
    pub response_tokens: Option<f64>,
    /// Time from request to answer.
    pub latency_ms: Option<f64>,
}

/// What an advisor is worth on a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Appraisal {
    /// Right answers while the target is in view.
    pub visible: Share,
    /// Right answers while it is not.
    pub hidden: Share,
    /// Answers that could not be understood.
    pub unusable: Share,
    /// How often each response came: the seven actions by number, then unusable.
    pub answers: Vec<usize>,
    /// How wrong answers repeat.
    pub repeats: Repeats,
    /// What an answer takes.
    pub cost: Cost,
    /// Episodes that succeed when every answer is obeyed; an answer that is not understood passes the turn.
    pub success: Share,
}

/// Appraises an advisor at so many moments and in so many episodes of a task. The other two ask again after a wrong answer: in
/// other words, and with the answer that did not help.
pub fn appraise(
    task: Task,
    count: usize,
    seed: Seed,
    advisor: &mut Panel<'_>,
    mut paraphrase: Option<&mut Panel<'_>>,
    mut repair: Option<&mut Panel<'_>>,
) -> Result<Appraisal, Error> {
    let mut appraisal = Appraisal {
        visible: Share::default(),
        hidden: Share::default(),
        unusable: Share::default(),
        answers: vec![0; Act::ALL.len() + 1],
        repeats: Repeats {
            identical: Share::default(),
            paraphrase: paraphrase.as_ref().map(|_| Share::default()),
            repair: repair.as_ref().map(|_| Share::default()),
        },
        cost: Cost::default(),
        success: Share::default(),
    };
    let mut heard = Vec::with_capacity(count);
    let mut wordings = seed.stream("wordings").rng();
    for moment in moments(task, count, seed.stream("moments"))? {
        let first = advisor.ask(&moment.situation)?;
        let right = is_right(&moment, first.response);
        let seen = if moment.situation.place().is_some() { &mut appraisal.visible } else { &mut appraisal.hidden };
        seen.count(right);
        appraisal.unusable.count(first.response == Response::Unusable);
        appraisal.answers[first.response.index(Act::ALL.len())] += 1;
        let Repeats { identical, paraphrase: other_words, repair: repaired } = &mut appraisal.repeats;
        if !right {
            let again = |panel: &mut Panel<'_>, situation: Situation, share: &mut Share| -> Result<(), Error> {
                share.count(!is_right(&moment, panel.ask(&situation)?.response));
                Ok(())
            };
            again(advisor, moment.situation.clone(), identical)?;
            if let (Some(panel), Some(share)) = (paraphrase.as_deref_mut(), other_words) {
                let wording = wordings.random_range(0..panel.wordings());
                again(panel, moment.situation.clone().worded(wording), share)?;
            }
            if let (Some(panel), Some(share)) = (repair.as_deref_mut(), repaired) {
                again(panel, moment.situation.clone().after(first.response), share)?;
            }
        }
        heard.push(first);
    }
    appraisal.cost = cost(&heard);
    appraisal.success = closed_loop(task, count, seed.stream("episodes"), advisor)?;
    Ok(appraisal)
}

fn is_right(moment: &Moment, response: Response) -> bool {
    act_of(response).is_some_and(|act| moment.best.contains(act))
}

fn act_of(response: Response) -> Option<Act> {
    match response {
        Response::Recommends(action) => Act::try_from(action.index()).ok(),
        Response::Unusable => None,
    }
}

/// How many episodes succeed when every answer is obeyed.
fn closed_loop(task: Task, episodes: usize, seed: Seed, advisor: &mut Panel<'_>) -> Result<Share, Error> {
    let mut world = World::with_max_steps(task.level(), HORIZON)?;
    let mut success = Share::default();
    for episode in 0..episodes as u64 {
        world.reset(Some(seed.index(episode).rng().random()));
        let reward = loop {
            let response = advisor.ask(&Situation::of(&world)?)?.response;
            let outcome = world.step(act_of(response).unwrap_or(Act::Done));
            if outcome.terminated || outcome.truncated {
                break outcome.reward;
            }
        };
        success.count(reward > 0.0);
    }
    Ok(success)
}

fn cost(heard: &[Heard]) -> Cost {
    let mean = |value: fn(&Heard) -> Option<f64>| {
        let values: Option<Vec<f64>> = heard.iter().map(value).collect();
        values.filter(|values| !values.is_empty()).map(|values| values.iter().sum::<f64>() / values.len() as f64)
    };
    Cost {
        request_tokens: mean(|heard| heard.utterance.request_tokens.map(f64::from)),
        response_tokens: mean(|heard| heard.utterance.response_tokens.map(f64::from)),
        latency_ms: mean(|heard| heard.utterance.latency_ms),
    }
}
