//! `counsel view` as its guests meet it: a server of its own for each test, and raw bytes sent to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{command, path};

/// A server of a run, which ends with this.
pub(crate) struct Viewer(pub(crate) Child);

impl Viewer {
    /// The server of a run, and its port.
    pub(crate) fn of(runs: &Path) -> (Self, u16) {
        Self::start(&mut command(&["view", path(runs)]))
    }

    /// The same with at most this many open files.
    pub(crate) fn with_files(runs: &Path, most: usize) -> (Self, u16) {
        let line = format!("ulimit -S -n {most}; exec \"$0\" view \"$1\"");
        Self::start(Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_counsel"), path(runs)]))
    }

    fn start(command: &mut Command) -> (Self, u16) {
        let mut viewer = Self(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(viewer.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().trim_end_matches('/').rsplit(':').next().unwrap().parse();
        (viewer, port.unwrap_or_else(|error| panic!("{line}: {error}")))
    }

    /// Ends it, and gives what it said on standard error.
    pub(crate) fn end(mut self) -> String {
        let mut said = String::new();
        let _ = self.0.kill();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A connection on which nobody waits for ever.
pub(crate) fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Sends bytes and reads until the other side closes.
pub(crate) fn exchange(port: u16, request: &str) -> String {
    let mut stream = connect(port);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Asks for a page as a browser does that was told the address.
pub(crate) fn get(port: u16, target: &str) -> String {
    exchange(port, &format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nSec-Fetch-Site: none\r\n\r\n"))
}
