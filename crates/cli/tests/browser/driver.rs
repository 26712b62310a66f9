//! A real browser for a test: Debian's chromium and chromium-driver, by the commands of the WebDriver standard. Where they cannot be
//! had, the tests say so and pass.

use std::fmt::Write as _;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use ureq::Agent;

/// Chromium ignores links within a page that follow each other faster than a person clicks.
const SWIFT: &str = "--disable-ipc-flooding-protection";

/// A browser without a window, and the program that drives it, which ends with it.
pub(crate) struct Browser {
    agent: Agent,
    driver: Child,
    /// The address of the session.
    session: String,
}

/// A program of this name on the path.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Says on the terminal, whatever becomes of the test's own output, that something was not tested.
fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "\n!!! NOT TESTED IN A BROWSER: {what}\n");
}

impl Browser {
    /// Opens a browser; nothing where there is none.
    pub(crate) fn open() -> Option<Self> {
        let (Some(chromium), Some(chromedriver)) = (program("chromium"), program("chromedriver")) else {
            skipped("install the Debian packages chromium and chromium-driver");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let quiet = || Stdio::null();
        let driver = Command::new(chromedriver).arg(format!("--port={port}")).stdout(quiet()).stderr(quiet()).spawn();
        let agent = Agent::new_with_config(Agent::config_builder().http_status_as_error(false).proxy(None).build());
        let address = format!("http://127.0.0.1:{port}/session");
        let mut browser = Self { agent, driver: driver.unwrap(), session: address };
        let options = json!({ "binary": chromium, "args": ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", SWIFT] });
        let wanted = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let begun = Instant::now();
        let opened = loop {
            match browser.post("", &json!({ "capabilities": { "alwaysMatch": wanted } })) {
                Ok(opened) => break opened,
                Err(error) => assert!(begun.elapsed() < Duration::from_secs(60), "no browser: {error}"),
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        write!(browser.session, "/{}", opened["sessionId"].as_str().expect("a session has a name")).unwrap();
        Some(browser)
    }

    fn post(&self, command: &str, body: &Value) -> Result<Value, String> {
        let sent = self.agent.post(format!("{}{command}", self.session)).content_type("application/json");
        let mut answer = sent.send(body.to_string()).map_err(|error| error.to_string())?;
        // A picture of a page may be large.
        let text =
            answer.body_mut().with_config().limit(1 << 28).read_to_string().map_err(|error| error.to_string())?;
        let value = serde_json::from_str::<Value>(&text).map_err(|error| error.to_string())?["value"].take();
        if answer.status().is_success() { Ok(value) } else { Err(value.to_string()) }
    }

    #[track_caller]
    fn tell(&self, command: &str, body: &Value) -> Value {
        self.post(command, body).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// A command that only this browser knows.
    #[track_caller]
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.tell("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Leads the browser to an address.
    #[track_caller]
    pub(crate) fn go(&self, address: &str) {
        self.tell("/url", &json!({ "url": address }));
    }

    /// What a script returns in the page.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        self.tell("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What a script hands to its last argument in the end.
    #[track_caller]
    pub(crate) fn run_to_end(&self, script: &str) -> Value {
        self.tell("/execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Presses a key, as a person would.
    #[track_caller]
    pub(crate) fn press(&self, key: &str) {
        let actions = [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        self.tell("/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
    }

    /// What the pages complained about since this was last asked.
    #[track_caller]
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.tell("/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().unwrap().iter();
        // A browser looks for an icon by itself.
        entries.map(|entry| entry["message"].to_string()).filter(|message| !message.contains("favicon")).collect()
    }

    /// The size of the page and its colours, `light` or `dark`.
    #[track_caller]
    pub(crate) fn dress(&self, width: u32, height: u32, theme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        let theme = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.devtools("Emulation.setEmulatedMedia", &theme);
    }

    /// A picture of what the window shows, as a PNG file.
    #[track_caller]
    pub(crate) fn picture(&self) -> Vec<u8> {
        let shot = self.devtools("Page.captureScreenshot", &json!({ "format": "png" }));
        BASE64_STANDARD.decode(shot["data"].as_str().unwrap()).unwrap()
    }

    /// Waits until the page shows this step.
    #[track_caller]
    pub(crate) fn shows(&self, link: &str) {
        let begun = Instant::now();
        while self.run("return document.body.dataset.ready") != *link {
            assert!(begun.elapsed() < Duration::from_secs(30), "{link} is not shown");
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The session ends the browser. Where it does not answer any more, its driver's end must do.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The accessibility checker axe-core, as npm packs it; nothing where it cannot be had.
pub(crate) fn axe() -> Option<String> {
    const PACKAGE: &str = "axe-core-4.14.0";
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(PACKAGE).with_extension("min.js");
    let fetch = || {
        let folder = tempfile::tempdir().ok()?;
        let done = |command: &mut Command| {
            let status = command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.ok().filter(std::process::ExitStatus::success)
        };
        done(Command::new("npm").args(["pack", "axe-core@4.14.0"]))?;
        done(Command::new("tar").arg("xzf").arg(format!("{PACKAGE}.tgz")))?;
        let text = std::fs::read_to_string(folder.path().join("package/axe.min.js")).ok()?;
        counsel_file::write_whole(&kept, text.as_bytes()).ok()?;
        Some(text)
    };
    let text = std::fs::read_to_string(&kept).ok().or_else(fetch);
    if text.is_none() {
        skipped("accessibility: axe-core cannot be had from npm");
    }
    text
}
