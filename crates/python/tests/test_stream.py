"""A log is on the disk while it is written: a killed program loses a second, and the log goes on."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import counsel

NAMES = ["left", "right", "forward"]

CRASHING = """
import sys, time, counsel
log = counsel.Log(sys.argv[1], arm="crashed")
controller = counsel.Controller.recommended(0.01, 200, ["left", "right", "forward"], episodes=60, seed=3, log=log)
step = 0
while True:
    act = controller.advise(context=step % 7, base=step % 3, ask=lambda: "forward")
    controller.outcome(float(act.action == 2), terminated=step % 5 == 4)
    step += 1
    if step == 100:
        controller.save(sys.argv[1] + "/state.json")
    print(step, time.time(), flush=True)
    time.sleep(0.002)
"""


def steps(controller: counsel.Controller, first: int, last: int) -> list[int]:
    done = []
    for step in range(first, last):
        act = controller.advise(context=step % 7, base=step % 3, ask=lambda: "forward")
        controller.outcome(float(act.action == 2), terminated=step % 5 == 4)
        done.append(act.action)
    return done


def crash(folder: Path) -> tuple[int, int]:
    """Runs a program, kills it, and says how many decisions it made, and how many of them more than a second before its end."""
    process = subprocess.Popen([sys.executable, "-c", CRASHING, folder], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen: list[tuple[int, float]] = []
    while not seen or (seen[-1][0] < 300 or seen[-1][1] - seen[0][1] < 2.2):
        step, when = process.stdout.readline().split()
        seen.append((int(step), float(when)))
    process.kill()
    process.wait()
    seen += [(int(line.split()[0]), float(line.split()[1])) for line in process.stdout.read().splitlines() if line.count(" ") == 1]
    return seen[-1][0], max(step for step, when in seen if when < seen[-1][1] - 1.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the crash is a signal")
def test_a_crash_loses_a_second_at_most_and_the_log_goes_on(tmp_path: Path) -> None:
    made, old = crash(tmp_path)
    assert counsel.log.unfinished(tmp_path) == ["mine/crashed/0"]
    kept = counsel.log.read(tmp_path, backend="numpy", running=True)
    assert old <= len(kept["step"]) <= made and (kept["step"] == np.arange(len(kept["step"]))).all()
    with pytest.raises(counsel.RefusedError, match="was not closed, and .* decisions of it are kept; pass resume=True"):
        counsel.Log(tmp_path, arm="crashed")
    # What came after the checkpoint is cut, and the controller goes on as it would have.
    with counsel.Log(tmp_path, arm="crashed", resume=True) as log:
        controller = counsel.Controller.load(tmp_path / "state.json", log=log)
        again = steps(controller, 100, 250)
    rows = counsel.log.read(tmp_path, backend="numpy")
    assert len(rows["step"]) == 250 and list(rows["executed"][100:]) == again
    straight = counsel.Controller.recommended(0.01, 200, NAMES, episodes=60, seed=3)
    assert list(rows["executed"]) == steps(straight, 0, 250)
    assert counsel.audit(tmp_path).clean and counsel.log.unfinished(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the crash is a signal")
def test_a_log_of_a_killed_program_can_be_closed_as_it_is(tmp_path: Path) -> None:
    crash(tmp_path)
    kept = counsel.log.read(tmp_path, backend="numpy", running=True)
    log = counsel.Log(tmp_path, arm="crashed", resume=True)
    assert len(log) == len(kept["step"])
    log.close()
    assert list(counsel.log.read(tmp_path, backend="numpy")["executed"]) == list(kept["executed"])
    audit = counsel.audit(tmp_path)
    assert audit.clean and audit.decisions == len(kept["step"])


def test_a_log_is_readable_while_it_is_written(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    log = counsel.Log(tmp_path, arm="running")
    controller = counsel.Controller.recommended(0.01, 50, NAMES, log=log)
    steps(controller, 0, 40)
    deadline = time.monotonic() + 20
    while len(rows := counsel.log.read(tmp_path, backend="numpy", running=True)["step"] if counsel.log.unfinished(tmp_path) and list(tmp_path.glob("*/*/.seed*/*.parquet")) else []) < 40:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    steps(controller, 40, 90)
    log.flush()
    frame = counsel.log.scan(tmp_path, running=True).select("step", "context").collect()
    assert frame["step"].to_list() == list(range(90)) and frame["context"].dtype == polars.UInt64
    with pytest.raises(counsel.RefusedError, match="no finished cell"):
        counsel.log.read(tmp_path)
    log.close()
    assert counsel.log.read(tmp_path).height == 90 and counsel.audit(tmp_path).clean


def test_what_is_written_takes_no_memory(tmp_path: Path) -> None:
    import resource

    values = np.zeros((8, 7))
    settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1))
    with counsel.Log(tmp_path, arm="long") as log:
        controller = counsel.Controller(settings, 7, price=0.0, log=log)
        before = 0
        for step in range(120_000):
            controller.decide(values=values, base=0)
            controller.outcome(0.0)
            if step == 40_000:
                log.flush()
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert after - before < 60_000, f"80,000 decisions are 130 MB in memory; {after - before} kB more were held"


def test_a_cell_is_open_once(tmp_path: Path) -> None:
    first = counsel.Log(tmp_path, arm="a")
    with pytest.raises(counsel.LogError, match="is open already"):
        counsel.Log(tmp_path, arm="a")
    controller = counsel.Controller.recommended(0.01, 5, NAMES, log=first)
    steps(controller, 0, 6)
    with pytest.raises(counsel.LogError, match="is open already"):
        counsel.Log(tmp_path, arm="a", resume=True)
    first.close()
    assert len(counsel.log.read(tmp_path, backend="numpy")["step"]) == 6
    # One that nothing was written into leaves nothing behind.
    counsel.Log(tmp_path, arm="b").close()
    assert not list(tmp_path.glob("mine/b/.seed-*"))


def test_a_log_that_is_never_closed_keeps_its_rows_and_goes_with_its_controller(tmp_path: Path) -> None:
    log = counsel.Log(tmp_path, arm="a")
    controller = counsel.Controller.recommended(0.01, 5, NAMES, log=log)
    steps(controller, 0, 6)
    log.flush()
    del controller, log
    gc.collect()
    deadline = time.monotonic() + 20
    while True:
        try:
            again = counsel.Log(tmp_path, arm="a", resume=True)
            break
        except counsel.LogError:
            # The thread that writes may be at work for a moment more.
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert len(again) >= 5
    again.close()
    assert counsel.audit(tmp_path).clean


def test_a_log_goes_on_with_its_own_controller_alone(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="a") as log:
        controller = counsel.Controller.recommended(0.01, 5, NAMES, log=log)
        steps(controller, 0, 6)
        controller.save(tmp_path / "state.json")
    with counsel.Log(tmp_path, arm="b") as log, pytest.raises(counsel.StateError, match="holds nothing before it"):
        counsel.Controller.load(tmp_path / "state.json", log=log)




def test_a_log_can_be_replaced(tmp_path: Path) -> None:
    for price in (0.01, 0.02):
        with counsel.Log(tmp_path, arm="other") if price == 0.01 else counsel.Log(tmp_path, arm="a", seed=1) as log:
            steps(counsel.Controller.recommended(price, 5, NAMES, log=log), 0, 3)
    for price, count in ((0.02, 4), (0.02, 6)):
        with counsel.Log(tmp_path, arm="a", replace=True) as log:
            steps(counsel.Controller.recommended(price, 5, NAMES, log=log), 0, count)
    with pytest.raises(counsel.RefusedError, match="pass replace=True"):
        counsel.Log(tmp_path, arm="other")
    # Other settings in the same arm need that no other cell of it is there.
    with counsel.Log(tmp_path, arm="other", replace=True) as log:
        steps(counsel.Controller.recommended(0.5, 5, NAMES, log=log), 0, 7)
    audit = counsel.audit(tmp_path)
    assert audit.clean and (audit.decisions, audit.cells) == (16, 3), str(audit)
    # One that was left open is replaced, too.
    log = counsel.Log(tmp_path, arm="open")
    steps(counsel.Controller.recommended(0.5, 5, NAMES, log=log), 0, 7)
    log.flush()
    del log
    gc.collect()
    time.sleep(1)
    with counsel.Log(tmp_path, arm="open", replace=True) as log:
        steps(counsel.Controller.recommended(0.1, 5, NAMES, log=log), 0, 2)
    assert counsel.audit(tmp_path).clean and counsel.audit(tmp_path).decisions == 18
