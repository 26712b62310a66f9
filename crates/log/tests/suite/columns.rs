//! The declarations of the columns: their names serve in SQL as they are, the table in the documents is made from them, and
//! what a declaration writes it reads back.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use counsel_log::{Decision, LogColumn, Origin, Presence, Routed, SECTIONS, columns, compare_routes, decode, encode};

use crate::play::{Chance, key};
use crate::raw::{PLAYED, RawColumn, Values, column, raw_columns, raw_log, rows};

/// Words that DuckDB, PostgreSQL or SQLite reserve, at least in the place of a column.
const RESERVED: &str = "
    abort action add after all alter always analyse analyze and anti any array as asc asof asymmetric attach authorization
    autoincrement before begin between bigint binary bit boolean both by cascade case cast char character check coalesce
    collate collation column columns commit concurrently conflict constraint create cross cube current current_catalog
    current_date current_role current_schema current_time current_timestamp current_user database dec decimal default
    deferrable deferred delete desc describe detach distinct do drop each else end escape except exclude exclusive exists
    explain extract fail false fetch filter first float following for foreign freeze from full generated glob grant greatest
    group groups grouping having if ignore ilike immediate in index indexed initially inner inout insert instead int integer
    intersect interval into is isnull join json key lambda last lateral leading least left like limit local localtime
    localtimestamp lower map match materialized national natural nchar no none not nothing notnull null nullif nulls numeric
    of offset on only or order others out outer over overlaps overlay partition pivot placing plan position positional
    pragma preceding precision primary qualify query raise range real recursive references regexp reindex release rename
    replace restrict returning right rollback row rows savepoint select semi session_user set setof show similar smallint
    some struct substring summarize symmetric system_user table tablesample temp temporary then ties time timestamp to
    trailing transaction treat trigger trim true try_cast unbounded union unique unpivot update upper user using vacuum value
    values varchar variadic verbose view virtual when where window with within without xmlattributes";

#[test]
fn no_name_needs_quoting_in_sql() {
    let reserved: BTreeSet<&str> = RESERVED.split_whitespace().collect();
    for column in columns() {
        let plain = column.name.starts_with(|c: char| c.is_ascii_lowercase())
            && column.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        assert!(plain, "{} is not a plain lower-case name", column.name);
        assert!(!reserved.contains(column.name), "{} is reserved in SQL; choose another name", column.name);
    }
}

#[test]
fn no_name_is_declared_twice_and_every_column_says_what_it_means() {
    let mut names = BTreeSet::new();
    for column in columns() {
        assert!(names.insert(column.name), "{} is declared twice", column.name);
        assert!(column.meaning.chars().count() > 1 && !column.meaning.ends_with('.'), "{}", column.name);
    }
}

/// Every hindsight column, with the bits of any number in some rows and nothing in the others. It needs no list of the
/// columns, so it holds for the next one too.
#[test]
fn what_a_hindsight_column_writes_it_reads_back() {
    let mut chance = Chance(21);
    for declared in columns().filter(|column| column.origin == Origin::Hindsight && column.presence == Presence::Always)
    {
        let mut columns = raw_columns();
        let count = rows(&columns);
        let changed = column(&mut columns, declared.name);
        changed.definitions =
            (0..count).map(|_| i16::from(declared.name == "reward" || chance.below(2) == 0)).collect();
        let some = changed.definitions.iter().filter(|defined| **defined == 1).count();
        changed.values = match &changed.values {
            // A number that every integer of the log may be: an action, a flag, a count.
            Values::Ints(_) => Values::Ints((0..some).map(|_| i64::from(chance.below(2) == 0)).collect()),
            Values::Reals(_) => Values::Reals((0..some).map(|_| f64::from_bits(chance.next())).collect()),
            Values::Texts(_) => panic!("give {} words to be read back here", declared.name),
        };
        let expected = bits(changed);
        let read = decode(&key(), raw_log(&columns, 1)).unwrap();
        let again = encode(&key(), &read).unwrap();
        assert_eq!(bits(column(&mut crate::raw::columns_of(&again), declared.name)), expected, "{}", declared.name);
    }
}

fn bits(column: &RawColumn) -> (Vec<u64>, Vec<i16>) {
    let values = match &column.values {
        Values::Ints(values) => values.iter().map(|value| value.cast_unsigned()).collect(),
        Values::Reals(values) => values.iter().map(|value| value.to_bits()).collect(),
        Values::Texts(_) => Vec::new(),
    };
    (values, column.definitions.clone())
}

#[test]
fn a_log_has_the_declared_columns_in_their_order() {
    let found: Vec<String> =
        crate::raw::columns_of(&encode(&key(), &PLAYED.1).unwrap()).into_iter().map(|c| c.name).collect();
    let always = columns().filter(|column| column.presence == Presence::Always);
    let declared: Vec<&str> = always.map(|column| column.name).collect();
    assert_eq!(found, declared, "and no column that nobody uses");
    let routed: Vec<String> =
        crate::raw::columns_of(&encode(&key(), &routed()).unwrap()).into_iter().map(|c| c.name).collect();
    let of_routes = |column: &&LogColumn| column.presence == Presence::Always || column.name.starts_with("route_");
    assert_eq!(routed, columns().filter(of_routes).map(|column| column.name).collect::<Vec<_>>());
}

/// The played decisions, each with a route.
fn routed() -> Vec<Decision> {
    let route = |(number, decision): (usize, &Decision)| {
        let advisors = decision.record.evidence.actions();
        let reals = |from: f64| (0..advisors).map(|advisor| from + advisor as f64 / 7.0).collect::<Vec<f64>>();
        let route = Routed {
            counted: number % 3 > 0,
            group: (number % 2 > 0).then_some(number as u64),
            numbers: vec![0.5; number % 4],
            words: vec![7, 1, 9, 2],
            rewards: reals(0.1),
            costs: reals(0.2),
            hopes: reals(0.3),
            experts: vec!["all".into(); advisors],
            money: 3.5,
            allowed: vec![1; advisors],
            probabilities: reals(0.0),
            account: (number % 5 > 0).then_some(-0.25),
            uniform: 0.75,
            chosen: 0,
            asked: vec![0; number % 3],
            answers: if number % 2 > 0 { vec![1; advisors] } else { Vec::new() },
            cost: 1e-5,
            learned: (number % 3 > 0).then_some(0.5),
            learned_at: (number % 3 > 0).then_some(number as u64 + 1),
            advisor_rewards: reals(0.4),
            advisor_costs: reals(0.5),
            published: Some(0.9),
        };
        Decision { route: Some(Box::new(route)), ..decision.clone() }
    };
    PLAYED.1.iter().enumerate().map(route).collect()
}

#[test]
fn routes_are_read_back_and_compared_to_the_bit() {
    let written = routed();
    let read = decode(&key(), encode(&key(), &written).unwrap()).unwrap();
    assert_eq!(read, written);
    let mut again: Vec<Routed> = written.iter().map(|decision| *decision.route.clone().unwrap()).collect();
    assert_eq!(compare_routes(&key(), &read, &again), []);
    again[2].money = f64::from_bits(again[2].money.to_bits() + 1);
    again[3].chosen = 1;
    let found = compare_routes(&key(), &read, &again);
    assert_eq!(found.iter().map(|fault| fault.column).collect::<Vec<_>>(), ["route_money", "route_chosen"]);
}

#[test]
fn a_route_that_does_not_fit_its_advisors_is_refused() {
    let mut written = routed();
    written[1].route.as_mut().unwrap().costs.pop();
    let error = decode(&key(), encode(&key(), &written).unwrap()).unwrap_err();
    assert!(error.starts_with("row 1: column route_costs has"), "{error}");
    // An entry without a route.
    let mut columns = crate::raw::columns_of(&encode(&key(), &routed()).unwrap());
    crate::raw::empty(&mut columns, "route_counted");
    let error = decode(&key(), raw_log(&columns, 1)).unwrap_err();
    assert!(
        error.contains("route_group has an entry, but the row has no route_counted")
            || error.contains("route_words has an entry"),
        "{error}"
    );
}

const BEGIN: &str = "<!-- columns: made from the declarations in crates/log/src/column -->\n";
const END: &str = "<!-- end of columns -->\n";

/// The tables of the columns as the documents have them.
fn tables() -> String {
    let mut text = String::new();
    for section in SECTIONS {
        let _ = write!(text, "\n**{}**\n\n| column | type | audit | meaning |\n|---|---|---|---|\n", section.title);
        for column in section.columns {
            let (name, meaning) = (column.name, column.meaning);
            let _ = writeln!(text, "| `{name}` | {} | {} | {meaning} |", column.type_name(), column.origin.audit());
        }
    }
    text + "\n"
}

/// `UPDATE_DOCS=1` writes the tables instead of comparing them.
#[test]
fn the_documents_have_the_declared_columns() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ARCHITECTURE.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(BEGIN).expect("docs/ARCHITECTURE.md has no place for the columns");
    let (_, after) = rest.split_once(END).expect("the place for the columns has no end");
    let expected = [before, BEGIN, &tables(), END, after].concat();
    #[expect(clippy::disallowed_methods, reason = "only a person who runs the test sets it")]
    let update = std::env::var("UPDATE_DOCS").is_ok();
    if update {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        document == expected,
        "the table of columns in docs/ARCHITECTURE.md is not that of the declarations; \
         write it with UPDATE_DOCS=1 cargo test -p counsel-log --test suite columns"
    );
}
