//! Small cells for tests.

use counsel_decision::{
    Action, AdviceModel, Answer, Budget, CacheStatus, CandidateOnly, ContextKey, Evidence, Execution, Form, Gate,
    Outcome, Radius, Record, Reply, Response, ResponseLaw, Seed, Settings, ValueBounds, ValueSamples, Verdict,
};
use counsel_log::{Before, CellKey, Decision, Frame, Hindsight, LogFile, Manifest, Totals, Versions};
use serde_json::json;

use super::CellLog;

/// A cell with its decisions.
pub(in crate::study) struct Specimen {
    pub(in crate::study) manifest: Manifest,
    frame: Frame,
}

impl Specimen {
    pub(in crate::study) fn log(&self) -> CellLog<'_> {
        CellLog { manifest: &self.manifest, frame: &self.frame }
    }
}

/// A decision with two actions, the radius 0.1 and nothing else of note.
fn decision(episode: u64, step_in_episode: u64) -> Decision {
    let law = ResponseLaw::new(2, vec![0.5, 0.5, 0.0]).unwrap();
    let samples = ValueSamples::new(2, vec![0.0, 0.0]).unwrap();
    let bounds = ValueBounds::new(vec![0.0, 0.0], vec![1.0, 1.0]).unwrap();
    let advice = CandidateOnly::new(law, samples, bounds, Action(0)).unwrap();
    let mut evidence = Evidence::new(ContextKey(0), AdviceModel::CandidateOnly(advice), 0.01).unwrap();
    evidence = evidence.with_radius(Radius::new(0.1).unwrap());
    let record = Record {
        step: 0,
        place: 0,
        batch: None,
        episode,
        step_in_episode,
        evidence,
        no_query: Action(0),
        cached: None,
        cache_status: CacheStatus::Off,
        prospects: Vec::new(),
        estimate: 0.0,
        reuse_value: None,
        pacing: 1.0,
        paced_price: 0.01,
        score: 0.0,
        threshold: 0.0,
        calls_left: 9,
        bankroll: None,
        panel: None,
        outcome: Outcome::Silent,
        overridden: None,
        executed: Action(0),
    };
    Decision::new(record, Hindsight::default())
}

/// An episode of this many steps, rewarded at its end.
pub(in crate::study) fn episode(number: u64, steps: u64, reward: f64) -> Vec<Decision> {
    let mut decisions: Vec<Decision> = (0..steps).map(|step| decision(number, step)).collect();
    decisions.last_mut().unwrap().hindsight.reward = reward;
    decisions
}

/// A decision with this estimate and this label.
pub(in crate::study) fn labelled(episode: u64, step: u64, estimate: f64, label: f64) -> Decision {
    let mut decision = decision(episode, step);
    decision.record.estimate = estimate;
    decision.hindsight.proxy_value = Some(label);
    decision
}

/// What an answer was like.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct Advice {
    pub(in crate::study) usable: bool,
    pub(in crate::study) executed: bool,
    pub(in crate::study) corrupted: Option<bool>,
    pub(in crate::study) gap: Option<f64>,
    pub(in crate::study) tokens: Option<(u32, u32)>,
}

impl Default for Advice {
    fn default() -> Self {
        Self { usable: true, executed: true, corrupted: None, gap: None, tokens: None }
    }
}

/// A decision at which this advice was bought.
pub(in crate::study) fn asked(advice: Advice) -> Decision {
    let mut decision = decision(0, 0);
    let (request_tokens, response_tokens) = advice.tokens.unzip();
    decision.record.outcome = Outcome::Asked(Answer {
        reply: Reply { request_tokens, response_tokens, ..Reply::simulated("") },
        response: if advice.usable { Response::Recommends(Action(1)) } else { Response::Unusable },
        verdict: match (advice.usable, advice.executed) {
            (false, _) => Verdict::Unusable,
            (true, true) => Verdict::Executed,
            (true, false) => Verdict::Uncertified,
        },
    });
    decision.hindsight.corrupted = advice.corrupted;
    decision.hindsight.advice_gap = advice.gap;
    decision
}

/// A cell with these decisions.
pub(in crate::study) fn cell(decisions: &[Decision]) -> Specimen {
    let manifest = Manifest {
        key: CellKey { study: "babyai-main".into(), arm: "obj.never".into(), seed: 0 },
        arm_order: 0,
        form: Form::Word,
        spec: json!({ "horizon": 64 }),
        versions: Versions { counsel: String::new(), log_format: Manifest::FORMAT },
        settings: Settings::new(Gate::Never, Execution::Trusting, Budget::calls(9)),
        advisor: "m/plain/generate".into(),
        advisors: Vec::new(),
        answers: counsel_log::AnswersFrom::Recorded,
        words: Vec::new(),
        engine_seed: Seed::root(0),
        calibration: None,
        totals: Totals::of(decisions, Before::default()),
        log: LogFile { file: String::new(), rows: 0, sha256: String::new() },
        pieces: Vec::new(),
        seal: String::new(),
    };
    let frame = Frame::of(decisions, &manifest.key);
    Specimen { manifest, frame }
}
