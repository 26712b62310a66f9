//! A real browser for a test: Debian's chromium and chromium-driver. Where they cannot be had, the tests say so and pass.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// A browser, and the program that drives it, which ends with it.
pub(crate) struct Browser {
    pub(crate) client: Client,
    driver: Child,
    port: u16,
    session: String,
}

/// A program of this name on the path.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Says on the terminal, whatever becomes of the test's own output, that something was not tested.
pub(crate) fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "\n!!! NOT TESTED IN A BROWSER: {what}\n");
}

impl Browser {
    /// Opens a browser without a window; nothing where there is none.
    pub(crate) async fn open() -> Option<Self> {
        let (Some(chromium), Some(chromedriver)) = (program("chromium"), program("chromedriver")) else {
            skipped("install the Debian packages chromium and chromium-driver");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Command::new(chromedriver)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let options =
            json!({ "binary": chromium, "args": ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"] });
        let wanted = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let Value::Object(wanted) = wanted else { unreachable!() };
        let begun = Instant::now();
        let client = loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            match builder.capabilities(wanted.clone()).connect(&format!("http://127.0.0.1:{port}")).await {
                Ok(client) => break client,
                Err(error) => assert!(begun.elapsed() < Duration::from_secs(30), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        let session = client.session_id().await.unwrap().unwrap();
        Some(Self { client, driver, port, session })
    }

    /// A command that only this browser knows.
    pub(crate) fn tell(&self, command: &str, body: &Value) -> Value {
        let body = body.to_string();
        let head = format!(
            "POST /session/{}/{command} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.session,
            self.port,
            body.len()
        );
        let answer = exchange(self.port, &format!("{head}{body}"));
        let text = answer.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{error}: {answer}"))["value"].clone()
    }

    /// What the pages complained about since this was last asked.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.tell("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().unwrap().iter();
        // A browser looks for an icon by itself.
        entries.map(|entry| entry["message"].to_string()).filter(|message| !message.contains("favicon")).collect()
    }

    /// The size of the page and its colours, `light` or `dark`.
    pub(crate) fn dress(&self, width: u32, height: u32, theme: &str) {
        let cdp = |command: &str, parameters: Value| {
            self.tell("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }));
        };
        cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
        cdp("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] }));
    }

    /// Begins to count the processor time of the page's main thread. A clock on the wall would count what other programs take.
    pub(crate) fn count_time(&self) {
        let parameters = json!({ "timeDomain": "threadTicks" });
        self.tell("goog/cdp/execute", &json!({ "cmd": "Performance.enable", "params": parameters }));
    }

    /// The processor time of the page's main thread since it was begun to be counted.
    pub(crate) fn milliseconds(&self) -> f64 {
        let found = self.tell("goog/cdp/execute", &json!({ "cmd": "Performance.getMetrics", "params": {} }));
        let metrics = found["metrics"].as_array().unwrap();
        let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration").unwrap();
        tasks["value"].as_f64().unwrap() * 1000.0
    }

    /// Runs a script in the page.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Waits until the page shows this step.
    pub(crate) async fn shows(&self, link: &str) {
        let begun = Instant::now();
        while self.run("return document.body.dataset.ready").await != *link {
            assert!(begun.elapsed() < Duration::from_secs(10), "{link} is not shown");
        }
    }

    pub(crate) async fn close(mut self) {
        let _ = self.client.clone().close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// One exchange over plain HTTP.
pub(crate) fn exchange(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// The accessibility checker axe-core, as npm packs it; nothing where it cannot be had.
pub(crate) fn axe() -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe-core-4.14.0");
    let script = folder.join("package/axe.min.js");
    if !script.exists() {
        std::fs::create_dir_all(&folder).ok()?;
        let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok();
        quiet(Command::new("npm").args(["pack", "axe-core@4.14.0"]).current_dir(&folder))?;
        quiet(Command::new("tar").args(["xzf", "axe-core-4.14.0.tgz"]).current_dir(&folder))?;
    }
    let text = std::fs::read_to_string(script).ok();
    if text.is_none() {
        skipped("accessibility: axe-core cannot be had from npm");
    }
    text
}
