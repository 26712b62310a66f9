//! Lists the packed transcripts of the repository, so that they become part of the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../transcripts").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    for model in sorted(&root)?.into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", model.display());
        files.extend(sorted(&model)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "transcript")));
    }
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string().replace('\\', "/");
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    list.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(PathBuf::from(out).join("transcripts.rs"), list)
}

/// What lies in a folder, by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
