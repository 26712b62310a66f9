//! `counsel view` among guests who mean no good: it goes on serving, takes no memory for them, and hears no other site.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::support::reproduce;
use crate::support::viewer::{Viewer, connect, exchange, get};

fn run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock --seeds 0..0 --set episodes=3", folder.path());
    folder
}

#[cfg(unix)]
#[test]
fn more_silent_guests_than_files_keep_nobody_from_being_served() {
    let folder = run();
    let (viewer, port) = Viewer::with_files(folder.path(), 64);
    let silent: Vec<_> = (0..200).map(|_| connect(port)).collect();
    let begun = Instant::now();
    let page = get(port, "/");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    drop(silent);
    let said = viewer.end();
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_head_that_does_not_come_ends_the_connection() {
    let folder = run();
    let (_viewer, port) = Viewer::of(folder.path());
    let mut slow = connect(port);
    slow.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
    let begun = Instant::now();
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert!(!rest.starts_with(b"HTTP/1.1 200"));
}

#[test]
fn two_arms_are_shown_and_no_more() {
    let folder = run();
    let (_viewer, port) = Viewer::of(folder.path());
    assert!(get(port, "/lock/never+always/0").starts_with("HTTP/1.1 200 "));
    let refused = get(port, "/lock/never+always+never/0");
    assert!(refused.starts_with("HTTP/1.1 404 ") && refused.contains("at most 2 arms"), "{refused}");
    let many = format!("/lock/{}/0", vec!["never"; 9001].join("+"));
    let status: String = get(port, &many).chars().take(12).collect();
    assert!(["HTTP/1.1 404", "HTTP/1.1 414", "HTTP/1.1 431"].contains(&status.as_str()), "{status}");
}

#[test]
fn a_page_of_another_site_gets_nothing_on_any_path() {
    let folder = run();
    let (_viewer, port) = Viewer::of(folder.path());
    let ask = |target: &str, site: &str| {
        exchange(port, &format!("GET {target} HTTP/1.1\r\nHost: localhost:{port}\r\nSec-Fetch-Site: {site}\r\n\r\n"))
    };
    for target in ["/", "/report/lock", "/lock/controller/0", "/episode/lock/controller/0/1", "/nothing"] {
        for site in ["cross-site", "same-site", "", "same-origin, none"] {
            assert!(ask(target, site).starts_with("HTTP/1.1 403 "), "{target} {site}");
        }
        for site in ["same-origin", "none"] {
            assert!(!ask(target, site).starts_with("HTTP/1.1 403 "), "{target} {site}");
        }
    }
}
