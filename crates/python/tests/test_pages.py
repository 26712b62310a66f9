"""A run as pages and figures, and the numbers of a controller elsewhere."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel
from counsel import pages, studies, writers
from counsel.studies import ProgramError

from conftest import Run


@pytest.fixture
def named(program: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert studies.program()


def run(folder: Path, arm: str, seed: int = 0) -> counsel.Controller:
    with counsel.Log(folder, arm=arm, seed=seed) as log:
        controller = counsel.Controller.recommended(price=0.01, budget=50, actions=["left", "right"], log=log)
        for step in range(24):
            act = controller.advise(context=step % 3, base=0, ask=lambda: "right")
            controller.outcome(float(act.action), terminated=step % 4 == 3)
    return controller


def test_a_report_and_the_decisions_of_a_cell(named: None, tmp_path: Path) -> None:
    run(tmp_path, "advised")
    page = counsel.report(tmp_path)
    assert page.path == tmp_path / "report.html" and "advised" in page.path.read_text(encoding="utf-8")
    assert "<iframe sandbox=" in page._repr_html_() and 'srcdoc="&lt;!' in page._repr_html_()
    decisions = counsel.report(tmp_path, cells=["mine/advised/0"], out=tmp_path / "one.html")
    assert decisions.path == tmp_path / "one.html" and str(decisions) == str(tmp_path / "one.html")
    with pytest.raises(ProgramError, match="mine/never/0"):
        counsel.report(tmp_path, cells=["mine/never/0"])


def test_figures_are_svg_that_a_notebook_shows(named: None, tmp_path: Path) -> None:
    studies.reproduce("lock", out=tmp_path, seeds="0..1")
    found = counsel.figures(tmp_path)
    assert found and all(figure.lstrip().startswith("<svg") or "<svg" in figure[:400] for figure in found.values())
    assert found._repr_html_().count("<svg") >= len(found)


def test_decisions_are_served_until_the_view_is_closed(named: None, tmp_path: Path) -> None:
    run(tmp_path, "advised")
    with counsel.view(tmp_path) as view:
        assert view.url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(view.url, timeout=20) as answer:
            assert answer.status == 200 and "advised" in answer.read().decode()
    with pytest.raises(OSError):
        urllib.request.urlopen(view.url, timeout=5)
    with pytest.raises(ProgramError):
        counsel.view(tmp_path / "nothing")


def test_a_frame_and_a_file_are_judged_alike(named: None, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    rng = np.random.default_rng(0)
    rows = [{
        "episode": step // 8, "step": step % 8, "base": "left", "asked": True, "answer": "right", "executed": "right",
        "reward": float(rng.random() < 0.5), "price": 0.05, "end": step % 8 == 7,
    } for step in range(96)]
    header = {"words": ["left", "right"], "return_range": [0, 8], "max_steps": 8, "answers_act_only": True}
    path = tmp_path / "calls.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ({"format": "counsel-shadow/1"} | header, *rows)))
    from_file = counsel.shadow(path)
    from_frame = counsel.shadow(polars.DataFrame(rows), header=header, out=tmp_path / "frame.html")
    assert from_file.path == tmp_path / "calls.shadow.html" and from_file.path.exists() and from_frame.path.exists()
    assert "96" in from_file.text and from_file.text.splitlines()[:-1] == from_frame.text.splitlines()[:-1], from_frame.text
    with pytest.raises(counsel.RefusedError, match="a frame has no header; pass header="):
        counsel.shadow(polars.DataFrame(rows))
    with pytest.raises(counsel.RefusedError, match="a file has its own"):
        counsel.shadow(path, header=header)
    with pytest.raises(counsel.RefusedError, match="the log is list; pass the path"):
        counsel.shadow(rows)


def test_the_numbers_of_a_controller_are_written_by_name(tmp_path: Path) -> None:
    controller = run(tmp_path, "advised")
    summary = controller.summary()
    assert summary["decisions"] == 24 and summary["calls"] == controller.calls and summary["calls_left"] == controller.calls_left
    assert summary["reasons"] == controller.diagnose().reasons
    found = writers.numbers(controller)
    assert found["advice/calls"] == controller.calls and any(name.startswith("advice/why/") for name in found)

    class Wandb:
        def __init__(self) -> None:
            self.rows: list[tuple[int, dict[str, float]]] = []

        def log(self, row: dict[str, float], step: int) -> None:
            self.rows.append((step, row))

    run_of_wandb, got = Wandb(), []
    writers.WandB(run_of_wandb).write(controller, 7)
    writers.Numbers(lambda row, step: got.append((step, row))).write(controller, np.int64(7))  # type: ignore[arg-type]
    assert run_of_wandb.rows == got == [(7, found)]
    wrong: Any = 3
    for kind, words in ((writers.WandB, "pass what wandb.init returned"), (writers.TensorBoard, "pass a folder, or an object"), (writers.Numbers, "pass a callable")):
        with pytest.raises(counsel.RefusedError, match=words):
            kind(wrong)


def test_event_files_of_tensorboard_hold_the_numbers(tmp_path: Path) -> None:
    for module in ("torch", "tensorboard"):
        pytest.importorskip(module)
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    controller = run(tmp_path / "runs", "advised")
    writers.TensorBoard(tmp_path / "events").write(controller, 3)
    events = EventAccumulator(str(tmp_path / "events")).Reload()
    scalar = events.Scalars("advice/calls")[0]
    assert (scalar.step, scalar.value) == (3, controller.calls)


def test_a_large_page_is_no_cell_of_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html>" + " " * (17 << 20))
    assert "too large for a notebook" in pages.Page(path)._repr_html_()
