"""The log of a cascade or a router: what was decided, by what probability, and what was learned, decided again by the audit."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel

ADVISORS = {"small": 0.001, "large": 0.02}


def feed(cascade: counsel.Cascade, numbers: range) -> list[tuple[bool, float]]:
    """Decisions whose scores are late, missing and corrected."""
    rng, found, waiting = np.random.default_rng(numbers.start), [], []
    for number in numbers:
        decision = cascade.decide(f"{'Prove' if number % 3 else 'Name'} number {number % 7}", "hard" if number % 3 else "easy", [number % 5 / 5])
        found.append((decision.ask, decision.probability))
        waiting.append((decision.id, None if number % 11 == 0 else float(rng.random() < (0.95 if decision.ask else 0.4))))
        if len(waiting) > 4:
            step, score = waiting.pop(0)
            cascade.feedback(step, score)
            if score is not None and number % 13 == 0:
                cascade.correct(step, 1.0)
    for step, score in waiting:
        cascade.feedback(step, score)
    return found


def made(log: Path, **named: Any) -> counsel.Cascade:
    return counsel.Cascade(price=0.05, groups=["easy", "hard"], words=64, seed=5, log=log, **named)


def test_everything_that_a_cascade_was_told_is_decided_again(tmp_path: Path) -> None:
    log = tmp_path / "cascade.jsonl"
    cascade = made(log)
    found = feed(cascade, range(400))
    assert sum(ask for ask, _ in found) > 50
    audit = counsel.audit(log)
    assert audit.clean and (audit.agreeing, audit.decisions, audit.cells) == (400, 400, 1)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[0]["kind"] == "cascade" and {line["what"] for line in lines[1:]} == {"decided", "heard", "corrected"}
    decided = [line["decision"] for line in lines[1:] if line["what"] == "decided"]
    assert [(one["asked"], one["probability"]) for one in decided] == found
    # Whoever changes a score or a decision is found out.
    for before, after in (('"reward":0.0', '"reward":1.0'), ('"asked":true', '"asked":false')):
        altered = tmp_path / "altered.jsonl"
        altered.write_text(log.read_text().replace(before, after, 1))
        audit = counsel.audit(altered)
        assert not audit.clean and audit.agreeing < audit.decisions == 400 and "computed again as" in str(audit)


def test_a_log_goes_on_with_the_checkpoint_that_was_saved_beside_it(tmp_path: Path) -> None:
    log, straight = tmp_path / "cascade.jsonl", counsel.Cascade(price=0.05, groups=["easy", "hard"], words=64, seed=5)
    cascade = made(log)
    feed(cascade, range(200))
    cascade.save(tmp_path / "state.json")
    feed(cascade, range(200, 260))
    with pytest.raises(counsel.LogError, match="is open already"):
        made(log)
    del cascade
    with pytest.raises(counsel.RefusedError, match="is there already; load the checkpoint"):
        made(log)
    # What came after the checkpoint is cut.
    again = counsel.Cascade.load(tmp_path / "state.json", log=log)
    feed(straight, range(200))
    assert feed(again, range(200, 300)) == feed(straight, range(200, 300))
    audit = counsel.audit(log)
    assert audit.clean and audit.decisions == 300
    other = made(tmp_path / "other.jsonl", silence=30)
    feed(other, range(200))
    del other
    for wrong in (tmp_path / "other.jsonl", tmp_path / "new.jsonl"):
        with pytest.raises(counsel.StateError, match="not the one that this checkpoint was saved beside"):
            counsel.Cascade.load(tmp_path / "state.json", log=wrong)
    straight.save(tmp_path / "plain.json")
    with pytest.raises(counsel.StateError, match="was saved without a log"):
        counsel.Cascade.load(tmp_path / "plain.json", log=tmp_path / "new.jsonl")


def test_a_killed_program_leaves_a_log_that_can_be_audited(tmp_path: Path) -> None:
    code = """
import sys, counsel
cascade = counsel.Cascade(price=0.05, log=sys.argv[1])
while True:
    decision = cascade.decide(numbers=[0.5])
    cascade.feedback(decision.id, 1.0)
    print(decision.id, flush=True)
"""
    log = tmp_path / "cascade.jsonl"
    process = subprocess.Popen([sys.executable, "-c", code, log], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    last = 0
    for line in process.stdout:
        last = int(line)
        if last >= 500:
            process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
            break
    process.wait()
    audit = counsel.audit(log)
    assert audit.clean and audit.decisions > last
    # A line that was cut off with its program does not count.
    whole = log.read_bytes()
    log.write_bytes(whole[: whole.rindex(b"{") + 9])
    assert counsel.audit(log).clean
    log.write_text("no line of JSON\n")
    assert "line 1 of the chronicle cannot be decided again" in str(counsel.audit(log))


def test_threads_write_one_log(tmp_path: Path) -> None:
    cascade = counsel.Cascade(price=0.05, log=tmp_path / "cascade.jsonl")

    def work() -> None:
        for _ in range(150):
            decision = cascade.decide(numbers=[0.5])
            cascade.feedback(decision.id, float(decision.ask))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    audit = counsel.audit(tmp_path / "cascade.jsonl")
    assert audit.clean and audit.decisions == 1_200


def test_everything_that_a_router_was_told_is_decided_again(tmp_path: Path) -> None:
    log = tmp_path / "router.jsonl"
    router = counsel.Router(ADVISORS, per_request=0.012, requests=200, log=log, words=64)
    router.teach("large", 0.9, 0.02, "How much is 12 + 30?")
    for number in range(200):
        route = router.decide(f"How much is {number} + 30?" if number % 2 else "Name a city.")
        score = 0.9 if route.advisor == "large" or number % 2 == 0 else 0.2
        if number % 5 == 0:
            router.settle(route.id, ADVISORS[route.advisor])
            router.feedback(route.id, None)
        else:
            router.feedback(route.id, score, cost=0.9 * ADVISORS[route.advisor])
            if number % 7 == 0:
                router.correct(route.id, 0.0)
    router.begin_period(0.005, 10)
    router.save(tmp_path / "state.json")
    del router
    again = counsel.Router.load(tmp_path / "state.json", log=log)
    again.feedback(again.decide("Name a river.").id, 1.0)
    audit = counsel.audit(log)
    assert audit.clean and audit.decisions == 201, str(audit)


@pytest.mark.skipif(sys.platform != "linux", reason="the full disk is Linux's")
def test_nothing_more_is_decided_while_the_log_cannot_be_written(tmp_path: Path) -> None:
    code = """
import resource, signal, sys, counsel
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
cascade = counsel.Cascade(price=0.05, log=sys.argv[1])
decided = 0
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
try:
    while True:
        cascade.decide(numbers=[0.5])
        decided += 1
except counsel.LogError as error:
    assert "cannot write" in str(error) and "free space" in str(error), error
for _ in range(3):
    try:
        cascade.decide(numbers=[0.5])
        raise SystemExit("a decision without a log")
    except counsel.LogError:
        pass
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
cascade.decide(numbers=[0.5])
print(decided + 1)
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "cascade.jsonl"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    audit = counsel.audit(tmp_path / "cascade.jsonl")
    assert audit.clean and audit.decisions == int(done.stdout) > 20, str(audit)
