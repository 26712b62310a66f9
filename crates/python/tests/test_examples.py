"""The examples are programs that run, each in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NEEDS = {
    "sb3_cartpole": ["gymnasium", "stable_baselines3"],
    "torch_ensemble": ["gymnasium", "torch"],
    "vector_babyai": ["gymnasium"],
    "shadow": [],
    "paired_log": ["gymnasium", "polars"],
    "advised_dqn": ["gymnasium", "minigrid", "torch"],
    "cascade_mmlu": ["polars"],
}


def test_every_example_is_listed() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(NEEDS)


@pytest.mark.parametrize("name", NEEDS)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    for module in NEEDS[name]:
        pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"], cwd=tmp_path, capture_output=True, text=True, check=False, env=os.environ | {"EXAMPLE": "short"}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
