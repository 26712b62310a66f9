"""How long a decision and a step take, in one run: the package beside numpy, minigrid and envpool.

Each number is the best of several rounds, so that what else the machine does counts as little as possible. Decisions are timed by the
processor time of this process; environments by the clock on the wall, since envpool has threads of its own. A line that misses its
limit is marked, and the exit status says so.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import counsel
import counsel.envs
from counsel.gymnasium import AdvisedEnv

SAMPLES, ACTIONS = 8, 7
LEVEL = "BabyAI-GoToObj-v0"
missed: list[str] = []


def best(run: Callable[[], Any], count: int, rounds: int = 5, clock: Callable[[], float] = time.process_time) -> float:
    """Seconds per item, in the best round."""
    return min(best_of_each([run], rounds, clock)) / count


def best_of_each(runs: list[Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.process_time) -> list[float]:
    """The seconds of each in its best round; they take turns, so that a slow moment of the machine is nobody's alone."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for taken, run in zip(times, runs, strict=True):
            start = clock()
            run()
            taken.append(clock() - start)
    return [min(taken) for taken in times]


def report(what: str, found: float, unit: str, limit: float | None = None, least: bool = False) -> None:
    ok = limit is None or (found >= limit if least else found <= limit)
    bound = "" if limit is None else f"  ({'at least' if least else 'at most'} {limit:,g})"
    print(f"{what:<64} {found:>14,.2f} {unit}{bound}{'' if ok else '  MISSED'}", flush=True)
    if not ok:
        missed.append(what)


def repeat(count: int, step: Callable[[], Any]) -> Callable[[], None]:
    def run() -> None:
        for _ in range(count):
            step()

    return run


def decisions() -> None:
    rng = np.random.default_rng(0)
    silent = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=10**9))
    for dtype in (np.float64, np.float32):
        values = rng.random((SAMPLES, ACTIONS)).astype(dtype)
        controller = counsel.Controller(silent, ACTIONS, price=0.005, radius=10.0)
        name = np.dtype(dtype).name
        seconds = best(repeat(5_000, lambda v=values, c=controller: c.decide(values=v, base=2, context=5)), 5_000)
        report(f"Controller.decide, silent, {name}", seconds * 1e6, "us", 5.0)
    eager = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=10**9), gate=counsel.gates.Always())
    asking = counsel.Controller(eager, ACTIONS, price=0.005)
    values = rng.random((SAMPLES, ACTIONS))
    report("Controller.decide and resume", best(repeat(5_000, lambda: asking.resume(asking.decide(values=values, base=2), "a3")), 5_000) * 1e6, "us")
    for count in (64, 1_024):
        vector = counsel.VectorController(silent, ACTIONS, count, price=0.005, radius=10.0)
        many, base = rng.random((count, SAMPLES, ACTIONS)).astype(np.float32), np.full(count, 2)
        turns = max(10, 20_000 // count)
        seconds = best(repeat(turns, lambda v=vector, m=many, b=base: v.resume(v.decide(values=m, base=b), [])), turns * count)
        report(f"VectorController, {count} environments, silent, per decision", seconds * 1e6, "us", 1.0 if count == 1_024 else None)


def advised_step() -> None:
    values = np.zeros((SAMPLES, 2), np.float32)
    settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=10**9))

    def play(env: Any) -> Callable[[], None]:
        env.reset(seed=0)

        def run() -> None:
            for step in range(2_000):
                _, _, terminated, truncated, _ = env.step(step % 2)
                if terminated or truncated:
                    env.reset()

        return run

    advised = AdvisedEnv(
        gymnasium.make("CartPole-v1"), lambda observation, info: "left",
        counsel.Controller(settings, ["left", "right"], price=0.01, radius=1.0), critic=lambda observation: values,
    )
    plain, with_advice = best_of_each([play(gymnasium.make("CartPole-v1")), play(advised)], 15)
    report("a step of CartPole", plain / 2_000 * 1e6, "us")
    report("what AdvisedEnv adds to it", (with_advice - plain) / 2_000 * 1e6, "us", 10.0)


def walk(env: Any, count: int) -> Callable[[], None]:
    actions = np.random.default_rng(0).integers(7, size=count)
    env.reset(seed=0)

    def run() -> None:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    return run


def worlds() -> None:
    rates = {}
    for count in (64, 1_024, 8_192):
        envs = gymnasium.make_vec(f"counsel/{LEVEL}", num_envs=count, vectorization_mode="vector_entry_point")
        envs.reset(seed=0)
        turns = max(4, 60_000 // count)
        actions = np.random.default_rng(0).integers(7, size=(turns, count))
        rates[count] = 1 / best(lambda e=envs, a=actions: [e.step(row) for row in a], turns * count, clock=time.perf_counter)
        report(f"{LEVEL}, {count} places, through Gymnasium", rates[count], "steps/s")
    try:
        import minigrid  # noqa: F401

        one = 1 / min(best_of_each([walk(gymnasium.make(f"counsel/{LEVEL}"), 20_000)], 5)) * 20_000
        theirs = 1 / min(best_of_each([walk(gymnasium.make(LEVEL), 1_000)], 5)) * 1_000
        report(f"{LEVEL}, one environment", one, "steps/s")
        report(f"{LEVEL}, one environment of minigrid", theirs, "steps/s")
        report("one environment against one of minigrid", one / theirs, "times", 20, least=True)
        envs = gymnasium.make_vec(LEVEL, num_envs=64, vectorization_mode="sync")
        envs.reset(seed=0)
        actions = np.random.default_rng(0).integers(7, size=(12, 64))
        sync = 1 / best(lambda: [envs.step(row) for row in actions], actions.size, clock=time.perf_counter)
        report(f"{LEVEL}, minigrid's SyncVectorEnv, 64 places", sync, "steps/s")
        report("native places against minigrid's SyncVectorEnv", max(rates.values()) / sync, "times", 500, least=True)
    except ModuleNotFoundError:
        print("minigrid is not installed; its line is left out")
    try:
        import envpool
    except ModuleNotFoundError:
        print("envpool is not installed; its line is left out")
        return
    pooled = {}
    for count in (64, 1_024):
        for threads in sorted({1, os.cpu_count() or 1}):
            pool = envpool.make(LEVEL, env_type="gymnasium", num_envs=count, num_threads=threads, seed=0)
            pool.reset()
            turns = max(4, 20_000 // count)
            actions = np.random.default_rng(0).integers(7, size=(turns, count)).astype(np.int32)
            step = lambda p=pool, a=actions: [p.step(row) for row in a]  # noqa: E731
            pooled[count, threads] = 1 / best(step, turns * count, clock=time.perf_counter)
            pool.close()
    count, threads = max(pooled, key=lambda way: pooled[way])
    name = f"{LEVEL}, envpool {envpool.__version__}, {count} places, {threads} thread(s)"
    report(name, pooled[count, threads], "steps/s")
    report("native places against envpool", max(rates.values()) / max(pooled.values()), "times", 10, least=True)


decisions()
advised_step()
worlds()
if missed:
    print("\nmissed:", "; ".join(missed))
sys.exit(len(missed) > 0)
