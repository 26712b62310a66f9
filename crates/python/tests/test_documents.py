"""The examples in docstrings, in docs/PYTHON.md and in docs/CASCADE.md run, and say what they say they say; those of PYTHON.md have right types."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sections() -> dict[str, str]:
    """The sections of docs/PYTHON.md that have blocks with a prompt."""
    parts = (DOCS / "PYTHON.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.splitlines()[0]: part for part in parts if ">>> " in part}


#: What a block without prompts takes for granted, by what it begins with.
GIVEN = {
    "envs = counsel.wrap": "envs: gymnasium.vector.VectorEnv[Any, Any, Any], actions: Any",
    "import counsel.sb3": "env: gymnasium.Env[Any, Any], DQN: Any",
    "critic = counsel.critics": "agent: Any, q1: Any, q2: Any, q3: Any, network: Any",
    "live = counsel.studies": "",
}
HEAD = """from typing import Any

import counsel
import counsel.ray
import counsel.sb3
import counsel.torch
import gymnasium


def model(observation: Any) -> str:
    return str(observation)


"""


def bare() -> list[str]:
    """The blocks of docs/PYTHON.md without a prompt, each as a function of what it takes for granted."""
    text = (DOCS / "PYTHON.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if ">>> " not in block]
    given = [next(given for first, given in GIVEN.items() if block.startswith(first)) for block in blocks]
    return [f"{HEAD}def block({names}) -> None:\n{textwrap.indent(block, '    ')}" for names, block in zip(given, blocks, strict=True)]


@pytest.mark.parametrize("name", [
    "counsel", "counsel.calibration", "counsel.errors", "counsel.settings", "counsel.stats", "counsel.reading", "counsel.advisors",
    "counsel.gymnasium", "counsel.environment", "counsel.grid", "counsel.keys", "counsel.envs", "counsel.envs.flat", "counsel.writers", "counsel.critics",
])
def test_docstrings_run(name: str) -> None:
    if name in ("counsel.gymnasium", "counsel.environment", "counsel.grid", "counsel.envs", "counsel.envs.flat"):
        pytest.importorskip("gymnasium")
    if name == "counsel.critics":
        pytest.importorskip("torch")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and (result.attempted > 0 or name == "counsel.gymnasium")


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@pytest.mark.parametrize("section", sections())
def test_a_section_runs_alone_and_twice(section: str, tmp_path: Path) -> None:
    for module in ("gymnasium", "polars"):
        pytest.importorskip(module)
    text = sections()[section]
    with inside(tmp_path):
        for _ in range(2):
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            runner.run(doctest.DocTestParser().get_doctest(text, {}, section, "PYTHON.md", 0))
            assert runner.failures == 0 and runner.tries > 1


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_types_of_every_block_are_right(checker: str, tmp_path: Path) -> None:
    for module in (checker, "gymnasium", "polars"):
        pytest.importorskip(module)
    for number, text in enumerate(sections().values()):
        examples = doctest.DocTestParser().get_examples(text)
        # What is meant to raise is no program of anybody's.
        (tmp_path / f"section_{number}.py").write_text("".join(one.source for one in examples if one.exc_msg is None))
    blocks = bare()
    assert len(blocks) == len(GIVEN)
    for number, text in enumerate(blocks):
        (tmp_path / f"block_{number}.py").write_text(text)
    command = ["mypy", "--strict", "--ignore-missing-imports"] if checker == "mypy" else ["pyright", "--level", "error", "--pythonpath", sys.executable]
    done = subprocess.run([sys.executable, "-m", *command, "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_of_cascades_runs(tmp_path: Path) -> None:
    with inside(tmp_path):
        result = doctest.testfile(str(DOCS / "CASCADE.md"), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 10
