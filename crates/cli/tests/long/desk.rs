//! `counsel advisor serve` for minutes among two thousand runs that ask, an endpoint that fails now and then, and lines that are no
//! questions: it neither ends nor grows, every question is answered under its number, and none is paid twice.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::server::{Received, Server, Then, answer, reply, send};
use crate::soak::{MOST_MEGABYTES, soak, waits};
use crate::support::spoken::Spoken;
use crate::support::{path, peak_megabytes};

/// Runs that ask, each under numbers of its own.
const RUNS: usize = 2_000;
/// How long a run takes from an answer to its next question.
const THINKING: Duration = Duration::from_secs(2);
/// Questions a second that nobody has asked before.
const NEW_A_SECOND: u64 = 20;

/// The endpoint: slow, broken, absurd and gone now and then.
fn endpoint(received: &Received, stream: &mut TcpStream) -> Then {
    match received.number % 50 {
        7 => send(stream, &reply(500, "", b"{}")),
        17 => send(stream, &reply(200, "", b"[[[[")),
        27 => Then::Close,
        37 => answer(stream, &"left ".repeat(20_000)),
        _ => {
            thread::sleep(Duration::from_millis(received.number as u64 % 5));
            answer(stream, "left")
        }
    }
}

/// A line that is no question, under a number that nobody waits for.
fn nonsense(number: usize) -> Vec<u8> {
    let line = match number % 9 {
        0 => b"nonsense".to_vec(),
        1 => b"0 \xff\xfe{\"open\"".to_vec(),
        2 => [b"0 ".as_slice(), &vec![b'x'; 3 << 20]].concat(),
        3 => [b"0 ".as_slice(), &vec![b'['; 100_000]].concat(),
        4 => b"0 {\"open\":\"m/no-such-template/generate\"}".to_vec(),
        // One name after the other, which would have to be kept open.
        5 => format!("0 {{\"open\":\"m{number}/plain/generate\"}}").into_bytes(),
        6 => b"99999999999999999999999999 {}".to_vec(),
        7 => b"0 {\"ask\":{\"advisor\":\"m/plain/generate\",\"request\":null}}".to_vec(),
        _ => Vec::new(),
    };
    [line, b"\n".to_vec()].concat()
}

/// A question that a run asks, as a template for others.
fn question(server: &Server, out: &Path) -> serde_json::Value {
    let study = ["reproduce", "babyai-repeat", "--set", "moments=20", "--advisor", "m/plain/generate", "--live"];
    let place = ["--relay", "--base-url", &server.base_url, "--seeds", "0..0", "--out", path(out)];
    let desk = ["advisor", "serve", "--out", path(out), "--base-url", &server.base_url, "--budget", "1"];
    let (mut run, mut desk) = (Spoken::with(&[&study[..], &place[..]].concat()), Spoken::with(&desk));
    let mut line = run.hear().unwrap();
    while line.starts_with("{\"open\"") {
        desk.say(&format!("0 {line}"));
        run.say(desk.hear().unwrap().strip_prefix("0 ").unwrap());
        line = run.hear().unwrap();
    }
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    assert!(desk.end().0);
    serde_json::from_str(&line).unwrap()
}

/// What became of the questions of honest runs.
#[derive(Debug, Default)]
struct Heard {
    waits: Vec<Duration>,
    said: usize,
    lost: usize,
}

/// Reads answers, each to the run that waits under its number, until there are no more.
fn hear(output: impl BufRead, open: &Mutex<BTreeMap<usize, Instant>>, free: &mpsc::Sender<usize>) -> Heard {
    let mut heard = Heard::default();
    for line in output.lines() {
        let line = line.unwrap();
        let (number, answer) = line.split_once(' ').unwrap();
        let number: usize = number.parse().unwrap();
        let Some(asked) = open.lock().unwrap().remove(&number) else {
            assert_eq!(number, 0, "answered twice: {line:.300}");
            assert!(answer.starts_with("{\"refused\"") || answer.starts_with("{\"opened\""), "{line:.300}");
            continue;
        };
        heard.waits.push(asked.elapsed());
        match answer {
            said if said.starts_with("{\"said\"") => heard.said += 1,
            lost if lost.starts_with("{\"lost\"") => heard.lost += 1,
            other => panic!("an honest run hears {other:.300}"),
        }
        let _ = free.send(number);
    }
    heard
}

#[test]
#[cfg(target_os = "linux")]
fn a_desk_lasts_among_two_thousand_runs_and_lines_that_are_no_questions() {
    let (soak, folder, server) = (soak(), tempfile::tempdir().unwrap(), Server::start(endpoint));
    let mut question = question(&server, &folder.path().join("pattern"));
    let out = folder.path().join("desk");
    let serve = ["advisor", "serve", "--out", path(&out), "--base-url", &server.base_url, "--at-once", "4"];
    let failures = ["--budget", "1000000", "--retries", "0", "--stop-after", "100", "--time-out", "5"];
    let Spoken { mut child, mut input, output } = Spoken::with(&[&serve[..], &failures[..]].concat());
    let mut stderr = child.stderr.take().unwrap();
    let complaints = thread::spawn(move || {
        // What is said of lines without a number is read, and its end is kept.
        let (mut last, mut some) = (Vec::new(), [0; 8192]);
        while let Ok(read @ 1..) = stderr.read(&mut some) {
            last = [&last[last.len().saturating_sub(8192)..], &some[..read]].concat();
            assert!(!String::from_utf8_lossy(&last).contains("panicked"), "{}", String::from_utf8_lossy(&last));
        }
    });
    let open: Mutex<BTreeMap<usize, Instant>> = Mutex::default();
    let (free, freed) = mpsc::channel();
    let begun = Instant::now();
    let mut due: VecDeque<(Instant, usize)> = (1..=RUNS).map(|run| (begun, run)).collect();
    let (mut bad, mut most_open) = (0_usize, 0);
    let (megabytes, mut heard) = thread::scope(|scope| {
        let heard = scope.spawn(|| hear(output, &open, &free));
        while begun.elapsed() < soak {
            due.extend(freed.try_iter().map(|number| (Instant::now() + THINKING, number + RUNS)));
            let is_due = due.front().is_some_and(|(at, _)| *at <= Instant::now());
            let Some((_, number)) = is_due.then(|| due.pop_front()).flatten() else {
                thread::sleep(Duration::from_millis(1));
                continue;
            };
            if number.is_multiple_of(20) {
                input.write_all(&nonsense(bad)).unwrap();
                bad += 1;
            }
            // There are ever more different ones, and most are asked by many runs.
            let different = begun.elapsed().as_secs() * NEW_A_SECOND + 1;
            let content = format!("What now? {}", (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) % different);
            question["ask"]["request"]["prompt"]["messages"][0]["content"] = content.into();
            let waiting = {
                let mut open = open.lock().unwrap();
                open.insert(number, Instant::now());
                open.len()
            };
            most_open = most_open.max(waiting);
            writeln!(input, "{number} {question}").unwrap();
        }
        let megabytes = peak_megabytes(child.id()).unwrap();
        drop(input);
        (megabytes, heard.join().unwrap())
    });
    complaints.join().unwrap();
    assert!(child.wait().unwrap().success());
    let waits = waits(&mut heard.waits);
    let (Heard { said, lost, .. }, paid) = (&heard, server.count());
    println!(
        "{soak:?}: {bad} bad lines; {said} questions answered and {lost} lost, {waits}; {paid} paid; {megabytes:.0} MB"
    );
    assert!(open.into_inner().unwrap().is_empty(), "some were never answered");
    assert!(*said > 10 * lost && *said > RUNS, "{said} answered, {lost} lost");
    // What was answered once is not asked again, so only lost ones are.
    let different = usize::try_from(soak.as_secs() * NEW_A_SECOND + 1).unwrap();
    assert!(paid <= different + lost, "{paid} paid for {different} questions, {lost} lost");
    assert!(megabytes < MOST_MEGABYTES, "{megabytes} MB");
    // A desk whose listener goes away keeps what it paid for, and does not panic.
    for _ in 0..10 {
        let Spoken { mut child, mut input, output } = Spoken::with(&[&serve[..], &failures[..]].concat());
        drop(output);
        for number in 0..50 {
            let content = format!("And now? {number}");
            question["ask"]["request"]["prompt"]["messages"][0]["content"] = content.into();
            if writeln!(input, "{number} {question}").is_err() {
                break;
            }
        }
        drop(input);
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        assert!(child.wait().is_ok() && !complaint.contains("panicked"), "{complaint}");
    }
}
