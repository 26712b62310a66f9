"""One controller for threads, tasks and environments: every paid answer goes to the decision that asked for it, and none is lost."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import counsel

NAMES = [f"go {number}" for number in range(64)]
ZEROS = np.zeros((1, 64))


def eager(limit: int) -> counsel.Settings:
    return counsel.Settings(
        advisor="a", budget=counsel.Budget(per_run=limit), gate=counsel.gates.Always(), execution=counsel.rules.Trusting()
    )


def test_a_hundred_thousand_interleavings_use_every_paid_answer_once() -> None:
    rng = random.Random(0)
    orders = list(set(itertools.permutations("aaabbb")) | set(itertools.permutations("aabbcc")))
    rounds, controller = 100_000, counsel.Controller(eager(300_000), NAMES, price=0.0)
    places = {name: controller.place() for name in "abc"}
    used = set()
    for _ in range(rounds):
        waiting: dict[str, list[counsel.Ask]] = {name: [] for name in "abc"}
        for name in rng.choice(orders):
            # Half of the time a place asks again while its question is open; answers come in any order.
            if waiting[name] and (len(waiting[name]) == 2 or rng.random() < 0.5):
                ask = waiting[name].pop(rng.randrange(len(waiting[name])))
                act = places[name].resume(ask, NAMES[ask.serial % 64])
                assert act.action == ask.serial % 64 and ask.serial not in used
                used.add(ask.serial)
            else:
                ask = places[name].decide(values=ZEROS, base=0)
                if isinstance(ask, counsel.Ask):
                    waiting[name].append(ask)
        for name, open_ones in waiting.items():
            for ask in rng.sample(open_ones, len(open_ones)):
                assert places[name].resume(ask, NAMES[ask.serial % 64]).action == ask.serial % 64 and ask.serial not in used
                used.add(ask.serial)
    assert used == set(range(1, controller.calls + 1)) and controller.calls > 2 * rounds


def test_sixty_four_tasks_each_act_on_the_answer_that_they_paid_for() -> None:
    controller = counsel.Controller(eager(64 * 30), NAMES, price=0.0)
    most = waiting = 0

    async def task(number: int) -> int:
        nonlocal most, waiting
        place, own = controller.place(), 0

        async def ask() -> str:
            nonlocal most, waiting
            waiting += 1
            most = max(most, waiting)
            await asyncio.sleep(0.001 * (number % 7))
            waiting -= 1
            return NAMES[number]

        for _ in range(30):
            act = await place.aadvise(values=ZEROS, base=0, ask=ask)
            own += act.action == number
            place.outcome(0.0)
        return own

    async def run() -> list[int]:
        return await asyncio.gather(*(task(number) for number in range(64)))

    assert asyncio.run(run()) == [30] * 64 and controller.calls == 64 * 30 and most > 32


def test_a_task_that_is_cancelled_has_lost_its_answer_and_the_rest_go_on() -> None:
    controller = counsel.Controller(eager(2), NAMES, price=0.0)

    async def run() -> int:
        async def never() -> str:
            await asyncio.sleep(60)
            return NAMES[1]

        async def now() -> str:
            return NAMES[2]

        async def broken() -> str:
            raise ConnectionError("down")

        place = controller.place()
        waits = asyncio.create_task(place.aadvise(values=ZEROS, base=0, ask=never))
        await asyncio.sleep(0.01)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        place.outcome(0.0)
        with pytest.raises(ConnectionError):
            await controller.place().aadvise(values=ZEROS, base=0, ask=broken)
        return (await place.aadvise(values=ZEROS, base=0, ask=now)).action

    assert asyncio.run(run()) == 0 and controller.calls == 2 and controller.diagnose().reasons["lost"] == 2


def test_threads_with_a_place_each_learn_from_their_own_outcomes(tmp_path: Path) -> None:
    with counsel.Log(tmp_path, arm="threads") as log:
        controller = counsel.Controller(eager(4_000), NAMES, price=0.0, log=log)
        barrier = threading.Barrier(8)

        def work(thread: int) -> int:
            place, right = controller.place(), 0
            barrier.wait(20)
            for step in range(200):
                act = place.advise(values=ZEROS, base=0, ask=lambda: NAMES[thread])
                right += act.action == thread
                place.outcome(float(thread), terminated=step % 10 == 9)
            return right

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(8))) == [200] * 8
    rows = counsel.log.read(tmp_path, backend="numpy")
    assert controller.calls == 1_600 == len(rows["step"])
    assert (rows["reward"] == rows["executed"]).all() and set(rows["place"]) == set(range(8))
    assert set(rows["episode"]) == set(range(20)) and counsel.audit(tmp_path).clean, str(counsel.audit(tmp_path))


def test_a_batch_of_which_one_place_is_wrong_pays_for_nothing() -> None:
    vector = counsel.VectorController.recommended(0.01, 50, NAMES[:3], 3)
    features = np.ones((3, 2))
    features[2, 1] = np.nan
    with pytest.raises(counsel.RefusedError, match="environment 2: feature 1 is NaN"):
        vector.decide(contexts=[1, 2, 3], base=[0, 0, 0], features=features)
    with pytest.raises(counsel.RefusedError, match="`ask` is None; pass a callable"):
        vector.advise(ask=None, contexts=[1, 2, 3], base=[0, 0, 0])  # type: ignore[arg-type]
    assert vector.calls == 0 and vector.calls_left == 50


def test_many_places_are_asked_in_one_go() -> None:
    vector = counsel.VectorController(eager(6), NAMES, 4, price=0.0)
    assert vector.advise(ask=lambda places: [NAMES[5]] * len(places), values=np.zeros((4, 1, 64)), base=[0] * 4).tolist() == [5] * 4

    def broken(places: object) -> list[str]:
        raise ConnectionError("down")

    with pytest.raises(ConnectionError):
        vector.advise(ask=broken, values=np.zeros((4, 1, 64)), base=[1] * 4)
    assert vector.calls == 6 and vector.calls_left == 0 and vector.diagnose().reasons == {"lost": 2, "budget-spent": 2}
    assert vector.advise(ask=broken, values=np.zeros((4, 1, 64)), base=[1] * 4).tolist() == [1] * 4


def test_every_answer_of_many_batches_acts_at_the_place_that_paid_for_it() -> None:
    rng, places, batches = np.random.default_rng(0), 8, 25_000
    vector = counsel.VectorController(eager(10**6), NAMES, places, price=0.0)
    values, paid, used, lost = np.zeros((places, 1, 64)), 0, 0, 0
    for _ in range(batches):
        base, mask = rng.integers(64, size=places), rng.random(places) < 0.6
        batch = vector.decide(values=values, base=base, mask=mask)
        assert batch.asks.tolist() == np.flatnonzero(mask).tolist()
        paid += len(batch.asks)
        if rng.random() < 0.1:
            # The next batch gives it up as lost.
            lost += len(batch.asks)
            continue
        said = rng.integers(64, size=len(batch.asks))
        came = rng.random(len(batch.asks)) < 0.9
        actions = vector.resume(batch, [NAMES[one] if is_there else None for one, is_there in zip(said, came, strict=True)])
        expected = base.copy()
        expected[batch.asks[came]] = said[came]
        assert (actions == expected).all()
        used, lost = used + int(came.sum()), lost + int((~came).sum())
    vector.close()
    assert vector.calls == paid == used + lost > 100_000 and used > 90_000 and vector.diagnose().reasons["lost"] == lost


def test_faults_in_many_threads_never_hang() -> None:
    controller = counsel.Controller(eager(2**40), NAMES, price=0.0)
    wrong = np.full((1, 64), np.nan)
    stop = threading.Event()

    def work(thread: int) -> int:
        rng, done, place = random.Random(thread), 0, controller.place()
        while not stop.is_set():
            try:
                match rng.randrange(7):
                    case 0:
                        place.decide(values=wrong, base=0)
                    case 1:
                        place.outcome(float("nan") if rng.random() < 0.5 else 0.0)
                    case 2:
                        place.advise(values=ZEROS, base=0, ask=lambda: 1 / 0)
                    case 3:
                        turn = place.decide(values=ZEROS, base=0)
                        try:
                            place.resume(turn, object() if rng.random() < 0.5 else "go 1")  # type: ignore[arg-type]
                        except counsel.RefusedError:
                            # A reply that cannot be taken leaves the question open.
                            place.resume(turn, None)  # type: ignore[arg-type]
                    case 4:
                        counsel.Log("", arm="/")
                    case 5:
                        place.begin_episode()
                    case _:
                        repr(place), place.diagnose(), place.calls_left
            except (counsel.CounselError, ZeroDivisionError):
                pass
            done += 1
        return done

    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(work, thread) for thread in range(8)]
        # COUNSEL_SOAK are the seconds of a long test.
        stop.wait(float(os.environ.get("COUNSEL_SOAK", "5")))
        stop.set()
        assert min(job.result(timeout=60) for job in running) > 100
