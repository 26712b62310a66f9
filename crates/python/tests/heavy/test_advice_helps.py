"""Advice helps a learner: the same agent with three more lines, on the same 20 seeds. An hour, so only where COUNSEL_LONG is set."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "examples" / "advised_dqn.py"


@pytest.mark.skipif("COUNSEL_LONG" not in os.environ, reason="COUNSEL_LONG is not set")
@pytest.mark.parametrize("learner", ["dqn", "sb3"])
def test_a_learner_with_advice_is_above_the_same_without(learner: str) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("stable_baselines3")
    done = subprocess.run([sys.executable, PROGRAM, learner], capture_output=True, text=True, check=True, env=os.environ | {"SEEDS": "20"})
    calls = [int(count) for count in re.findall(r"(\d+) calls$", done.stdout, re.MULTILINE)]
    found = re.search(r"interval ([+-][\d.]+) to", done.stdout)
    assert found is not None and float(found[1]) > 0 and len(calls) == 20 and max(calls) <= 500, done.stdout

