//! The settings in `docs/STUDIES.md` are those of the structs that read them, and every key of a study file is among them.
//!
//! Settings are found from the scenarios downwards, in the sources as rustfmt leaves them: names and meanings are the fields and
//! their documentation, defaults and ranges the tables above the structs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use counsel_experiment::Catalogue;
use toml::Value;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/STUDIES.md");
const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const BEGIN: &str = "<!-- settings: begin -->\n";
const END: &str = "<!-- settings: end -->";

/// The scenarios and the structs with their settings. The first that reaches a setting names its section.
const SCENARIOS: [(&str, &str); 10] = [
    ("babyai", "Learned<BabyAi>"),
    ("pixel", "Learned<Pixel>"),
    ("crafter", "Learned<Crafter>"),
    ("household", "Learned<Household>"),
    ("controlled", "Controlled"),
    ("latent", "Latent"),
    ("placement", "Placement"),
    ("alfworld", "Alfworld"),
    ("repeat", "Repeat"),
    ("decisions", "Decisions"),
];

/// A field, or a variant with its fields.
#[derive(Debug, Default, Clone)]
struct Member {
    docs: Vec<String>,
    attributes: String,
    name: String,
    /// As written; empty for a variant that holds nothing or named fields.
    kind: String,
    fields: Vec<Member>,
}

impl Member {
    /// The documentation in one line, without the links that only rustdoc follows.
    fn meaning(&self) -> String {
        let text: Vec<&str> = self.docs.iter().map(String::as_str).take_while(|line| !line.is_empty()).collect();
        unlinked(&text.join(" ")).trim_end_matches('.').replace('|', "\\|")
    }

    /// The type that a value is made of: `Radius` of `Option<Box<path::Radius>>`.
    fn inner(&self) -> &str {
        let kind = self.kind.trim_end_matches('>');
        kind.rsplit(['<', ':']).next().unwrap_or(kind)
    }

    /// What follows a word of its serde attributes, in quotes.
    fn serde(&self, word: &str) -> Option<&str> {
        self.attributes.split_once(&format!("{word} = \""))?.1.split('"').next()
    }
}

/// A struct or an enum.
#[derive(Debug, Clone)]
struct Item {
    krate: String,
    of: Member,
    members: Vec<Member>,
    is_enum: bool,
}

impl Item {
    /// The name of a member in a study file.
    fn written(&self, member: &Member) -> String {
        if let Some(name) = member.serde("rename") {
            return name.to_owned();
        }
        let spread = |letter: char| letter.is_uppercase().then_some('-').into_iter().chain(letter.to_lowercase());
        match self.of.serde("rename_all") {
            Some("kebab-case") => {
                member.name.chars().flat_map(spread).collect::<String>().trim_start_matches('-').to_owned()
            }
            None => member.name.clone(),
            Some(other) => panic!("{} has names in {other}; say here how these are written", self.of.name),
        }
    }

    /// Default and range of a field in the table above the struct. A row may name several fields, with a default for each.
    fn row(&self, name: &str) -> Option<(&str, &str)> {
        self.of.docs.iter().find_map(|line| {
            let [_, names, defaults, range, ..] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
                return None;
            };
            let place = names.split(", ").position(|one| one.trim_matches('`') == name)?;
            let each: Vec<&str> = defaults.split(", ").collect();
            let own = each.len() > 1 && each.len() == names.split(", ").count();
            Some((if own { each[place] } else { defaults }, range))
        })
    }

    /// The choices of an enum whose choices have no settings, as a part of a sentence.
    fn words(&self) -> Option<String> {
        let plain = self.is_enum && self.members.iter().all(|one| one.kind.is_empty() && one.fields.is_empty());
        let each = self.members.iter().map(|one| format!("`{}`: {}", self.written(one), lower(&one.meaning())));
        plain.then(|| each.collect::<Vec<_>>().join("; "))
    }
}

/// The members that stand this far to the right.
fn members(lines: &[&str], indent: usize) -> Vec<Member> {
    let (mut found, mut next) = (Vec::new(), Member::default());
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        if let Some(doc) = text.strip_prefix("///") {
            next.docs.push(doc.trim().to_owned());
        } else if text.starts_with("#[") {
            next.attributes.push_str(text);
        } else if !text.is_empty() && line.len() - text.len() == indent {
            let text = text.trim_start_matches("pub ").trim_end_matches(',');
            if let Some(name) = text.strip_suffix(" {") {
                let close = format!("{:indent$}}},", "");
                let inside: Vec<&str> = lines.by_ref().copied().take_while(|line| *line != close).collect();
                (next.name, next.fields) = (name.to_owned(), members(&inside, indent + 4));
            } else {
                let (name, kind) = text.split_once([':', '(']).unwrap_or((text, ""));
                (next.name, next.kind) = (name.to_owned(), kind.trim().trim_end_matches(')').to_owned());
            }
            found.push(std::mem::take(&mut next));
        }
    }
    found
}

/// A source with the enums in `named! { … }` as they would stand alone: further to the left, and without their words.
fn bare(text: &str) -> String {
    let (mut is_named, mut lines) = (false, Vec::new());
    for line in text.lines() {
        match line {
            "named! {" => is_named = true,
            "}" if is_named => is_named = false,
            _ if is_named => {
                let line = line.strip_prefix("    ").unwrap_or(line);
                lines.push(line.split_once(" => \"").map_or(line, |(variant, _)| variant));
            }
            _ => lines.push(line),
        }
    }
    lines.join("\n")
}

/// The structs and enums with named members in a folder of sources.
fn read(folder: &Path, krate: &str, items: &mut BTreeMap<String, Vec<Item>>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            read(&entry, krate, items);
        }
        let Some(text) =
            entry.extension().is_some_and(|kind| kind == "rs").then(|| fs::read_to_string(&entry).unwrap())
        else {
            continue;
        };
        let text = bare(&text);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(declared) = line.strip_prefix("pub ").and_then(|line| line.strip_suffix(" {")) else { continue };
            let Some((kind @ ("struct" | "enum"), name)) = declared.split_once(' ') else { continue };
            let before = lines[..at].iter().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
            let mut head: Vec<&str> = before.copied().collect();
            head.reverse();
            head.push(line);
            let of = Member { name: name.to_owned(), ..members(&head, 0).pop().unwrap_or_default() };
            let body: Vec<&str> = lines[at + 1..].iter().copied().take_while(|line| *line != "}").collect();
            if of.attributes.contains("Deserialize") && !of.attributes.contains("try_from") {
                let item = Item { krate: krate.into(), of, members: members(&body, 4), is_enum: kind == "enum" };
                items.entry(name.trim_end_matches("<T>").to_owned()).or_default().push(item);
            }
        }
    }
}

/// The page that lists all settings, section by section.
struct Page {
    items: BTreeMap<String, Vec<Item>>,
    /// The heading of each type that has a section.
    headings: BTreeMap<(String, String), String>,
    /// Sections that are yet to be written: the type, its heading, and the path of its keys.
    due: VecDeque<(Item, String, String)>,
    /// The scenario whose settings are being listed.
    scenario: &'static str,
}

impl Page {
    fn new() -> Self {
        let mut items = BTreeMap::new();
        for folder in fs::read_dir(CRATES).unwrap().map(|entry| entry.unwrap()) {
            read(&folder.path().join("src"), &folder.file_name().to_string_lossy(), &mut items);
        }
        Self { items, headings: BTreeMap::new(), due: VecDeque::new(), scenario: "" }
    }

    /// The type of a member; of several with its name, that of the same crate. The parameter of a generic type is the one that
    /// the member names.
    fn find(&self, member: &Member, krate: &str) -> Option<Item> {
        let generic = member.kind.split_once('<').map(|(name, _)| name).filter(|name| self.items.contains_key(*name));
        let found = self.items.get(generic.unwrap_or_else(|| member.inner()))?;
        let mut item = found.iter().find(|item| item.krate == krate).or(found.first()).cloned()?;
        if generic.is_some() {
            item.of.name.clone_from(&member.kind);
            let parameters = item.members.iter_mut().filter(|field| field.kind == "T");
            parameters.for_each(|field| member.inner().clone_into(&mut field.kind));
        }
        Some(item)
    }

    /// A link to the section of a type, which is written later if it is new.
    fn link(&mut self, item: &Item, heading: &str, path: &str) -> String {
        let key = (item.krate.clone(), item.of.name.clone());
        if !self.headings.contains_key(&key) {
            let taken = self.headings.values().any(|known| known == heading);
            let heading = if taken { format!("{heading} of `{}`", self.scenario) } else { heading.to_owned() };
            self.headings.insert(key.clone(), heading.clone());
            self.due.push_back((item.clone(), heading, path.to_owned()));
        }
        let heading = &self.headings[&key];
        format!("[{heading}](#{})", slug(heading))
    }

    /// What a setting is where a study says nothing of it.
    fn default(&self, item: &Item, member: &Member) -> String {
        let declared = item.row(&member.name).map_or("", |(default, _)| default);
        let optional = member.kind.starts_with("Option<");
        if !optional && [&item.of, member].iter().all(|of| !of.attributes.contains("default")) {
            return "required".into();
        }
        if !declared.is_empty() && !declared.starts_with("see") {
            return declared.to_owned();
        }
        let chosen = self.find(member, &item.krate).and_then(|kind| {
            let chosen = kind.members.iter().find(|one| one.attributes.contains("#[default]"))?;
            Some(format!("`{}`", kind.written(chosen)))
        });
        let plain = match member.kind.as_str() {
            _ if optional => "none",
            "bool" => "false",
            "u64" | "usize" | "f64" => "0",
            _ => "",
        };
        chosen.unwrap_or_else(|| plain.into())
    }

    /// One row for each field; an arrow marks those that belong to a choice.
    fn rows(&mut self, item: &Item, fields: &[Member], path: &str, arrow: &str) -> String {
        let mut table = String::new();
        for member in fields {
            let (name, kind) = (item.written(member), self.find(member, &item.krate));
            if let (true, Some(kind)) = (member.attributes.contains("flatten"), &kind) {
                if item.of.name.contains(&format!("<{}>", kind.of.name)) {
                    // The parameter of a generic type is what is its own.
                    table.push_str(&self.rows(kind, &kind.members, path, arrow));
                    continue;
                }
                let link = self.link(kind, &kind.of.meaning(), path);
                let _ = writeln!(table, "| all of | | | {link} |");
                continue;
            }
            let (mut range, mut meaning) =
                (item.row(&name).map_or("", |(_, range)| range).to_owned(), member.meaning());
            range = unlinked(&range).replace("see their types", "");
            if let Some(of_meaning) = range.strip_prefix(&lower(&meaning)) {
                range = of_meaning.trim_start_matches(", ").to_owned();
            }
            if let Some(words) = kind.as_ref().and_then(Item::words).filter(|_| !member.kind.starts_with("Vec<")) {
                (range, meaning) = (String::new(), format!("{meaning}. {words}"));
            } else if let Some(kind) = kind {
                let path = format!("{path}{name}");
                let link = format!("see {}", self.link(&kind, &format!("`{path}`"), &format!("{path}.")));
                let named = format!("see `{}`", kind.of.name);
                range = if range.contains(&named) { range.replace(&named, &link) } else { link };
            }
            let default = self.default(item, member);
            let _ = writeln!(table, "| {arrow}`{name}` | {default} | {range} | {meaning} |");
        }
        table
    }

    /// One row for each choice, followed by its settings.
    fn choices(&mut self, item: &Item, path: &str) -> String {
        let mut table = String::new();
        let tagged = item.of.serde("tag").is_some();
        for choice in &item.members {
            let (name, kind) = (item.written(choice), self.find(choice, &item.krate));
            let (mut shown, mut range, mut settings) = (format!("`{name}`"), String::new(), String::new());
            match kind {
                Some(kind) if !kind.is_enum && !choice.kind.starts_with("Vec<") => {
                    let path = if tagged { path.to_owned() } else { format!("{path}{name}.") };
                    settings = self.rows(&kind, &kind.members, &path, "↳ ");
                }
                Some(kind) => range = format!("see {}", self.link(&kind, &format!("`{path}{name}`"), path)),
                None if !choice.kind.is_empty() => shown = format!("`{name} = …`"),
                None => settings = self.rows(item, &choice.fields, path, "↳ "),
            }
            let _ = write!(table, "| {shown} | | {range} | {} |\n{settings}", choice.meaning());
        }
        table
    }

    /// All sections, from the scenarios downwards.
    fn text(mut self) -> String {
        let mut text = String::new();
        for (scenario, name) in SCENARIOS {
            self.scenario = scenario;
            let item = self.root(name);
            self.link(&item, &format!("`scenario = \"{scenario}\"`"), "");
            while let Some((item, heading, path)) = self.due.pop_front() {
                let about = item.of.meaning();
                let about = if about == heading || item.of.name == name { String::new() } else { about + ". " };
                let (form, table) = match (item.is_enum, item.of.serde("tag")) {
                    (false, _) => (String::new(), self.rows(&item, &item.members, &path, "")),
                    (true, Some(tag)) => {
                        (format!("`{tag}` names the choice; ↳ are its keys, beside it."), self.choices(&item, &path))
                    }
                    (true, None) => {
                        ("A word, or `{ word = { … } }` with the keys ↳.".to_owned(), self.choices(&item, &path))
                    }
                };
                let _ = write!(text, "\n### {heading}\n\n{}", format!("{about}{form}").trim_end());
                text.truncate(text.trim_end().len());
                let _ = write!(text, "\n\n| key | default | range | meaning |\n|---|---|---|---|\n{table}");
            }
        }
        text
    }

    /// The settings of a scenario.
    fn root(&self, name: &str) -> Item {
        let named = Member { kind: name.to_owned(), ..Member::default() };
        self.find(&named, "experiment").expect("a scenario has settings")
    }

    /// The names of all settings and choices below a type.
    fn names(&self, item: &Item, seen: &mut BTreeSet<String>, found: &mut BTreeSet<String>) {
        if !seen.insert(format!("{}::{}", item.krate, item.of.name)) {
            return;
        }
        found.extend(item.of.serde("tag").map(str::to_owned));
        for member in item.members.iter().flat_map(|member| member.fields.iter().chain([member])) {
            found.insert(item.written(member));
            if let Some(kind) = self.find(member, &item.krate) {
                self.names(&kind, seen, found);
            }
        }
    }
}

/// A text without the links that only rustdoc follows.
fn unlinked(text: &str) -> String {
    text.replace("[`", "`").replace("`]", "`").trim().to_owned()
}

/// A sentence as a part of another.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// How a heading is linked to.
fn slug(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || "-_ ".contains(*letter);
    heading.chars().filter(kept).flat_map(char::to_lowercase).collect::<String>().replace(' ', "-")
}

/// Every key of a table and of the tables in it.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            keys(value, found);
        }),
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_docs_list_every_setting_as_it_is_declared() {
    let wanted = Page::new().text();
    let docs = fs::read_to_string(DOCS).unwrap();
    let (before, rest) = docs.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(DOCS, format!("{before}{BEGIN}{wanted}{END}{after}")).unwrap();
        return;
    }
    assert!(found == wanted, "run UPDATE_DOCS=1 cargo test -p counsel-experiment --test suite settings");
}

#[test]
fn every_key_of_a_study_is_listed() {
    let page = Page::new();
    for study in Catalogue::embedded().unwrap().studies().unwrap() {
        let (_, name) = SCENARIOS.iter().find(|(scenario, _)| *scenario == study.scenario).expect("a known scenario");
        let (mut listed, mut used) = (BTreeSet::new(), BTreeSet::new());
        page.names(&page.root(name), &mut BTreeSet::new(), &mut listed);
        let written = study.arms.iter().map(|arm| &arm.set).chain([&study.shared]);
        written.for_each(|table| keys(&Value::Table(table.clone()), &mut used));
        let missing: Vec<&String> = used.difference(&listed).collect();
        assert!(missing.is_empty(), "{}: no setting of `{}` is called {missing:?}", study.id, study.scenario);
    }
}

#[test]
fn a_source_is_read_as_rustfmt_leaves_it() {
    let source =
        ["    /// How far.", "    ///", "    /// Aside.", "    #[serde(default)]", "    pub far: Option<a::Far>,"];
    let choices =
        ["    /// Near [`Far`].", "    Near {", "        /// How.", "        how: f64,", "    },", "    Off,"];
    let [far] = &members(&source, 4)[..] else { panic!("one field") };
    assert_eq!((far.name.as_str(), far.inner(), far.meaning().as_str()), ("far", "Far", "How far"));
    let [near, off] = &members(&choices, 4)[..] else { panic!("two choices") };
    assert_eq!(
        (near.meaning().as_str(), near.fields[0].name.as_str(), off.name.as_str()),
        ("Near `Far`", "how", "Off")
    );
}
