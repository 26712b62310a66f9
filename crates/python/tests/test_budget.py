"""Hard budget: no thread, exception, garbage collection, fork, copy or killed process makes one call more."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel

VALUES = np.zeros((1, 2))


def eager(limit: int) -> counsel.Settings:
    return counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=limit), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
    )


def test_threads_share_one_budget() -> None:
    engine = counsel.Engine(eager(100), 2)
    zeros, law = np.zeros(2), np.full(3, 1 / 3)
    paid = []

    def ask() -> None:
        for _ in range(200):
            turn = engine.decide(VALUES, zeros, zeros, law, 0, price=0.0)
            if isinstance(turn, counsel.Ask):
                paid.append(turn.serial)
                engine.resume(turn, random.choice(["a1", "?", None]))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(paid) == list(range(1, 101)) and engine.calls == 100


def test_no_interleaving_of_dropping_raising_and_collecting_overspends() -> None:
    rng = random.Random(3)
    for limit in (0, 1, 7, 40):
        controller = counsel.Controller(eager(limit), 2, price=0.0)
        vector = counsel.VectorController(eager(limit), 2, 3, price=0.0)
        sent = sent_by_vector = 0
        for _ in range(200):
            turn = controller.decide(values=VALUES, base=0)
            if isinstance(turn, counsel.Ask):
                sent += 1
                match rng.randrange(4):
                    case 0:
                        controller.resume(turn, "a1")
                    case 1:
                        del turn
                        gc.collect()
                    case 2:
                        controller.begin_episode()
                    case _:
                        with pytest.raises(counsel.StateError):
                            controller.resume(turn, "a1")
                            controller.resume(turn, "a1")

            def broken() -> str:
                nonlocal sent
                sent += 1
                raise ConnectionError("down")

            try:
                controller.advise(values=VALUES, base=0, ask=broken)
            except ConnectionError:
                pass
            batch = vector.decide(values=np.zeros((3, 1, 2)), base=[0, 0, 0])
            sent_by_vector += len(batch.asks)
            if rng.random() < 0.5:
                vector.resume(batch, ["a1"] * len(batch.asks))
        assert sent == controller.calls == limit
        assert sent_by_vector == vector.calls == limit


def test_a_budget_is_not_copied(tmp_path: Path) -> None:
    things: list[Any] = [
        counsel.Engine(eager(1), 2), counsel.Controller(eager(1), 2, price=0.0), counsel.VectorController(eager(1), 2, 2, price=0.0),
        counsel.Ledger(tmp_path / "calls.jsonl", limit=1), counsel.Log(tmp_path, arm="a"),
        counsel.Cascade(price=0.1), counsel.Router({"a": 0.1}),
    ]
    for thing in things:
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                way(thing)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_cannot_spend_the_budget_of_its_parent(tmp_path: Path) -> None:
    engine, controller = counsel.Engine(eager(1), 2), counsel.Controller(eager(1), 2, price=0.0)
    vector, ledger = counsel.VectorController(eager(1), 2, 1, price=0.0), counsel.Ledger(tmp_path / "calls.jsonl", limit=1)
    cascade, router = counsel.Cascade(price=0.1), counsel.Router({"a": 0.1}, per_request=0.1, requests=1)
    zeros, law = np.zeros(2), np.full(3, 1 / 3)
    uses = [
        lambda: engine.decide(VALUES, zeros, zeros, law, 0, price=0.0), lambda: controller.decide(values=VALUES, base=0),
        lambda: vector.decide(values=np.zeros((1, 1, 2)), base=[0]), lambda: ledger.reserve(),
        lambda: cascade.decide(), lambda: router.decide(),
    ]
    child = os.fork()
    if child == 0:
        refused = 0
        for use in uses:
            try:
                use()
            except counsel.StateError as error:
                refused += "make one in each process" in str(error)
        os._exit(refused)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == len(uses)
    assert engine.decide(VALUES, zeros, zeros, law, 0, price=0.0).asked and controller.decide(values=VALUES, base=0).asked
    assert ledger.reserve().number == 1


def spend(path: Path, limit: int, sent: Path) -> None:
    ledger = counsel.Ledger(path, limit=limit)
    with sent.open("a") as note:
        while True:
            try:
                reservation = ledger.reserve(model="m", prompt="?")
            except counsel.BudgetError:
                return
            note.write(f"{reservation.number}\n")
            note.flush()
            if random.random() < 0.5:
                reservation.settle()
            time.sleep(0.02)  # the call itself


def test_eight_processes_that_are_killed_at_random_never_send_one_call_more(tmp_path: Path) -> None:
    limit, path = 400, tmp_path / "calls.jsonl"
    counsel.Ledger(path, limit=limit)
    context = multiprocessing.get_context("spawn")
    rng = random.Random(4)
    killed = 0
    workers: list[Any] = []
    notes: list[Path] = []
    deadline = time.monotonic() + 60
    while (spent := counsel.Ledger(path, limit=limit).spent) < limit and time.monotonic() < deadline:
        workers = [worker for worker in workers if worker.is_alive()]
        while len(workers) < 8:
            notes.append(tmp_path / f"sent-{len(notes)}")
            worker = context.Process(target=spend, args=(path, limit, notes[-1]))
            worker.start()
            workers.append(worker)
        if spent >= (killed + 1) * limit / 16:  # by progress, so that a fast disk leaves time for as many
            os.kill(rng.choice(workers).pid, signal.SIGKILL)
            killed += 1
        time.sleep(0.005)
    for worker in workers:
        worker.join(20)
    numbers = [int(line) for note in notes if note.exists() for line in note.read_text().split()]
    assert len(numbers) == len(set(numbers)) <= limit, "no right was used twice"
    assert counsel.Ledger(path, limit=limit).spent == limit
    with pytest.raises(counsel.BudgetError, match="larger limit"):
        counsel.Ledger(path, limit=limit).reserve()
    assert killed > 2


def test_a_reservation_settles_itself_and_only_once(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    ledger = counsel.Ledger(path, limit=3)
    with ledger.reserve() as call:
        assert call.number == 1
    with pytest.raises(ZeroDivisionError), ledger.reserve():
        1 / 0
    with pytest.raises(counsel.StateError, match="settled already"):
        call.settle()
    lines = path.read_text().splitlines()
    assert [line for line in lines if '"settled":1' in line and '"outcome":"answered"' in line]
    assert [line for line in lines if '"settled":2' in line and '"outcome":"outage"' in line and "division" in line]
    assert ledger.spent == 2 and ledger.limit == 3
    (tmp_path / "notes").write_text("hello")
    with pytest.raises(counsel.LogError, match="is no ledger"):
        counsel.Ledger(tmp_path / "notes", limit=1)
