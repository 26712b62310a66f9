"""A program is put into a wheel as pip wants it, and only if it runs where the wheel does."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

BUNDLE = Path(__file__).parents[1] / "bundle.py"


def made(folder: Path, tag: str) -> Path:
    wheel = folder / f"toy-1.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("toy.py", "number = 1\n")
        archive.writestr("toy-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
        archive.writestr("toy-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("toy-1.0.dist-info/RECORD", "toy.py,,\ntoy-1.0.dist-info/METADATA,,\ntoy-1.0.dist-info/WHEEL,,\ntoy-1.0.dist-info/RECORD,,\n")
    return wheel


def bundled(wheel: Path, program: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, BUNDLE, wheel, program], capture_output=True, text=True, check=False)


def test_the_program_is_recorded_and_pip_installs_it(tmp_path: Path) -> None:
    program = tmp_path / "counsel"
    program.write_text("#!/bin/sh\necho counsel 9\n")
    wheel = made(tmp_path, "any")
    done = bundled(wheel, program)
    assert done.returncode == 0, done.stderr
    first = wheel.read_bytes()
    assert done.stdout.split()[0] == hashlib.sha256(first).hexdigest()
    with zipfile.ZipFile(wheel) as archive:
        record = archive.read("toy-1.0.dist-info/RECORD").decode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(program.read_bytes()).digest()).rstrip(b"=").decode()
        assert f"toy-1.0.data/scripts/counsel,sha256={digest},{program.stat().st_size}\n" in record
        assert record.count("RECORD") == 1 and len(record.splitlines()) == len(archive.namelist())
    # The same wheel and the same program, once more: the program is not there twice, and the bytes are the same.
    assert bundled(wheel, program).returncode == 0 and wheel.read_bytes() == first
    target = tmp_path / "target"
    if sys.platform == "win32":
        return
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", target, wheel]
    subprocess.run(pip, check=True, capture_output=True)
    said = subprocess.run([target / "bin" / "counsel"], capture_output=True, text=True, check=True)
    assert said.stdout == "counsel 9\n"


def test_a_program_that_needs_a_newer_glibc_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "counsel"
    program.write_bytes(b"\x7fELF GLIBC_2.2.5 GLIBC_2.34 GLIBC_2.4")
    wheel = made(tmp_path, "manylinux_2_28_x86_64")
    done = bundled(wheel, program)
    assert done.returncode == 1 and "needs glibc 2.34" in done.stderr and "promises 2.28" in done.stderr
    assert bundled(made(tmp_path, "manylinux_2_34_x86_64"), program).returncode == 0
