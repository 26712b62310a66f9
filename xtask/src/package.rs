//! The Python package `counsel-rl`: built as a wheel, installed into a private environment, and tested there.
//!
//! The tests that need nothing heavy are a step of the check. The slow lane has two environments more: the same tests beside PyTorch
//! and Stable-Baselines3, and clusters of Ray and Slurm on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::python;
use crate::repository::{cargo, root, run, target};

/// The oldest glibc that the released wheel runs with: that of Debian 10 and of Red Hat Enterprise Linux 8.
const GLIBC: &str = "2.28";

/// Which wheel is built.
#[derive(Args)]
pub(crate) struct Wheel {
    /// What it is for, such as aarch64-unknown-linux-gnu [default: this machine]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
}

impl Wheel {
    /// Builds the wheel as it is released, with the program inside, into `target/wheels`.
    pub(crate) fn build(&self) -> Result<()> {
        let interpreter = python::environment(&folder().join("requirements-wheel.txt"))?;
        let linked =
            if cfg!(target_os = "linux") { self.linked_by_zig(&interpreter) } else { self.linked(&interpreter) };
        let (wheel, program) = linked?;
        run(Command::new(&interpreter).arg(folder().join("bundle.py")).arg(&wheel).arg(program))?;
        println!("{}", wheel.display());
        Ok(())
    }

    /// The wheel and the program, linked by zig against a glibc that is old enough.
    fn linked_by_zig(&self, interpreter: &Path) -> Result<(PathBuf, PathBuf)> {
        let own = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let triple = self.target.as_deref().unwrap_or(&own);
        let tag = format!("manylinux_{}", GLIBC.replace('.', "_"));
        let wheel = built(interpreter, "release", &["--target", triple, "--zig", "--compatibility", &tag])?;
        let zigbuild = interpreter.with_file_name("cargo-zigbuild");
        let mut cargo = Command::new(zigbuild);
        cargo.env("PATH", path_from(interpreter)?).current_dir(root());
        let glibc = format!("{triple}.{GLIBC}");
        run(cargo.args(["zigbuild", "--release", "--package", "counsel-cli", "--bin", "counsel", "--target", &glibc]))?;
        Ok((wheel, target().join(triple).join("release").join("counsel")))
    }

    /// The wheel and the program, linked as this machine does.
    fn linked(&self, interpreter: &Path) -> Result<(PathBuf, PathBuf)> {
        let triple: Vec<&str> = self.target.iter().flat_map(|triple| ["--target", triple.as_str()]).collect();
        let wheel = built(interpreter, "release", &triple)?;
        let mut words = vec!["build", "--release", "--package", "counsel-cli", "--bin", "counsel"];
        words.extend(&triple);
        run(&mut cargo(words))?;
        let folder = self.target.as_ref().map_or_else(target, |triple| target().join(triple));
        Ok((wheel, folder.join("release").join(format!("counsel{}", std::env::consts::EXE_SUFFIX))))
    }
}

/// The light tests, the types, and what the wheel promises of its ABI.
pub(crate) fn check() -> Result<()> {
    let interpreter = python::environment(&folder().join("requirements-light.txt"))?;
    let wheel = install(&interpreter)?;
    test(&interpreter, &["tests", "--ignore=tests/heavy"], Lane::Check)?;
    let mypy = |what: &[&str]| run(module(&interpreter, "mypy").args(["--strict"]).args(what));
    mypy(&["-p", "counsel"])?;
    mypy(&["examples/vector_babyai.py", "examples/shadow.py", "examples/paired_log.py", "examples/cascade_mmlu.py"])?;
    run(module(&interpreter, "mypy.stubtest").args(["counsel._counsel", "--ignore-disjoint-bases"]))?;
    run(module(&interpreter, "abi3audit").arg("--strict").arg(wheel))
}

/// The same tests beside PyTorch and Stable-Baselines3, with nothing left out, and those of clusters.
pub(crate) fn long() -> Result<()> {
    let interpreter = python::environment(&folder().join("requirements.txt"))?;
    install(&interpreter)?;
    test(&interpreter, &["tests", "--ignore=tests/heavy/clusters"], Lane::Long)?;
    for what in [&["-p", "counsel"][..], &["examples"]] {
        run(module(&interpreter, "mypy").arg("--strict").args(what))?;
    }
    run(module(&interpreter, "pyright").args(["--level", "error", "--pythonpath"]).arg(&interpreter).arg("examples"))?;
    let interpreter = python::environment(&folder().join("requirements-cluster.txt"))?;
    let wheel = install(&interpreter)?;
    test(&interpreter, &["tests/heavy/clusters"], Lane::Long)?;
    every_python(&wheel)
}

/// One wheel, imported and used by every Python that it is for and that the machine has.
fn every_python(wheel: &Path) -> Result<()> {
    const DECIDES: &str = "import sys, numpy, counsel
settings = counsel.Settings(advisor='a', budget=counsel.Budget(per_run=1), gate=counsel.gates.Always())
controller = counsel.Controller(settings, 2, price=0.0)
act = controller.advise(values=numpy.zeros((1, 2)), base=0, ask=lambda: 'a1')
print('Python', sys.version.split()[0], 'numpy', numpy.__version__, act)";
    let pythons = python::found(10..=13);
    for python in &pythons {
        let interpreter = python::environment_of(python, &folder().join("requirements-import.txt"))?;
        put(&interpreter, wheel)?;
        run(Command::new(&interpreter).args(["-c", DECIDES]))?;
    }
    println!("the wheel works in {} versions of Python", pythons.len());
    Ok(())
}

/// Measures decisions and environments side by side with other packages.
pub(crate) fn bench() -> Result<()> {
    let interpreter = python::environment(&folder().join("requirements-bench.txt"))?;
    let wheel = build(&interpreter, "release")?;
    put(&interpreter, &wheel)?;
    run(Command::new(&interpreter).arg("bench.py").current_dir(folder()))
}

fn folder() -> PathBuf {
    root().join("crates").join("python")
}

fn module(interpreter: &Path, name: &str) -> Command {
    let mut command = Command::new(interpreter);
    command.args(["-m", name]).current_dir(folder());
    command
}

/// Builds a wheel and puts it into the environment. The profile of the tests is the one that all tests share.
fn install(interpreter: &Path) -> Result<PathBuf> {
    let wheel = build(interpreter, "dev")?;
    put(interpreter, &wheel)?;
    Ok(wheel)
}

fn put(interpreter: &Path, wheel: &Path) -> Result<()> {
    run(module(interpreter, "pip").args(["install", "--quiet", "--force-reinstall", "--no-deps"]).arg(wheel))
}

fn build(interpreter: &Path, profile: &str) -> Result<PathBuf> {
    built(interpreter, profile, &[])
}

fn built(interpreter: &Path, profile: &str, chosen: &[&str]) -> Result<PathBuf> {
    let wheels = target().join("wheels").join(profile);
    if wheels.is_dir() {
        std::fs::remove_dir_all(&wheels).with_context(|| format!("cannot empty {}", wheels.display()))?;
    }
    let mut maturin = module(interpreter, "maturin");
    maturin.env("PATH", path_from(interpreter)?).args(["build", "--profile", profile, "--out"]).arg(&wheels);
    run(maturin.args(chosen))?;
    let listed = std::fs::read_dir(&wheels).with_context(|| format!("cannot list {}", wheels.display()))?;
    let mut found = listed.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    found.retain(|path| path.extension().is_some_and(|ending| ending == "whl"));
    match <[PathBuf; 1]>::try_from(found) {
        Ok([wheel]) => Ok(wheel),
        Err(found) => bail!("maturin left {} wheels in {}, not one", found.len(), wheels.display()),
    }
}

/// The path with the folder of this interpreter in front: zig is found as a module of the first Python.
fn path_from(interpreter: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = interpreter.parent().map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&path));
    Ok(std::env::join_paths(folders)?)
}

/// Runs the tests beside the program that was built from the same source.
fn test(interpreter: &Path, tests: &[&str], lane: Lane) -> Result<()> {
    // With all packages and an example, its features are those of `cargo test --workspace`, whose build it shares.
    run(&mut cargo(["build", "--workspace", "--bin", "counsel", "--example", "digest"]))?;
    let program = target().join("debug").join(if cfg!(windows) { "counsel.exe" } else { "counsel" });
    let mut pytest = module(interpreter, "pytest");
    pytest.args(["-q"]).args(tests).env("COUNSEL_PROGRAM", program);
    if matches!(lane, Lane::Long) {
        pytest.env("COUNSEL_LONG", "1");
    }
    run(&mut pytest)
}

/// Which tests run: those of every check, or those that take an hour as well.
#[derive(Clone, Copy)]
enum Lane {
    Check,
    Long,
}
