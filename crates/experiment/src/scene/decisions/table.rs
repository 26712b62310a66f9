//! Requests with what every advisor's answer brought and cost: the tables that come with the program, and those of one's own.
//!
//! The former hold no texts: words are hashed (see `tables/NOTICE` for sources and licences). A table is unpacked when it is first
//! asked for.

use std::io::Cursor;
use std::rc::Rc;
use std::sync::LazyLock;

use counsel_controller::route::{Offer, Request};
use counsel_session::Error;
use serde::{Deserialize, Serialize};

use super::own;

/// Which table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TableName {
    /// ParetoBandit's prompts, with the rewards of a judge and dollars: 1,785 to learn from, 1,824 to count.
    Pareto,
    /// MMLU as RouteLLM has it: 14,037 questions in 57 subjects, two models, right or wrong.
    Mmlu,
    /// GSM8K as RouteLLM has it: 1,307 questions, two models, right or wrong.
    Gsm8k,
    /// A CSV file of your own.
    File {
        /// Where it is, from the folder in which the command runs.
        path: String,
        /// Its SHA-256 in hexadecimal digits; another content is then refused.
        #[serde(default)]
        sha256: Option<String>,
    },
}

/// One request.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Whether it is one to learn from; only [`TableName::Pareto`] says so.
    pub(super) learning: bool,
    pub(super) group: Option<usize>,
    pub(super) numbers: Vec<f64>,
    pub(super) words: Vec<(u32, u32)>,
    /// What each advisor's answer brought; not a number where it is not known.
    pub(super) rewards: Vec<f64>,
    pub(super) costs: Vec<f64>,
    /// Which answers are the same: a number for each advisor, or none at all where answers are not known.
    pub(super) answers: Vec<i64>,
}

impl Row {
    /// What is known of it, as far as it is read.
    pub(super) fn request(&self, read: super::Features) -> Request {
        Request {
            group: self.group.filter(|_| read.group),
            numbers: if read.numbers { self.numbers.clone() } else { Vec::new() },
            words: if read.buckets > 0 { self.words.clone() } else { Vec::new() },
        }
    }
}

/// All requests.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) offers: Vec<Offer>,
    pub(super) groups: usize,
    pub(super) numbers: usize,
    pub(super) rows: Vec<Row>,
}

/// What was published for one order: the budget, the seed, the mean reward.
pub(super) struct Published {
    pub(super) budget: f64,
    pub(super) seed: u64,
    pub(super) reward: f64,
}

type Opened<T> = LazyLock<Result<T, String>>;

static PARETO: Opened<Table> = LazyLock::new(|| read(include_bytes!("../../../tables/pareto.csv.zst"), pareto));
static MMLU: Opened<Table> = LazyLock::new(|| read(include_bytes!("../../../tables/mmlu.csv.zst"), mmlu));
static GSM8K: Opened<Table> = LazyLock::new(|| read(include_bytes!("../../../tables/gsm8k.csv.zst"), gsm8k));
static PUBLISHED: Opened<Vec<Published>> =
    LazyLock::new(|| read(include_bytes!("../../../tables/pareto-published.csv.zst"), published));

impl TableName {
    /// The table, as it is read where this advisor answers without a call.
    pub(super) fn open(&self, first: Option<&str>) -> Result<&'static Table, Error> {
        let table: &'static Opened<Table> = match self {
            Self::Pareto => &PARETO,
            Self::Mmlu => &MMLU,
            Self::Gsm8k => &GSM8K,
            Self::File { path, sha256 } => return own::open(path, sha256.as_deref(), first),
        };
        table.as_ref().map_err(|reason| Error::Derivation { reason: reason.clone() })
    }
}

/// What was published for this budget and order, within a millionth of the budget.
pub(super) fn published_reward(per_request: f64, seed: u64) -> Option<f64> {
    let known = PUBLISHED.as_ref().ok()?;
    let same = |row: &&Published| row.seed == seed && (row.budget / per_request - 1.0).abs() < 1e-6;
    known.iter().find(same).map(|row| row.reward)
}

/// One line of a table, by the names of its columns.
pub(super) struct Line {
    heading: Rc<csv::StringRecord>,
    fields: csv::StringRecord,
}

impl Line {
    /// The names of the columns.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.heading.iter()
    }

    pub(super) fn text(&self, name: &str) -> &str {
        self.heading.iter().position(|known| known == name).and_then(|place| self.fields.get(place)).unwrap_or_default()
    }

    /// Not a number where the field is empty.
    pub(super) fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(f64::NAN)
    }

    pub(super) fn words(&self) -> Vec<(u32, u32)> {
        let pair = |pair: &str| {
            let (bucket, count) = pair.split_once(':')?;
            Some((bucket.parse().ok()?, count.parse().ok()?))
        };
        self.text("words").split(' ').filter_map(pair).collect()
    }
}

fn read<T>(packed: &[u8], make: fn(&[Line]) -> T) -> Result<T, String> {
    let text = zstd::decode_all(Cursor::new(packed)).map_err(|error| error.to_string())?;
    lines(&text).map(|lines| make(&lines))
}

/// The lines of a CSV file with a heading.
pub(super) fn lines(text: &[u8]) -> Result<Vec<Line>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let heading = Rc::new(reader.headers().map_err(|error| error.to_string())?.clone());
    let line = |fields: Result<csv::StringRecord, csv::Error>| {
        fields.map(|fields| Line { heading: Rc::clone(&heading), fields }).map_err(|error| error.to_string())
    };
    reader.records().map(line).collect()
}

/// The advisors of ParetoBandit, with their list prices in dollars per million tokens sent and received, and the most tokens of an
/// answer. Those of the last are assumed.
const PARETO_ADVISORS: [(&str, f64, f64, f64); 4] = [
    ("llama8b", 0.1, 0.1, 4096.0),
    ("mistral_large", 0.5, 1.5, 4096.0),
    ("gemini25pro", 1.25, 10.0, 16384.0),
    ("gemini25flash", 0.3, 2.5, 16384.0),
];

fn pareto(lines: &[Line]) -> Table {
    let offer = |(name, sent, received, most): (&str, f64, f64, f64)| Offer {
        name: name.into(),
        // 300 tokens each way are expected, and a question has 1,024 at most.
        list_price: (sent + received) * 300.0 / 1e6,
        worst: (received * most + sent * 1024.0) / 1e6,
    };
    let is_learning = |line: &&Line| line.text("split") == "val";
    let groups = names(lines.iter().filter(is_learning).map(|line| line.text("source")));
    let row = |line: &Line| Row {
        learning: is_learning(&line),
        group: groups.iter().position(|group| group == line.text("source")),
        numbers: Vec::new(),
        words: line.words(),
        rewards: PARETO_ADVISORS.iter().map(|advisor| line.number(&format!("r_{}", advisor.0))).collect(),
        costs: PARETO_ADVISORS.iter().map(|advisor| line.number(&format!("c_{}", advisor.0))).collect(),
        answers: Vec::new(),
    };
    let rows = lines.iter().map(row).collect();
    Table { offers: PARETO_ADVISORS.map(offer).to_vec(), groups: groups.len(), numbers: 0, rows }
}

/// A weak model and a strong one; a call of the strong one is the unit of cost.
fn weak_and_strong(lines: &[Line], groups: &[String], numbers: fn(&Line) -> Vec<f64>) -> Table {
    const MODELS: [&str; 2] = ["mixtral_8x7b", "gpt4_1106"];
    let row = |line: &Line| Row {
        learning: false,
        group: groups.iter().position(|group| group == line.text("subject")),
        numbers: numbers(line),
        words: line.words(),
        rewards: MODELS.iter().map(|model| line.number(model)).collect(),
        costs: vec![0.0, 1.0],
        answers: Vec::new(),
    };
    let rows: Vec<Row> = lines.iter().filter(|line| line.text("contaminated") == "0").map(row).collect();
    let offers = vec![Offer::at(MODELS[0], 0.0), Offer::at(MODELS[1], 1.0)];
    let numbers = rows.first().map_or(0, |row| row.numbers.len());
    Table { offers, groups: groups.len(), numbers, rows }
}

fn mmlu(lines: &[Line]) -> Table {
    let groups = names(lines.iter().map(|line| line.text("subject")));
    weak_and_strong(lines, &groups, |line| vec![(line.number("chars").ln() - 5.5) / 2.0])
}

/// The length of the weak model's answer, and of the question.
fn gsm8k(lines: &[Line]) -> Table {
    weak_and_strong(lines, &[], |line| {
        let answer = (line.number("mixtral_answer_chars") + 1.0).ln();
        vec![(answer - 6.0) / 2.0, (line.number("chars").ln() - 5.0) / 2.0]
    })
}

fn published(lines: &[Line]) -> Vec<Published> {
    let pacer = lines.iter().filter(|line| line.text("method") == "pacer");
    let row = |line: &Line| Published {
        budget: line.number("budget"),
        seed: line.text("seed").parse().unwrap_or_default(),
        reward: line.number("mean_reward"),
    };
    pacer.map(row).collect()
}

/// The distinct names, in order.
pub(super) fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: std::collections::BTreeSet<&str> = all.collect();
    names.into_iter().map(str::to_owned).collect()
}
