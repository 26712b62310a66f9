//! The program in the inspector's page is the one that the crate `whatif` builds: the bytes are pinned, and built again where the
//! compiler that made them is there.
//!
//! `UPDATE_DOCS=1 cargo test -p counsel-report --test suite module` builds it after a change of the engine.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

/// The compiler whose bytes are pinned: `rustup toolchain install 1.95.0 --target wasm32-wasip1`.
const COMPILER: &str = "1.95.0";
const TARGET: &str = "wasm32-wasip1";

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn module() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("module")
}

/// The program as the pinned compiler builds it; nothing where that compiler is not there.
fn built() -> Option<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let installed =
        Command::new("rustup").args(["target", "list", "--installed", "--toolchain", COMPILER]).output().ok()?;
    if !String::from_utf8_lossy(&installed.stdout).lines().any(|line| line == TARGET) {
        return None;
    }
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        |home| Path::new(&home).to_path_buf(),
    );
    // Where the sources lie is no part of the program.
    let flags =
        format!("--remap-path-prefix={}=/cargo --remap-path-prefix={}=/counsel", home.display(), root.display());
    let folder = root.join("target/page");
    let mut build = Command::new("rustup");
    build.args(["run", COMPILER, "cargo", "build", "--locked", "-p", "counsel-whatif", "--bin", "counsel-whatif"]);
    build.args(["--profile", "page", "--target", TARGET]).env("CARGO_TARGET_DIR", &folder).env("RUSTFLAGS", flags);
    // The settings of the build that runs this test are not those of the page.
    for name in ["CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN"] {
        build.env_remove(name);
    }
    let said = build.current_dir(&root).stdout(Stdio::null()).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    Some(std::fs::read(folder.join(TARGET).join("page/counsel-whatif.wasm")).unwrap())
}

#[test]
fn the_program_of_the_page_is_the_one_that_is_built() {
    let (program, pinned) = (module().join("whatif.wasm"), module().join("whatif.sha256"));
    if std::env::var_os("UPDATE_DOCS").is_some()
        && let Some(bytes) = built()
    {
        std::fs::write(&pinned, format!("{}\n", digest(&bytes))).unwrap();
        std::fs::write(&program, bytes).unwrap();
    }
    let (kept, said) = (std::fs::read(&program).unwrap(), std::fs::read_to_string(&pinned).unwrap());
    assert_eq!(digest(&kept), said.trim(), "the program is not the one that is pinned");
    match built() {
        Some(bytes) => assert_eq!(
            digest(&bytes),
            said.trim(),
            "the engine was changed; UPDATE_DOCS=1 cargo test -p counsel-report --test suite module builds the page's program again"
        ),
        None => {
            let how = format!("rustup toolchain install {COMPILER} --target {TARGET}");
            let _ = writeln!(std::io::stderr(), "\n!!! NOT BUILT AGAIN: the program of the page ({how})\n");
        }
    }
}
