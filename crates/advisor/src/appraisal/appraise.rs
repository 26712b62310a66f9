//! The appraisal of one advisor on one task.

use counsel_decision::{Response, Seed};
use rand::RngExt;

use super::{Heard, Panel, Share};
use crate::{Asking, Error, Moment, Narrator};

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
    /// Right answers while the goal is in view.
    pub visible: Share,
    /// Right answers while it is not.
    pub hidden: Share,
    /// Answers that could not be understood.
    pub unusable: Share,
    /// How often each response came: the actions by number, then unusable.
    pub answers: Vec<usize>,
    /// How wrong answers repeat.
    pub repeats: Repeats,
    /// What an answer takes.
    pub cost: Cost,
    /// Episodes that succeed when every answer is obeyed; an answer that is not understood passes the turn.
    pub success: Share,
}

/// Where and how often an advisor is appraised.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    /// The world.
    pub world: &'a dyn Narrator,
    /// The task.
    pub task: &'a str,
    /// How many moments, and as many episodes.
    pub count: usize,
    /// What moments, wordings and episodes are drawn from.
    pub seed: Seed,
}

/// Appraises an advisor. The other two ask again after a wrong answer: in other words, and with the answer that did not
/// help.
pub fn appraise(
    sample: Sample<'_>,
    advisor: &mut Panel<'_>,
    mut paraphrase: Option<&mut Panel<'_>>,
    mut repair: Option<&mut Panel<'_>>,
) -> Result<Appraisal, Error> {
    let Sample { world, task, count, seed } = sample;
    let actions = advisor.actions();
    let mut appraisal = Appraisal {
        visible: Share::default(),
        hidden: Share::default(),
        unusable: Share::default(),
        answers: vec![0; actions + 1],
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
    for moment in world.moments(task, count, seed.stream("moments"))? {
        let first = ask(advisor, moment.as_ref(), Asking::First)?;
        let right = is_right(moment.as_ref(), first.response);
        let seen = if moment.is_goal_in_view() { &mut appraisal.visible } else { &mut appraisal.hidden };
        seen.count(right);
        appraisal.unusable.count(first.response == Response::Unusable);
        appraisal.answers[first.response.index(actions)] += 1;
        let Repeats { identical, paraphrase: other_words, repair: repaired } = &mut appraisal.repeats;
        if !right {
            let again = |panel: &mut Panel<'_>, asking: Asking, share: &mut Share| -> Result<(), Error> {
                share.count(!is_right(moment.as_ref(), ask(panel, moment.as_ref(), asking)?.response));
                Ok(())
            };
            again(advisor, Asking::First, identical)?;
            if let (Some(panel), Some(share)) = (paraphrase.as_deref_mut(), other_words) {
                let wording = wordings.random_range(0..panel.wordings());
                again(panel, Asking::Worded(wording), share)?;
            }
            if let (Some(panel), Some(share)) = (repair.as_deref_mut(), repaired) {
                again(panel, Asking::After(first.response), share)?;
            }
        }
        heard.push(first);
    }
    appraisal.cost = cost(&heard);
    let template = advisor.template().to_owned();
    for episode in 0..count as u64 {
        let seed = seed.stream("episodes").index(episode);
        let mut obeyed = |prompt| advisor.ask(prompt).map(|heard| heard.response);
        appraisal.success.count(world.obey(task, &template, seed, &mut obeyed)?);
    }
    Ok(appraisal)
}

fn ask(panel: &mut Panel<'_>, moment: &dyn Moment, asking: Asking) -> Result<Heard, Error> {
    let prompt = moment.prompt(panel.template(), asking)?;
    panel.ask(prompt)
}

fn is_right(moment: &dyn Moment, response: Response) -> bool {
    match response {
        Response::Recommends(action) => moment.right().contains(&action),
        Response::Unusable => false,
    }
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
