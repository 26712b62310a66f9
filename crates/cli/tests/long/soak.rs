//! `counsel view` for minutes among two thousand connections and clients who mean no good: it neither ends nor grows, and a person
//! who looks at pages meanwhile is served.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::viewer::{Viewer, get};
use crate::support::{peak_megabytes, reproduce};

/// How long it goes on, unless `COUNSEL_SOAK` says another time in seconds.
const SOAK: Duration = Duration::from_secs(60);
/// Connections that say nothing.
const SILENT: usize = 2_000;
/// The most memory of a server.
pub(crate) const MOST_MEGABYTES: f64 = 300.0;

/// How long a soak goes on.
pub(crate) fn soak() -> Duration {
    let seconds = std::env::var("COUNSEL_SOAK").ok();
    seconds.map_or(SOAK, |seconds| Duration::from_secs(seconds.parse().expect("COUNSEL_SOAK is a number of seconds")))
}

/// The median, the 99th percentile and the largest of some waits.
pub(crate) fn waits(all: &mut [Duration]) -> String {
    all.sort_unstable();
    let at = |share: usize| all.get(all.len().saturating_sub(1) * share / 100).copied().unwrap_or_default();
    format!("half of them within {:?}, 99 % within {:?}, all within {:?}", at(50), at(99), at(100))
}

/// What a hostile client sends on its connection, before it waits, reads a little or goes.
fn attack(number: usize, port: u16) -> Vec<u8> {
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    match number % 11 {
        0 => b"GET / HTTP/1.1\r\nHost: 127".to_vec(),
        1 => format!("GET /lock/{}/0 HTTP/1.1\r\n{host}\r\n", vec!["never"; 1500].join("+")).into_bytes(),
        2 => format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", "x".repeat(200_000)).into_bytes(),
        // Never read to its end.
        3 => format!("GET /lock/never+always/{} HTTP/1.1\r\n{host}\r\n", number % 2).into_bytes(),
        4 => format!("POST / HTTP/1.1\r\n{host}Content-Length: 1000000000\r\n\r\nxxxx").into_bytes(),
        5 => format!("GET /report/lock HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n\r\n").into_bytes(),
        6 => format!("GET /episode/lock/controller/0/{} HTTP/1.1\r\n{host}\r\n", number % 40).into_bytes(),
        7 => b"GET /report/lock HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_vec(),
        8 => format!("GET /lock/controller/0 HTTP/1.1\r\n{host}Origin: http://evil.example\r\n\r\n").into_bytes(),
        9 => format!("GET / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n").into_bytes(),
        _ => (0..=255).cycle().take(5_000).collect(),
    }
}

/// Ends all clients when it goes.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_lasts_among_two_thousand_hostile_connections() {
    let soak = soak();
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock --seeds 0..1", folder.path());
    let files = Command::new("prlimit").args(["--nofile=8192:", "--pid", &std::process::id().to_string()]).status();
    assert!(files.is_ok_and(|status| status.success()), "this test needs 8,192 open files");
    let (viewer, port) = Viewer::with_files(folder.path(), 1024);
    let (over, attacks) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (mut served, mut busy, mut all) = (0, 0, Vec::new());
    std::thread::scope(|scope| {
        // Silent ones are opened again when they are closed.
        for _ in 0..4 {
            scope.spawn(|| {
                let mut open: Vec<TcpStream> = Vec::new();
                while !over.load(Ordering::Relaxed) {
                    open.retain(|stream| {
                        let _ = stream.set_nonblocking(true);
                        matches!((&mut &*stream).read(&mut [0; 8]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
                    });
                    while open.len() < SILENT / 4 && !over.load(Ordering::Relaxed) {
                        open.extend(TcpStream::connect(("127.0.0.1", port)));
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
            });
        }
        for thread in 0..4 {
            let (over, attacks) = (&over, &attacks);
            scope.spawn(move || {
                let mut kept = std::collections::VecDeque::new();
                let mut number = thread;
                while !over.load(Ordering::Relaxed) {
                    if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
                        let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
                        let _ = stream.write_all(&attack(number, port));
                        if number.is_multiple_of(3) {
                            // It hears and says no more.
                            let _ = stream.shutdown(std::net::Shutdown::Write);
                        }
                        // The ones before say one letter more, so that none of them seems to be asleep.
                        for slow in &mut kept {
                            let _ = std::io::Write::write(slow, b"x");
                        }
                        kept.push_back(stream);
                    }
                    // Some are held open unread, and let go later.
                    if kept.len() > 20 {
                        kept.pop_front();
                    }
                    number += 4;
                    attacks.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
        }
        // However this ends, the others end with it.
        let _ending = Ending(&over);
        let begun = Instant::now();
        while begun.elapsed() < soak {
            for target in ["/", "/report/lock", "/lock/controller/0", "/episode/lock/controller/0/3"] {
                let asked = Instant::now();
                let page = get(port, target);
                if page.starts_with("HTTP/1.1 503 ") {
                    busy += 1;
                } else {
                    assert!(page.starts_with("HTTP/1.1 200 "), "{target}: {page:.200}");
                    served += 1;
                }
                all.push(asked.elapsed());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let megabytes = peak_megabytes(viewer.0.id()).unwrap();
    let said = viewer.end();
    let attacks = attacks.into_inner();
    let waits = waits(&mut all);
    println!(
        "{soak:?}: {attacks} attacks; {served} pages served and {busy} told to try again, {waits}; {megabytes:.0} MB"
    );
    assert!(!said.contains("panicked"), "{said}");
    assert!(served > busy && served > 10, "{served} served, {busy} busy");
    assert!(all.last().is_some_and(|slowest| *slowest < Duration::from_secs(30)), "{waits}");
    assert!(megabytes < MOST_MEGABYTES, "{megabytes} MB");
}
