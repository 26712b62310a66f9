"""`counsel.connect` before a real `counsel serve`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import counsel
import pytest

POLICY = 'price = 0.01\nactions = ["left", "right"]\n[budget]\ncalls = {calls}\n'


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[str]:
    """The address of a server with the policy `p`."""
    yield from started(tmp_path, "127.0.0.1:0", 1000)


def started(folder: Path, where: str, calls: int) -> Iterator[str]:
    program = os.environ.get("COUNSEL_PROGRAM")
    if program is None or not Path(program).exists():
        pytest.skip("COUNSEL_PROGRAM names no program; build it by `cargo build -p counsel-cli`")
    file = folder / "p.toml"
    file.write_text(POLICY.format(calls=calls))
    words = [program, "serve", "--dir", folder / "gate", "--listen", where, "--policy", f"p={file}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


def test_a_loop_asks_follows_and_learns(serving: str) -> None:
    controller = counsel.connect(serving, policy="p")
    asked: list[int] = []
    for episode in range(12):
        controller.begin_episode()
        act = controller.advise(context=f"room {episode % 3}", base="left", ask=lambda: asked.append(1) or "right")
        assert act.verdict in ("act", "execute", "reject") and act.reason and act.because
        controller.outcome(1.0 if act.action == "right" else 0.0, terminated=True)
    assert 0 < len(asked) < 12, "rooms come back, so not every step is paid for"
    assert controller.budget()["calls"] == {"limit": 1000, "spent": len(asked), "open": 0}
    assert controller.explain(act.decision)


def test_a_step_that_runs_again_is_paid_once(serving: str) -> None:
    first = counsel.connect(serving, policy="p").decide(context="x", base="left", key="node-1")
    assert isinstance(first, counsel.RemoteAsk) and not first.replayed
    # Another process, which does not know what became of the question.
    again = counsel.connect(serving, policy="p")
    open_still = again.decide(context="x", base="left", key="node-1")
    assert isinstance(open_still, counsel.RemoteAsk) and open_still.replayed and open_still.permit == first.permit
    act = again.resume(open_still, "right")
    assert isinstance(act, counsel.RemoteAct) and act.asked
    settled = counsel.connect(serving, policy="p").decide(context="x", base="left", key="node-1")
    assert settled == act
    assert again.budget()["calls"]["spent"] == 1


def test_a_question_that_was_left_open_is_not_sent_twice(serving: str) -> None:
    def broken() -> str:
        raise KeyboardInterrupt

    counsel.connect(serving, policy="p").decide(context="x", base="left", key="node-1")
    act = counsel.connect(serving, policy="p").advise(context="x", base="left", ask=broken, key="node-1")
    assert (act.action, act.verdict) == ("left", "reject")


def test_an_advisor_that_fails_is_settled_as_lost(serving: str) -> None:
    controller = counsel.connect(serving, policy="p")
    with pytest.raises(ZeroDivisionError):
        controller.advise(context="x", base="left", ask=lambda: str(1 / 0))
    assert controller.budget()["calls"] == {"limit": 1000, "spent": 1, "open": 0}


def test_coroutines_have_the_same(serving: str) -> None:
    async def play() -> int:
        controller = counsel.connect(serving, policy="p").asynchronous()

        async def ask() -> str:
            await asyncio.sleep(0)
            return "right"

        asked = 0
        for room in range(4):
            act = await controller.advise(context=f"room {room}", base="left", ask=ask)
            asked += act.asked
            await controller.outcome(1.0, terminated=True)
        return asked

    asked = asyncio.run(play())
    assert counsel.connect(serving, policy="p").budget()["calls"]["spent"] == asked > 0


def test_places_and_threads_share_one_budget(tmp_path: Path) -> None:
    for url in started(tmp_path, "127.0.0.1:0", 5):
        controller = counsel.connect(url, policy="p")
        asked: list[int] = []

        def play(number: int, place: counsel.Sidecar) -> None:
            for step in range(10):
                act = place.advise(context=f"{number} {step}", base="left", ask=lambda: asked.append(1) or "right")
                place.outcome(1.0 if act.asked else 0.0, terminated=True)

        threads = [threading.Thread(target=play, args=(number, controller.place())) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        calls = controller.budget()["calls"]
        assert calls["spent"] == len(asked) <= 5 and calls["open"] == 0


def test_a_unix_socket_serves_the_same(tmp_path: Path) -> None:
    for url in started(tmp_path, f"unix:{tmp_path}/gate.sock", 5):
        assert url.startswith("unix:")
        assert counsel.connect(url, policy="p").budget()["calls"]["limit"] == 5


def test_what_is_wrong_is_said_with_the_remedy(serving: str) -> None:
    with pytest.raises(counsel.RefusedError, match="is no address"):
        counsel.connect("ftp://x", policy="p")
    with pytest.raises(counsel.RefusedError) as refused:
        counsel.connect("http://", policy="p")
    assert refused.value.what == "url"
    with pytest.raises(counsel.RefusedError, match="is no name"):
        counsel.connect(serving, policy="../p")
    with pytest.raises(counsel.SidecarError, match="counsel serve"):
        counsel.connect("http://127.0.0.1:9", policy="p", time_out=2).budget()
    with pytest.raises(counsel.SidecarError) as unknown:
        counsel.connect(serving, policy="nobody").decide(base="left")
    assert unknown.value.status == 404 and unknown.value.kind == "urn:counsel:problem:unknown"
    with pytest.raises(counsel.SidecarError) as value:
        counsel.connect(serving, policy="p").decide(base="up")
    assert value.value.status == 422 and "left, right" in str(value.value)
    with pytest.raises(counsel.RefusedError, match="decide before"):
        counsel.connect(serving, policy="p").outcome(1.0)
