"""Where the `counsel` program is: tests that hold the package against it need one that was built from the same source."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def program() -> Run:
    """Runs the `counsel` program named by the variable COUNSEL_PROGRAM."""
    path = os.environ.get("COUNSEL_PROGRAM")
    if path is None or not Path(path).exists():
        pytest.skip("COUNSEL_PROGRAM names no program; build it by `cargo build -p counsel-cli`")

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)

    return run
