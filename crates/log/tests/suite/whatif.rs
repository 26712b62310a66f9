//! A what-if says what the engine says, whatever decided and whatever is changed.

use counsel_decision::{AdviceModel, Engine, Evidence, Execution, Outcome, Parser, Radius, Reply, Turn};
use counsel_log::{Book, Change, Decision, Manifest, book};
use counsel_whatif::Logged;

use crate::play::{Chance, Episodes, gates, played, played_side_by_side, settings};

const RULES: [Execution; 4] = [
    Execution::Certified { tolerance: 0.3 },
    Execution::Improving,
    Execution::Unscreened { tolerance: 0.2 },
    Execution::Trusting,
];

/// A change that nobody chose.
fn changed(chance: &mut Chance) -> Change {
    let maybe = |chance: &mut Chance, most: f64| (chance.below(2) == 0).then(|| most * chance.share());
    Change {
        price: maybe(chance, 4.0),
        radius: [None, Some(0.0), Some(0.5), Some(3.0)][chance.below(4)],
        tolerance: maybe(chance, 1.0),
        trust: maybe(chance, 3.0),
        bankroll: maybe(chance, 2.0),
        budget: (chance.below(2) == 0).then(|| chance.next() % 12),
    }
}

/// The evidence of a decision with this change, by the types of the engine alone.
fn evidence(decision: &Decision, change: &Change) -> Evidence {
    let old = &decision.record.evidence;
    let mut new = old.clone().at_price(old.price() * change.price.unwrap_or(1.0)).unwrap();
    new = new.with_radius(match (change.radius, old.radius().finite()) {
        (Some(0.0), _) => Radius::ZERO,
        (Some(factor), Some(radius)) => Radius::new(radius * factor).unwrap(),
        _ => old.radius(),
    });
    if let (Some(factor), AdviceModel::CandidateOnly(advice)) = (change.trust, old.advice()) {
        let credits: Vec<f64> = advice.credits().map(|credit| credit * factor).collect();
        if !credits.is_empty() {
            new = new.with_advice(AdviceModel::CandidateOnly(advice.clone().vouched_for(&credits).unwrap())).unwrap();
        }
    }
    new
}

/// What becomes of every decision, by an engine that is driven here.
fn driven(manifest: &Manifest, decisions: &[Decision], change: &Change) -> Vec<(Logged, Option<usize>)> {
    let parser = Parser::new(manifest.words.iter().cloned()).unwrap();
    let settings = change.settings(manifest.settings.clone());
    let mut engine = Engine::diagnostic(&settings, parser, manifest.engine_seed).unwrap();
    let mut begun = 0;
    let each = |decision: &Decision| {
        while begun <= decision.record.episode {
            engine.begin_episode();
            begun += 1;
        }
        let reply = decision.record.answer().map(|answer| answer.reply.clone());
        let record = match engine.decide(evidence(decision, change)).unwrap() {
            Turn::Act(act) => act.record,
            Turn::Ask(ask) => engine.resume(ask, reply.clone().unwrap_or_else(Reply::lost)).record,
        };
        match (&record.outcome, reply) {
            (Outcome::Asked(_), None) => (Logged::Unheard, None),
            _ => (Logged::of(&record), Some(record.executed.index())),
        }
    };
    decisions.iter().map(each).collect()
}

#[test]
fn flips_are_those_of_the_engine() {
    let (mut chance, mut flips, mut rounds) = (Chance(35), 0, 0);
    for gate in gates() {
        for rule in RULES {
            let mut settings = settings(gate.clone(), rule, &mut chance);
            // Whether there is a bankroll is drawn; a change of what it starts with has an effect only then.
            settings.budget.per_run = settings.budget.per_run.or(Some(20));
            let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
            let whole = book(&manifest, &decisions).unwrap();
            let text = serde_json::to_string(&whole).unwrap();
            let book: Book = serde_json::from_str(&text).unwrap();
            assert_eq!(book, whole, "the text is the book");
            let same = book.under(&Change::default()).unwrap();
            assert_eq!((same.flips.len(), same.leaves, same.before), (0, None, same.after), "{gate:?} {rule:?}");
            let change = changed(&mut chance);
            let told = book.under(&change).unwrap();
            let expected = driven(&manifest, &decisions, &change);
            let was = |decision: &Decision| (Logged::of(&decision.record), Some(decision.record.executed.index()));
            let flipped: Vec<_> = decisions
                .iter()
                .zip(&expected)
                .filter(|(decision, now)| was(decision) != **now)
                .map(|(decision, now)| (decision.record.step, now.0, now.1))
                .collect();
            let shown: Vec<_> = told.flips.iter().map(|flip| (flip.step, flip.now, flip.does)).collect();
            assert_eq!(shown, flipped, "{gate:?} {rule:?} {change:?}");
            let calls = expected.iter().filter(|(now, _)| now.asks()).count() as u64;
            assert_eq!((told.before.calls, told.after.calls), (manifest.totals.calls, calls));
            (flips, rounds) = (flips + flipped.len(), rounds + 1);
        }
    }
    assert!(flips > 200 && rounds >= 60, "{flips} {rounds}");
}

#[test]
fn environments_side_by_side_flip_nothing_without_a_change() {
    let mut chance = Chance(5);
    for gate in gates() {
        let settings = settings(gate, RULES[0], &mut chance);
        let (manifest, decisions) = played_side_by_side(settings, &mut chance);
        let told = book(&manifest, &decisions).unwrap().under(&Change::default()).unwrap();
        assert_eq!(told.flips, []);
    }
}

#[test]
fn a_question_that_cannot_be_read_is_answered_in_words() {
    for question in ["", "{}", "{}\n{}", "{\"prise\":1}\n{}", "{\"price\":-1}\nnothing"] {
        assert!(!counsel_whatif::answer(question).unwrap_err().is_empty(), "{question}");
    }
}
