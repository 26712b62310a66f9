//! A PostgreSQL of this machine's package, in a folder of its own, with everything on the disk when it says so.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What opens it from the network; its socket is open to this machine.
pub(crate) const PASSWORD: &str = "s3cret@/?#";
const INSTALL: &str = "PostgreSQL is not installed; `apt install postgresql` puts it into /usr/lib/postgresql";

/// A running cluster. Dropping it kills it.
pub(crate) struct Cluster {
    bin: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    options: Vec<String>,
    server: Option<Child>,
}

/// The programs of the newest version that is installed.
fn bin() -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> =
        fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect();
    versions.retain(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file());
    versions.sort();
    versions.pop()
}

/// A command as the user `postgres`, where this is root: the server refuses to run as that.
fn command(program: &Path) -> Command {
    let output = Command::new("id").arg("-u").output().expect("id says who this is");
    if output.stdout.trim_ascii() != b"0" {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"]).arg(program);
    command
}

fn run(command: &mut Command) {
    let output = command.current_dir("/").output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Cluster {
    /// A new cluster; nothing, and a word of it, where PostgreSQL is not installed. The slow lane wants it.
    pub(crate) fn start() -> Option<Self> {
        Self::with(&[], |_| {})
    }

    /// The same with settings, and after a change of its folder.
    pub(crate) fn with(options: &[&str], change: impl FnOnce(&Path)) -> Option<Self> {
        let bin = if cfg!(feature = "long-tests") { Some(bin().expect(INSTALL)) } else { bin() };
        let Some(bin) = bin else {
            // The harness hides what a test prints that passes.
            let _ = writeln!(std::io::stderr(), "skipped: {INSTALL}");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("password");
        fs::write(&secret, PASSWORD).unwrap();
        let own = |path: &Path| {
            if command(Path::new("true")).get_program() == "setpriv" {
                run(Command::new("chown").args(["-R", "postgres:postgres"]).arg(path));
            }
        };
        own(folder.path());
        run(command(&bin.join("initdb"))
            .args(["--no-sync", "--username=postgres", "--encoding=UTF8", "--locale=C"])
            .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
            .arg(format!("--pwfile={}", secret.display()))
            .arg("-D")
            .arg(folder.path().join("data")));
        change(&folder.path().join("data"));
        own(folder.path());
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = options.iter().map(|option| format!("-c{option}")).collect();
        let mut cluster = Self { bin, folder, port, options, server: None };
        cluster.up();
        Some(cluster)
    }

    /// Starts it, and waits until it answers.
    pub(crate) fn up(&mut self) {
        for _ in 0..3000 {
            // What a killed one left may stand in the way for a moment.
            let mut server = self.server.take().unwrap_or_else(|| self.spawn());
            if server.try_wait().unwrap().is_none() {
                self.server = Some(server);
                if self.answers() {
                    return;
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{}", fs::read_to_string(self.log()).unwrap());
    }

    fn spawn(&self) -> Child {
        command(&self.bin.join("postgres"))
            .arg("-D")
            .arg(self.folder.path().join("data"))
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=16MB", "-c", "fsync=on"])
            .args(["-c", &format!("port={}", self.port)])
            .args(["-c", &format!("unix_socket_directories={}", self.folder.path().display())])
            .args(&self.options)
            .current_dir("/")
            .stdout(Stdio::null())
            .stderr(fs::File::options().append(true).create(true).open(self.log()).unwrap())
            .spawn()
            .unwrap()
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn answers(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok() && self.sql("SELECT 1").is_ok()
    }

    /// Lets it do something by its own client, over its socket.
    pub(crate) fn sql(&self, query: &str) -> Result<String, String> {
        let output = Command::new(self.bin.join("psql"))
            .args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "postgres", "-c", query])
            .args(["-p", &self.port.to_string(), "-h"])
            .arg(self.folder.path())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// Ends it by this signal.
    pub(crate) fn down(&mut self, signal: &str) {
        if let Some(mut server) = self.server.take() {
            run(Command::new("kill").args([signal, &server.id().to_string()]));
            server.wait().unwrap();
        }
    }

    /// Sends a signal to it and to all its processes, which lets them stand still or go on.
    pub(crate) fn signal(&self, signal: &str) {
        let server = self.server.as_ref().expect("it runs").id().to_string();
        let listed = Command::new("ps").args(["-o", "pid=", "--ppid", &server]).output().expect("ps lists processes");
        let children = String::from_utf8(listed.stdout).unwrap();
        // A child that ends meanwhile hears nothing.
        let _ = Command::new("kill").arg(signal).arg(&server).args(children.split_whitespace()).output();
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Its URL over the network, with the password.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres:s3cret%40%2F%3F%23@127.0.0.1:{}/postgres", self.port)
    }

    /// Its URL by its socket.
    pub(crate) fn socket(&self) -> String {
        format!("postgres://postgres@/postgres?host={}&port={}", self.folder.path().display(), self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.down("-QUIT");
    }
}
