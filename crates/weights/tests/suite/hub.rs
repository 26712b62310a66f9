//! Pulls from a hub on loopback that behaves well, badly, and worse.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use counsel_weights::{Error, Progress, Source, Stage};

use crate::fixture::{BYTES, content, models, quiet, steady, visible};

/// What the server does with one request.
#[derive(Debug, Clone, Copy)]
enum Deed {
    /// Serves the range it is asked for.
    Serve,
    /// Serves so many bytes of it and cuts the connection.
    Cut(usize),
    /// Serves everything from the start, whatever the range.
    Ignore,
    /// Sends headers and then nothing.
    Stall,
    Status(u16),
    /// A file of another size.
    Longer,
    /// As many bytes, but others.
    Wrong,
    /// Without a length, and too much of it.
    Endless,
    /// Resumes at another place.
    Elsewhere,
    /// Sends the client to another path first.
    Redirect,
    /// No HTTP at all.
    Noise,
}

struct Server {
    address: String,
    asked: Arc<Mutex<Vec<(String, u64)>>>,
}

/// Serves one deed per request, the last one again and again.
fn serve(deeds: Vec<Deed>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    std::thread::spawn(move || {
        for (at, stream) in listener.incoming().enumerate() {
            let Ok(stream) = stream else { continue };
            let Some((path, from)) = request(&stream) else { continue };
            notes.lock().unwrap().push((path.clone(), from));
            let deed = if path == "/elsewhere" { Deed::Serve } else { deeds[at.min(deeds.len() - 1)] };
            // A client that has hung up is part of the game; one that waits holds nobody else up.
            std::thread::spawn(move || drop(respond(stream, deed, usize::try_from(from).unwrap())));
        }
    });
    Server { address, asked }
}

fn request(stream: &TcpStream) -> Option<(String, u64)> {
    let mut lines = BufReader::new(stream).lines();
    let path = lines.next()?.ok()?.split(' ').nth(1)?.to_owned();
    let mut from = 0;
    for line in lines {
        let line = line.ok()?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok()?;
        }
    }
    Some((path, from))
}

fn respond(mut stream: TcpStream, deed: Deed, from: usize) -> std::io::Result<()> {
    let content = content();
    let mut head = |from: usize, length: usize, total: usize| {
        let status = if from > 0 { "206 Partial Content" } else { "200 OK" };
        let range =
            if from > 0 { format!("Content-Range: bytes {from}-{}/{total}\r\n", total - 1) } else { String::new() };
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{range}Connection: close\r\n\r\n")
    };
    match deed {
        Deed::Serve => {
            head(from, BYTES - from, BYTES)?;
            stream.write_all(&content[from..])
        }
        Deed::Cut(bytes) => {
            head(from, BYTES - from, BYTES)?;
            stream.write_all(&content[from..BYTES.min(from + bytes)])
        }
        Deed::Ignore => {
            head(0, BYTES, BYTES)?;
            stream.write_all(&content)
        }
        Deed::Stall => {
            head(from, BYTES - from, BYTES)?;
            std::thread::sleep(Duration::from_secs(1));
            Ok(())
        }
        Deed::Status(status) => {
            write!(stream, "HTTP/1.1 {status} Sorry\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        Deed::Longer => head(from, BYTES + 1 - from, BYTES + 1),
        Deed::Wrong => {
            head(from, BYTES - from, BYTES)?;
            stream.write_all(&vec![7; BYTES - from])
        }
        Deed::Endless => {
            write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            (0..100).try_for_each(|_| stream.write_all(&content))
        }
        Deed::Elsewhere => {
            head(from + 1, BYTES - from - 1, BYTES)?;
            stream.write_all(&content[from + 1..])
        }
        Deed::Redirect => {
            write!(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        }
        Deed::Noise => stream.write_all(b"220 mail.example ESMTP\r\n"),
    }
}

fn pull(folder: &Path, server: &Server) -> Result<std::path::PathBuf, Error> {
    models(folder, &server.address, Path::new("/nonexistent/python3")).pull("tiny", Source::Hub, &mut quiet)
}

#[test]
fn a_file_arrives_whole_and_is_not_fetched_twice() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(vec![Deed::Redirect, Deed::Serve]);
    let models = models(folder.path(), &server.address, Path::new("/nonexistent/python3"));
    let mut seen: Vec<Progress> = Vec::new();
    let path = models.pull("tiny", Source::Hub, &mut |progress| seen.push(progress)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), content());
    assert_eq!(visible(folder.path()), ["tiny.gguf"]);
    assert!(seen.iter().any(|progress| progress.stage == Stage::Fetching && progress.done_bytes == BYTES as u64));
    let asked = server.asked.lock().unwrap().clone();
    assert_eq!(asked, [("/owner/tiny-GGUF/resolve/main/tiny.gguf".to_owned(), 0), ("/elsewhere".to_owned(), 0)]);
    models.pull("tiny", Source::Hub, &mut quiet).unwrap();
    assert_eq!(server.asked.lock().unwrap().len(), 2, "what is there and right is not fetched");
    assert!(models.list()[0].present && !models.list()[1].present);
}

#[test]
fn a_cut_connection_is_resumed_within_a_pull_and_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        serve(vec![Deed::Cut(100_000), Deed::Status(503), Deed::Cut(50_000), Deed::Noise, Deed::Stall, Deed::Serve]);
    assert_eq!(fs::read(pull(folder.path(), &server).unwrap()).unwrap(), content());
    let from: Vec<u64> = server.asked.lock().unwrap().iter().map(|(_, from)| *from).collect();
    assert_eq!(from, [0, 100_000, 100_000, 150_000, 150_000, 150_000]);

    let folder = tempfile::tempdir().unwrap();
    let server = serve(vec![Deed::Cut(70_000), Deed::Status(500)]);
    let error = pull(folder.path(), &server).unwrap_err();
    insta::assert_snapshot!(steady(&error, folder.path(), &server.address));
    assert_eq!(visible(folder.path()), ["tiny.gguf.part"]);
    let server = serve(vec![Deed::Serve]);
    assert_eq!(fs::read(pull(folder.path(), &server).unwrap()).unwrap(), content());
    assert_eq!(server.asked.lock().unwrap()[0].1, 70_000);
}

#[test]
fn a_resumed_pull_follows_the_hub_to_another_place() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(vec![Deed::Cut(100_000), Deed::Redirect, Deed::Serve]);
    assert_eq!(fs::read(pull(folder.path(), &server).unwrap()).unwrap(), content());
    assert_eq!(server.asked.lock().unwrap().last().unwrap(), &("/elsewhere".to_owned(), 100_000));
}

#[test]
fn a_server_that_cannot_resume_starts_over() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(vec![Deed::Cut(100_000), Deed::Ignore]);
    assert_eq!(fs::read(pull(folder.path(), &server).unwrap()).unwrap(), content());
}

#[test]
fn a_wrong_file_is_refused_and_deleted() {
    for (name, deeds, left) in [
        ("wrong", vec![Deed::Wrong], 0),
        ("wrong_end", vec![Deed::Cut(100_000), Deed::Wrong], 0),
        ("longer", vec![Deed::Longer], 0),
        ("endless", vec![Deed::Endless], 0),
        ("elsewhere", vec![Deed::Cut(100_000), Deed::Elsewhere], 1),
        ("absent", vec![Deed::Status(404)], 0),
        ("stall", vec![Deed::Stall], 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = serve(deeds);
        let error = pull(folder.path(), &server).unwrap_err();
        insta::assert_snapshot!(name, steady(&error, folder.path(), &server.address));
        assert!(!folder.path().join("tiny.gguf").exists());
        assert_eq!(visible(folder.path()).len(), left, "{name}: only a good beginning is kept");
    }
}

#[test]
fn a_damaged_file_or_part_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(vec![Deed::Serve]);
    let path = folder.path().join("tiny.gguf");
    let mut damaged = content();
    damaged[1000] ^= 1;
    fs::write(&path, &damaged).unwrap();
    fs::write(folder.path().join("tiny.gguf.part"), vec![0; BYTES + 1]).unwrap();
    pull(folder.path(), &server).unwrap();
    assert_eq!(fs::read(&path).unwrap(), content());

    // A part that is as long as the file but wrong costs one refused pull.
    fs::remove_file(&path).unwrap();
    fs::write(folder.path().join("tiny.gguf.part"), &damaged).unwrap();
    assert!(matches!(pull(folder.path(), &server), Err(Error::Digest { .. })));
    pull(folder.path(), &server).unwrap();
    assert_eq!(fs::read(&path).unwrap(), content());
}

#[test]
fn nobody_listening_is_an_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let hub = format!("http://{closed}");
    let models = models(folder.path(), &hub, Path::new("/nonexistent/python3"));
    let error = models.pull("tiny", Source::Hub, &mut quiet).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot fetch {hub}/owner/tiny-GGUF/resolve/main/tiny.gguf")), "{error}");
    assert_eq!(error.lines().count(), 1);
    let error = models.pull("tiny", Source::Auto, &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Everywhere { .. }), "{error}");
}

#[test]
fn two_pulls_do_not_fight() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(vec![Deed::Stall, Deed::Stall, Deed::Serve]);
    let first = {
        let (folder, address) = (folder.path().to_path_buf(), server.address.clone());
        std::thread::spawn(move || {
            models(&folder, &address, Path::new("/nonexistent/python3")).pull("tiny", Source::Hub, &mut quiet)
        })
    };
    while server.asked.lock().unwrap().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(matches!(pull(folder.path(), &server), Err(Error::Busy(_))));
    assert_eq!(fs::read(first.join().unwrap().unwrap()).unwrap(), content());
}
