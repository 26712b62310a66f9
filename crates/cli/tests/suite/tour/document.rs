//! A page of the documents as a reader follows it: what is typed, what is saved, what is seen.
//!
//! Every fenced block must be of a kind that is executed, here or by another test, so that none can grow stale unseen.

/// One thing that a reader does, or sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Types this command. A line that ends with a backslash goes on in the next.
    Types(String),
    /// Saves this text under the name that the text before it says last.
    Saves { name: String, text: String },
    /// Sees this line among what the last command said.
    Sees(String),
}

/// Blocks that another test executes: the Rust program by the doctests of `counsel-decision`, queries by
/// `fixtures/log/check.py`.
const ELSEWHERE: [&str; 3] = ["rust", "sql", "python"];

/// The steps of a page, in order.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut prose, mut follows_command) = (String::new(), false);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            prose.push_str(line);
            prose.push('\n');
            follows_command &= line.is_empty();
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match kind {
            "console" => steps.extend(typed(&block)),
            "toml" => steps.push(Step::Saves { name: named(&prose), text: block.join("\n") }),
            // What stands right under a command is what it says; elsewhere it is a picture.
            "text" if follows_command => steps.extend(block.iter().map(|line| Step::Sees((*line).to_owned()))),
            "text" => {}
            other => assert!(ELSEWHERE.contains(&other), "nobody executes a block of kind {other:?}"),
        }
        follows_command = kind == "console";
    }
    steps
}

/// The commands of a console, each on one line.
fn typed(block: &[&str]) -> Vec<Step> {
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in block {
        match (line.strip_prefix("$ "), goes_on, commands.last_mut()) {
            (Some(command), _, _) => commands.push(command.to_owned()),
            (None, true, Some(last)) => *last = format!("{} {}", last.trim_end_matches('\\').trim_end(), line.trim()),
            _ => panic!("{line:?} is no command: begin it with a dollar sign, or show it in a block of kind text"),
        }
        goes_on = line.ends_with('\\');
    }
    commands.into_iter().map(Step::Types).collect()
}

/// The last file that the text names.
fn named(prose: &str) -> String {
    let names = prose.split('`').skip(1).step_by(2).filter(|name| crate::support::is_kind(name, "toml"));
    names.filter(|name| !name.contains('/')).last().expect("the text says under which name to save it").to_owned()
}

/// The words of a command as a shell splits them, and the file that it writes to. A remark behind it does not count.
pub(crate) fn words(command: &str) -> (Vec<String>, Option<String>) {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if letter == open => quote = None,
            ('#', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    assert_eq!(quote, None, "a quote is left open: {command}");
    words.extend(word);
    let written = words.iter().position(|word| word == ">").map(|place| words.drain(place..).nth(1));
    (words, written.flatten())
}

#[test]
fn a_page_is_read_as_a_reader_reads_it() {
    let page = "Save it as `a.toml`.\n```toml\nid = 1\n```\n```console\n$ x a \\\n    b # remark\n$ y 'c d' > e\n```\n\n\
                ```text\nseen\n```\nprose\n```text\npicture\n```\n";
    let types = |command: &str| Step::Types(command.into());
    let saves = Step::Saves { name: "a.toml".into(), text: "id = 1".into() };
    assert_eq!(steps(page), [saves, types("x a b # remark"), types("y 'c d' > e"), Step::Sees("seen".into())]);
    assert_eq!(words("x a b # remark"), (vec!["x".into(), "a".into(), "b".into()], None));
    assert_eq!(words("y 'c d' > e"), (vec!["y".into(), "c d".into()], Some("e".into())));
}

#[test]
#[should_panic(expected = "nobody executes")]
fn a_block_of_a_new_kind_needs_someone_who_executes_it() {
    steps("```ruby\nputs 1\n```\n");
}
