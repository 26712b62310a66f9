"""Log = behaviour: what Python logs the program audits, and what the program logged Python decides again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run

import counsel

WORDS = ["left", "right", "wait"]


def settings(**named: Any) -> counsel.Settings:
    given: dict[str, Any] = {
        "advisor": "chance", "budget": counsel.Budget(per_run=60, per_episode=4), "execution": counsel.rules.Certified(tolerance=3.0)
    }
    return counsel.Settings(**(given | named))


def play(log: counsel.Log, *, steps: int = 200, **named: Any) -> counsel.Controller:
    rng = np.random.default_rng(1)
    controller = counsel.Controller(
        settings(cache=counsel.Cache(time_to_live=50)), WORDS, price=0.01, log=log, predictor=counsel.Predictor.per_context(3), **named
    )
    for step in range(steps):
        if step % 20 == 0:
            controller.begin_episode()
        turn = controller.decide(values=rng.random((4, 3)), base=int(rng.integers(3)), context=int(rng.integers(9)))
        if isinstance(turn, counsel.Ask):
            reply = [WORDS[int(rng.integers(3))], counsel.Reply("left", latency_ms=12.5, response_tokens=1), None, "?"][int(rng.integers(4))]
            controller.resume(turn, reply)
        controller.outcome(float(rng.random()))
    return controller


def radius() -> counsel.CalibratedRadius:
    rng = np.random.default_rng(2)
    label = rng.random(90)
    splits = counsel.calibration.split(
        label + rng.normal(0, 0.02, 90), label, fit=30, calibration=60, features=rng.random((90, 4))
    )
    return counsel.calibration.calibrate(splits, method="scaled", alpha=0.2)


def side_by_side(log: counsel.Log) -> counsel.VectorController:
    rng = np.random.default_rng(3)
    budget = counsel.Budget(per_run=90, per_episode=3, reserve=counsel.Reserve(fraction=0.5, after_episode=12))
    vector = counsel.VectorController(
        settings(budget=budget, cache=counsel.Cache()), WORDS, 5, price=0.01, radius=radius(), log=log,
        predictor=counsel.Predictor.feature(3, 2),
    )
    for _ in range(60):
        batch = vector.decide(
            values=rng.random((5, 4, 3)).astype(np.float32), base=rng.integers(3, size=5), contexts=rng.integers(20, size=5),
            features=rng.random((5, 2)), mask=rng.random(5) < 0.8,
        )
        if rng.random() < 0.9:
            vector.resume(batch, [WORDS[int(rng.integers(3))] for _ in batch.asks])
            vector.outcome(rng.random(5))
        vector.begin_episodes(rng.random(5) < 0.2)
    return vector


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for seed in (0, 1):
        with counsel.Log(folder, arm="declared", seed=seed) as log:
            assert play(log, radius=0.02).calls > 10
    with counsel.Log(folder, arm="calibrated") as log:
        assert play(log, radius=radius()).calls > 10
    with counsel.Log(folder, arm="vector") as log:
        assert side_by_side(log).calls > 30
    return folder


def test_every_decision_of_a_python_program_can_be_computed_again(runs: Path) -> None:
    audit = counsel.audit(runs)
    assert audit.clean and audit.agreeing == audit.decisions > 800 and audit.cells == 4, str(audit)
    assert "100.0000 %" in str(audit)
    assert counsel.log.cells(runs, arms=["declared"]) == ["mine/declared/0", "mine/declared/1"]


def test_the_program_audits_and_explains_what_python_logged(runs: Path, program: Run) -> None:
    done = program("audit", runs, "--format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["agreeing"] == told["decisions"] == counsel.audit(runs).decisions and told["faults"] == 0
    explained = program("explain", runs, "--cell", "mine/vector/0", "--step", "3")
    assert explained.returncode == 0, explained.stderr
    assert explained.stdout == counsel.explain(runs, "mine/vector/0", 3)


def test_a_logged_run_of_the_program_is_decided_again_by_python(tmp_path: Path, program: Run) -> None:
    assert program("reproduce", "lock", "--seeds", "0..2", "--out", tmp_path / "lock").returncode == 0
    rows = counsel.log.read(tmp_path / "lock", arms=["controller"], backend="numpy")
    manifest = json.loads((tmp_path / "lock/lock/controller/seed-00000.json").read_text())
    declared = {name: manifest["settings"][name] for name in ("gate", "execution", "budget", "pacing", "cache")}
    own = counsel.Settings.from_dict({"advisor": manifest["advisor"]} | declared)
    count, words = len(manifest["words"]), manifest["words"]
    with counsel.Log(tmp_path / "again", arm="again") as log:
        engine = counsel.Engine(own, words)
        loop = counsel.Controller(own, words, price=float(rows["price"][0]), radius=0.0, log=log)
        first = rows["seed"] == 0
        for row in np.flatnonzero(first):
            if rows["step_in_episode"][row] == 0:
                engine.begin_episode()
                loop.begin_episode()
            values = np.reshape(rows["value_samples"][row], (-1, count))
            base, context = int(rows["base"][row]), int(rows["context"][row])
            reply = rows["reply"][row] if rows["outcome"][row] == "asked" else None
            turn = engine.decide(
                values, rows["lower_bounds"][row], rows["upper_bounds"][row], rows["response_law"][row], base, context=context,
                radius=rows["radius"][row], price=rows["price"][row], visits=int(rows["visits"][row]),
            )
            assert turn.asked == (rows["outcome"][row] == "asked")
            act = engine.resume(turn, reply) if isinstance(turn, counsel.Ask) else turn
            assert (act.action, act.score, act.threshold) == (rows["executed"][row], rows["score"][row], rows["threshold"][row])
            loop.advise(values=values, base=base, ask=lambda reply=reply: reply, context=context)
            loop.outcome(float(rows["reward"][row]))
    assert engine.calls == (rows["outcome"][first] == "asked").sum() > 0
    done = program("audit", tmp_path / "again")
    assert done.returncode == 0 and f"{first.sum()} of {first.sum()} decisions agree" in done.stdout, done.stdout + done.stderr


def test_a_changed_log_is_found(runs: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(runs, tmp_path / "runs")
    log = tmp_path / "runs/mine/vector/seed-00000.parquet"
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(bytes(data))
    audit = counsel.audit(tmp_path / "runs")
    assert not audit.clean and "damaged" in audit.faults[0]
    with pytest.raises(counsel.LogError, match="damaged"):
        counsel.log.read(tmp_path / "runs", backend="numpy")


def test_open_questions_are_in_the_log_as_lost(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="a") as log:
        controller = counsel.Controller(settings(gate=counsel.gates.Always()), WORDS, price=0.0, log=log)
        controller.decide(values=np.zeros((1, 3)), base=0)
        controller.decide(values=np.zeros((1, 3)), base=1)
    rows = counsel.log.read(tmp_path, backend="numpy")
    assert list(rows["reply_source"]) == ["lost", "lost"] and list(rows["executed"]) == [0, 1]
    assert counsel.audit(tmp_path).clean


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), 1e308])
def test_an_outcome_that_is_refused_leaves_a_log_that_can_be_read(reward: float, tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="single") as log:
        controller = counsel.Controller(settings(), WORDS, price=0.0, log=log)
        for step in range(4):
            controller.decide(values=np.zeros((1, 3)), base=0)
            with pytest.raises(counsel.RefusedError, match="reward is"):
                controller.outcome(reward)
            with pytest.raises(counsel.RefusedError, match="`label` is"):
                controller.outcome(0.5, label=reward)
            if step % 2:
                # What was refused can be said again.
                controller.outcome(0.5, label=0.25)
    with counsel.Log(tmp_path, arm="vector") as log:
        vector = counsel.VectorController(settings(), WORDS, 2, price=0.0, log=log)
        vector.decide(values=np.zeros((2, 1, 3)), base=[0, 0])
        with pytest.raises(counsel.RefusedError, match="a reward is"):
            vector.outcome([0.5, reward])
        vector.outcome([0.5, 0.5])
    audit, rows = counsel.audit(tmp_path), counsel.log.read(tmp_path, backend="numpy")
    assert audit.clean and audit.decisions == 6, str(audit)
    assert np.isfinite(rows["reward"]).all() and rows["reward"].sum() == 2.0 and np.nansum(rows["proxy_value"]) == 0.5


def test_an_exception_loses_nothing_that_was_logged(tmp_path: Path) -> None:
    with pytest.raises(KeyError), counsel.Log(tmp_path, arm="a") as log:
        play(log, steps=30)
        raise KeyError("elsewhere")
    assert counsel.audit(tmp_path).decisions == 30
    with pytest.raises(counsel.RefusedError, match="is there already"):
        counsel.Log(tmp_path, arm="a")
    with counsel.Log(tmp_path, arm="b") as log, pytest.raises(counsel.StateError, match="another controller"):
        counsel.Controller(settings(), WORDS, price=0.0, log=log)
        counsel.Controller(settings(), WORDS, price=0.0, log=log)


def test_the_log_is_one_table_in_polars_pandas_and_numpy(runs: Path) -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("pandas")
    frame, table = counsel.log.read(runs), counsel.log.read(runs, backend="pandas")
    arrays = counsel.log.read(runs, backend="numpy")
    assert set(frame.columns) == set(table.columns) == set(arrays)
    assert frame.height == len(table) == len(arrays["step"]) == counsel.audit(runs).decisions
    for name in ("seed", "place", "executed", "score", "reward"):
        assert np.array_equal(frame[name].to_numpy(), arrays[name]) and np.array_equal(table[name].to_numpy(), arrays[name])
    batches = counsel.log.scan(runs, arms=["vector"]).group_by("batch").agg(polars.len()).collect()
    assert batches["len"].max() <= 5
    with pytest.raises(counsel.RefusedError, match="declared"):
        counsel.log.scan(runs, arms=["nobody"])
