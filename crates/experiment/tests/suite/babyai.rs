//! The promises of the studies on BabyAI, on short versions of them.

use std::collections::BTreeMap;
use std::path::Path;

use counsel_advisor::{AdvisorName, Identity, LanguageModel, Outage, Request, Utterance};
use counsel_decision::{Execution, Gate, ReplySource};
use counsel_experiment::{
    Catalogue, Change, Confirmed, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange, WarmStarts,
    recompute_radius, rerun,
};
use counsel_log::{CellKey, Decision, Run, recompute};
use counsel_transcript::{Shelf, Transcript};

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

/// The cells of a study, cut down to seconds.
fn short(study: &str, arms: &[&str], changes: &[&str]) -> Vec<PlannedCell> {
    let catalogue = Catalogue::embedded().unwrap();
    let settings = ["episodes=4", "horizon=24", "learner.exploration.warm_up_episodes=4", "calibration.calibrate=12"];
    let changes: Vec<Change> = settings.iter().chain(changes).map(|text| text.parse().unwrap()).collect();
    let study = &catalogue.select(&[study.into()]).unwrap()[0];
    let mut cells = Plan::new(study, Some(&"5..6".parse::<SeedRange>().unwrap()), &changes).unwrap().into_cells();
    cells.retain(|cell| arms.contains(&cell.key.arm.as_str()));
    assert_eq!(cells.len(), 2 * arms.len());
    cells
}

fn recorded() -> Library {
    Library::recorded(Shelf::embedded())
}

fn play(folder: &Path, cells: &[PlannedCell], library: &Library, jobs: usize) -> Run {
    let run = Run::at(folder);
    Runner::new(run.clone(), library, jobs).run(cells, &Silent).unwrap();
    run
}

/// Every file of a run but its lock, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "json" || kind == "parquet") {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn bytes(folder: &Path) -> Vec<Vec<u8>> {
    files(folder).into_values().collect()
}

fn decisions(run: &Run, study: &str, arm: &str, seed: u64) -> Vec<Decision> {
    let key = CellKey { study: study.into(), arm: arm.into(), seed };
    run.cell(&key).unwrap().unwrap().decisions().unwrap()
}

const ARMS: [&str; 5] = [
    "obj-05-plain.never",
    "obj-05-plain.beta-0",
    "local-05-plain.beta-conf",
    "obj-05-plain.oracle-exact",
    "obj-05-plain.early-visible",
];

#[test]
fn the_same_bytes_for_any_number_of_threads_resumed_or_not() {
    let cells = short("babyai-main", &ARMS, &[]);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    play(folders[0].path(), &cells, &recorded(), 1);
    play(folders[1].path(), &cells[..3], &recorded(), 1);
    play(folders[1].path(), &cells, &recorded(), 3);
    assert_eq!(bytes(folders[0].path()), bytes(folders[1].path()));
}

#[test]
fn every_decision_can_be_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let cells = short("babyai-main", &ARMS, &[]);
    let (library, warm_starts) = (recorded(), WarmStarts::default());
    let run = play(folder.path(), &cells, &library, 2);
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        assert!(!decisions.is_empty());
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(recompute_radius(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &warm_starts).unwrap(), None, "{key}");
    }
}

#[test]
fn answers_kept_on_labelled_values_can_be_computed_again_too() {
    let folder = tempfile::tempdir().unwrap();
    let cells = short("babyai-best", &["obj-05-abstract.best", "local-05-abstract.predictive"], &["episodes=6"]);
    let (library, warm_starts) = (recorded(), WarmStarts::default());
    let run = play(folder.path(), &cells, &library, 2);
    let mut calls = 0;
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        calls += cell.manifest.totals.calls;
        assert_eq!(recompute(&cell.manifest, &cell.decisions().unwrap()).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &warm_starts).unwrap(), None, "{key}");
    }
    assert!(calls > 0, "nothing was asked");
}

#[test]
fn whole_episodes_pilots_and_screens_can_be_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let fewer = ["calibration.prefix_episodes=3"];
    let cells = [
        short("covered-radius", &["obj-05-abstract.closed-loop", "obj-05-abstract.net-value"], &fewer),
        short("near-threshold", &["obj-05-abstract.pilot-local"], &fewer),
        short("certificate-bounds", &["c050.screened-20"], &fewer),
    ]
    .concat();
    let (library, warm_starts) = (recorded(), WarmStarts::default());
    let run = play(folder.path(), &cells, &library, 2);
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(recompute_radius(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &warm_starts).unwrap(), None, "{key}");
        if let Some(calibration) = &cell.manifest.calibration
            && calibration.screen.is_some()
        {
            let mut altered = cell.manifest.clone();
            altered.settings.execution = Execution::Trusting;
            assert!(recompute_radius(&altered, &decisions).is_err(), "another rule than the scores give");
        }
    }
}

#[test]
fn the_replay_oracle_knows_every_answer_and_no_live_model_is_asked_by_it() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let always = ["gate={ policy = \"always\" }", "calibration.prefix_episodes=1"];
    let cells = short("babyai-matched", &["obj-15-plain.replay-oracle"], &always);
    let (library, warm_starts) = (recorded(), WarmStarts::default());
    let run = play(folder.path(), &cells, &library, 1);
    let mut known = 0;
    for key in run.keys().unwrap() {
        let cell = run.cell(&key).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        for Decision { record, .. } in &decisions {
            let Some(answer) = record.answer() else { continue };
            assert!((record.evidence.advice().law().probability(answer.response) - 1.0).abs() < 1e-12, "{key}");
            known += 1;
        }
        assert_eq!(recompute(&cell.manifest, &decisions).unwrap(), [], "{key}");
        assert_eq!(rerun(&cell.manifest, &library, &warm_starts).unwrap(), None, "{key}");
    }
    assert!(known > 40, "{known}");
    let live = live(false);
    let refused = Runner::new(Run::at(other.path()), &live, 1).run(&cells, &Silent).unwrap_err().to_string();
    assert!(refused.contains("the replay oracle reads every answer before it is paid for"), "{refused}");
    assert_eq!(live.confirmed(), Confirmed::default());
}

#[test]
fn without_a_temperature_the_prefix_is_the_same_and_the_predictor_another() {
    let folder = tempfile::tempdir().unwrap();
    let arms = ["obj-15-plain.beta-conf", "obj-15-plain.untempered"];
    let run = play(folder.path(), &short("babyai-matched", &arms, &[]), &recorded(), 2);
    let cell = |arm: &str| {
        let key = CellKey { study: "babyai-matched".into(), arm: arm.into(), seed: 5 };
        run.cell(&key).unwrap().unwrap()
    };
    let (fitted, plain) = (cell(arms[0]), cell(arms[1]));
    assert_eq!(fitted.manifest.totals.calibration_calls, plain.manifest.totals.calibration_calls);
    let law = |cell: &counsel_log::Cell| {
        let first = cell.decisions().unwrap().swap_remove(0).record;
        first.evidence.advice().law().as_slice().to_vec()
    };
    let (fitted, plain) = (law(&fitted), law(&plain));
    let most = |law: &[f64]| (0..law.len()).max_by(|one, other| law[*one].total_cmp(&law[*other]));
    assert!(fitted != plain && most(&fitted) == most(&plain), "{fitted:?} {plain:?}");
}

#[test]
fn a_gate_that_does_not_ask_behaves_as_never_query() {
    let folder = tempfile::tempdir().unwrap();
    let arms = ["obj-15-plain.never", "obj-15-plain.k050"];
    let dear = short("babyai-price", &arms, &["arms.obj-15-plain.k050.price=1.0"]);
    let formal = short("babyai-main", &["obj-15-plain.never", "obj-15-plain.beta-form"], &[]);
    let run = play(folder.path(), &[dear, formal].concat(), &recorded(), 2);
    let pairs = [("babyai-price", "k050"), ("babyai-main", "beta-form")];
    for (study, silent) in pairs {
        for seed in [5, 6] {
            let lived = |arm: &str| -> Vec<_> {
                let logged = decisions(&run, study, &format!("obj-15-plain.{arm}"), seed);
                assert!(logged.iter().all(|decision| !decision.record.asked()));
                logged.iter().map(|d| (d.record.executed, d.hindsight.reward.to_bits())).collect()
            };
            assert_eq!(lived("never"), lived(silent), "{study} {seed}");
        }
    }
}

#[test]
fn matched_controls_make_as_many_calls() {
    let folder = tempfile::tempdir().unwrap();
    let arms = ["obj-15-plain.beta-conf", "obj-15-plain.random-exact", "obj-15-plain.schedule"];
    let cells = short("babyai-exact", &arms, &["calibration.radius={ method = \"zero\" }", "episodes=6"]);
    let run = play(folder.path(), &cells, &recorded(), 2);
    let calls = |arm: &str, seed| {
        let logged = decisions(&run, "babyai-exact", arm, seed);
        logged.iter().filter(|decision| decision.record.asked()).count()
    };
    let mut asked = 0;
    for seed in [5, 6] {
        let ours = calls(arms[0], seed);
        asked += ours;
        assert_eq!(calls(arms[2], seed), ours);
        assert_eq!(calls(arms[1], seed), ours);
        let key = CellKey { study: "babyai-exact".into(), arm: arms[1].into(), seed };
        let Gate::RandomExact(gate) = run.cell(&key).unwrap().unwrap().manifest.settings.gate else { panic!() };
        assert_eq!(gate.calls_per_episode.iter().sum::<u64>(), ours as u64);
    }
    assert!(asked > 0, "nothing was asked");
}

#[test]
fn switching_the_certificate_off_changes_deployment_alone() {
    let folder = tempfile::tempdir().unwrap();
    let arms = ["obj-15-plain.beta-conf", "obj-15-plain.beta-conf-off"];
    let bold = ["episodes=12", "price=0.0", "calibration.radius={ method = \"constant\", alpha = 0.5 }"];
    let run = play(folder.path(), &short("babyai-corruption", &arms, &bold), &recorded(), 2);
    let mut parted = 0;
    for seed in [5, 6] {
        let cell = |arm: &str| {
            let key = CellKey { study: "babyai-corruption".into(), arm: arm.into(), seed };
            run.cell(&key).unwrap().unwrap()
        };
        let [on, off] = arms.map(cell);
        assert_eq!(on.manifest.calibration, off.manifest.calibration, "one radius");
        assert_eq!(on.manifest.totals.calibration_calls, off.manifest.totals.calibration_calls, "one prefix");
        let (on, off) = (on.decisions().unwrap(), off.decisions().unwrap());
        let alike = on.iter().zip(&off).take_while(|(on, off)| on.record.executed == off.record.executed).count();
        for (on, off) in on.iter().zip(&off).take(alike + 1) {
            assert_eq!(on.record.evidence, off.record.evidence, "one predictor until the runs part");
            assert_eq!(on.record.asked(), off.record.asked());
        }
        parted += usize::from(alike < on.len());
    }
    assert!(parted > 0, "the certificate rejected nothing");
}

#[test]
fn the_value_of_asking_is_learned_and_its_references_make_as_many_calls() {
    let folder = tempfile::tempdir().unwrap();
    let of = |block: &str, arm: &str| format!("{block}.{arm}");
    let references = ["schedule", "early-once", "early-visible", "random-exact"];
    let blocks = ["obj-05-abstract", "local-05-abstract"];
    let arms: Vec<String> =
        blocks.iter().flat_map(|block| ["learned"].iter().chain(&references).map(|arm| of(block, arm))).collect();
    let arms: Vec<&str> = arms.iter().map(String::as_str).collect();
    let cells = short("placement", &arms, &["episodes=8", "price=0.01", "gate.first=6", "gate.chance=0.3"]);
    let run = play(folder.path(), &cells, &recorded(), 2);
    let logged = |block, arm, seed| decisions(&run, "placement", &of(block, arm), seed);
    let calls = |decisions: &[Decision]| decisions.iter().filter(|decision| decision.record.asked()).count();
    let mut learned_calls = 0;
    for (block, seed) in blocks.iter().flat_map(|block| [(block, 5), (block, 6)]) {
        let learned = logged(block, "learned", seed);
        let asked: Vec<_> = learned.iter().filter(|decision| decision.record.asked()).collect();
        assert!(asked.len() >= 6, "the first calls are made at random");
        for decision in asked.iter().skip(6) {
            let forecast = decision.record.evidence.forecast().unwrap();
            assert_eq!(decision.record.score.to_bits(), (forecast.value() - 0.5 * forecast.error()).to_bits());
            assert!(decision.record.score >= 0.01);
            learned_calls += 1;
        }
        let first = asked[0].record.episode;
        let known = |episode: u64| learned.iter().filter(move |decision| decision.record.episode == episode);
        assert!(known(first).all(|decision| decision.record.evidence.forecast().is_none()), "nothing is learned yet");
        assert!(known(first + 1).all(|decision| decision.record.evidence.forecast().is_some()));
        assert!(learned.iter().any(|decision| decision.hindsight.simulated_steps > Some(0)), "labels have their cost");
        for reference in references {
            let played = logged(block, reference, seed);
            assert_eq!(calls(&played), asked.len(), "{block} {reference} {seed}");
            assert!(played.iter().all(|decision| decision.hindsight.simulated_steps.is_none()), "and those have none");
            let in_episode =
                |number| played.iter().filter(move |one| one.record.episode == number && one.record.asked());
            // What an episode had no room for is carried on by `random-exact`, so that its calls are exactly as many.
            let is_limited = (0..8).all(|number| in_episode(number).count() <= 8);
            assert!(is_limited || reference == "random-exact", "{reference} is limited as `learned` is");
        }
    }
    assert!(learned_calls > 0, "no forecast ever paid");
}

#[test]
fn a_bankroll_that_is_credited_by_labels_closes_the_gate_of_a_useless_advisor() {
    let folder = tempfile::tempdir().unwrap();
    let arms = ["obj-mute.predictive", "obj-mute.predictive-detector"];
    let changes = ["gate={ policy = \"always\" }", "episodes=4"];
    let run = play(folder.path(), &short("utility-detector", &arms, &changes), &recorded(), 2);
    for seed in [5, 6] {
        let asked = |arm| decisions(&run, "utility-detector", arm, seed).iter().filter(|d| d.record.asked()).count();
        assert!(asked(arms[0]) > 20);
        // It starts with the price of 20 calls; rounding may leave a little less than the last of them.
        assert!((19..=20).contains(&asked(arms[1])), "{} calls, and nothing was gained", asked(arms[1]));
    }
}

/// A model that knows the recorded answers, and may change its mind on some.
struct Echo {
    recorded: Transcript,
    contrary: bool,
}

impl LanguageModel for Echo {
    fn identity(&self) -> &Identity {
        self.recorded.identity()
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let mut answers = self.recorded.answer(requests);
        for answer in answers.iter_mut().flatten() {
            answer.latency_ms = Some(1234.5);
            if self.contrary {
                answer.text = "forward".into();
                answer.response_tokens = Some(99);
            }
        }
        answers
    }
}

fn live(contrary: bool) -> Library {
    let open = move |advisor: &AdvisorName| {
        let recorded = Transcript::replay(Shelf::embedded().open(advisor).map_err(|error| error.to_string())?);
        let model: Box<dyn LanguageModel + Send> = Box::new(Echo { recorded, contrary });
        Ok(model)
    };
    Library::live(Shelf::embedded(), Box::new(open), None)
}

#[test]
fn a_live_run_that_agrees_leaves_the_bytes_of_its_replay() {
    let cells = short("babyai-main", &["obj-05-plain.always", "obj-05-plain.beta-0"], &[]);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    play(folders[0].path(), &cells, &recorded(), 2);
    let agreeing = live(false);
    play(folders[1].path(), &cells, &agreeing, 2);
    let Confirmed { asked, agreed } = agreeing.confirmed();
    assert!(asked > 10 && asked == agreed, "{agreed} of {asked}");
    assert_eq!(bytes(folders[0].path()), bytes(folders[1].path()));

    let run = play(folders[2].path(), &cells, &live(true), 2);
    let logged = decisions(&run, "babyai-main", "obj-05-plain.always", 5);
    let sources: Vec<ReplySource> =
        logged.iter().filter_map(|d| d.record.answer()).map(|answer| answer.reply.source).collect();
    assert!(!sources.is_empty() && sources.iter().all(|source| *source == ReplySource::Live));
}

#[test]
fn what_cannot_run_is_refused_before_anything_runs() {
    let refused = |change: &str| {
        let catalogue = Catalogue::embedded().unwrap();
        let study = &catalogue.select(&["babyai-price".into()]).unwrap()[0];
        let changes = [change.parse().unwrap()];
        let arm = |cell: &PlannedCell| cell.key.arm == "obj-15-plain.k005";
        let plan = Plan::new(study, Some(&"0..0".parse().unwrap()), &changes);
        plan.and_then(|plan| {
            let cells: Vec<PlannedCell> = plan.into_cells().into_iter().filter(arm).collect();
            let folder = tempfile::tempdir().unwrap();
            Runner::new(Run::at(folder.path()), &recorded(), 1).run(&cells, &Silent)
        })
        .unwrap_err()
        .to_string()
    };
    for (change, words) in [
        ("arms.obj-15-plain.k005.advisor=\"qwen2.5-coder-7b/plain/generate\"", "qwen2.5-coder-7b"),
        ("arms.obj-15-plain.k005.advisor=\"qwen2.5-coder-0.5b/plian/generate\"", "plian"),
        ("arms.obj-15-plain.k005.task=\"GoToMoon\"", "GoToMoon"),
        ("corruption=1.5", "corruption"),
        ("horizon=0", "horizon"),
        ("episodes=0", "episodes"),
        ("exploration_episodes=0", "exploration_episodes"),
        ("learner.discount=1.5", "1.5"),
    ] {
        let message = refused(change);
        assert!(message.contains(words), "{change}: {message}");
    }
}
