"""Routers: the ledger holds, and the binding decides as the core does."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import counsel

PRICES = {"small": 0.001, "large": 0.02}


def text(number: int) -> str:
    return f"How much is {number} + {number + 7}?" if number % 2 == 0 else "Name a city."


def score(number: int, advisor: str) -> float:
    """The small model fails at sums."""
    return 0.2 if number % 2 == 0 and advisor == "small" else 0.95


def test_the_decisions_are_those_of_the_example_in_rust() -> None:
    """The trace is crates/controller/tests/suite/route/bindings.rs, which plays the stream of examples/router.rs."""
    known: Any = json.loads((Path(__file__).parent / "route_trace.json").read_text())["router"]
    router, rewards = counsel.Router(PRICES, per_request=0.012, requests=400, seed=1), 0.0
    for number, letter in enumerate(known["chosen"]):
        route = router.decide(text(number))
        assert (route.id, route.advisor[0]) == (number, letter)
        rewards += route.rewards["small"] + route.rewards["large"]
        router.settle(route.id, PRICES[route.advisor])
        router.feedback(route.id, score(number, route.advisor))
    assert (rewards, router.spent) == (known["rewards"], known["spent"])
    assert router.spent <= router.budget == 0.012 * 400  # type: ignore[operator]


def test_a_router_with_models_asks_settles_and_learns() -> None:
    asked: list[str] = []

    def model(name: str) -> Any:
        return lambda number: asked.append(name) or (number, name)  # type: ignore[func-returns-value]

    router = counsel.Router(
        {"small": (model("small"), 0.001), "large": (model("large"), 0.02)}, per_request=0.012, requests=400, seed=1,
        describe=lambda number: {"text": text(number)},
    )
    for number in range(400):
        answer = router(number)
        assert answer.value == (number, answer.advisor) and answer.decision.advisor == answer.advisor == asked[-1]
        router.feedback(answer.id, score(number, answer.advisor))
    known: Any = json.loads((Path(__file__).parent / "route_trace.json").read_text())["router"]
    assert "".join(name[0] for name in asked) == known["chosen"] and router.spent == known["spent"]


def test_costs_are_those_of_the_answers_and_an_exception_pays_the_worst_case() -> None:
    def broken(question: str) -> float:
        raise ConnectionError("down")

    router = counsel.Router({"a": (lambda question: 0.03, 0.02)}, per_request=0.1, requests=10, worst={"a": 0.05}, cost=lambda answer: float(answer))
    router("q")
    assert router.spent == 0.03
    failing = counsel.Router({"a": (broken, 0.02)}, per_request=0.1, requests=10, worst={"a": 0.05})
    with pytest.raises(ConnectionError):
        failing("q")
    assert failing.spent == 0.05


@pytest.mark.parametrize("lag", [0, 7])
def test_no_delay_breaks_the_budget(lag: int) -> None:
    router = counsel.Router(PRICES, per_request=0.006, requests=300, groups=["sum", "name"], seed=3)
    waiting: list[tuple[int, int, str]] = []
    for number in range(300):
        route = router.decide(group=number % 2)
        assert sum(route.probabilities.values()) == pytest.approx(1) and route.probability > 0
        waiting.append((route.id, number, route.advisor))
        if len(waiting) > lag:
            one, about, advisor = waiting.pop(0)
            router.feedback(one, None if about % 5 == 0 else score(about, advisor), cost=PRICES[advisor])
    for one, about, advisor in waiting:
        router.feedback(one, score(about, advisor), cost=PRICES[advisor])
    assert 0.9 * 1.8 < (router.spent or 0.0) <= 1.8


def test_a_loaded_router_decides_as_the_saved_one_would_have(tmp_path: Path) -> None:
    router = counsel.Router(PRICES, per_request=0.012, requests=400, words=64, seed=2)
    router.teach("large", 0.9, 0.02, "How much is 1 + 1?")

    def play(router: counsel.Router, numbers: range) -> list[tuple[str, float]]:
        found = []
        for number in numbers:
            route = router.decide(text(number))
            found.append((route.advisor, route.probability))
            router.feedback(route.id, score(number, route.advisor), cost=PRICES[route.advisor])
            if number % 9 == 0:
                router.correct(route.id, 0.5)
        return found

    play(router, range(100))
    router.save(tmp_path / "router.json")
    loaded = counsel.Router.load(tmp_path / "router.json", {"small": lambda q: "s", "large": lambda q: "l"})
    assert loaded.advisors == ["small", "large"] and (loaded.spent, loaded.budget) == (router.spent, router.budget)
    assert play(loaded, range(100, 300)) == play(router, range(100, 300))
    assert loaded("Name a city.").value in "sl"
    loaded.begin_period(0.02, 100)
    assert (loaded.spent, loaded.budget) == (0.0, 2.0)


def test_without_a_budget_a_unit_of_cost_has_a_price() -> None:
    for price, advisor in [(1.0, "large"), (100.0, "small")]:
        router = counsel.Router(PRICES, price=price, optimism={"record": 0.0})
        for number in range(60):
            router.teach("small", 0.5, 0.001, group=None)
            router.teach("large", 0.9, 0.02)
        route = router.decide()
        assert (route.advisor, route.price, router.budget, router.spent) == (advisor, price, None, None)


REFUSALS: dict[str, tuple[Any, str]] = {
    "no advisors": (lambda: counsel.Router({}), "offers"),
    "a list": (lambda: counsel.Router(["small"]), "pass a mapping of names to prices"),  # type: ignore[arg-type]
    "a negative price": (lambda: counsel.Router({"a": -1.0}), "list_price is -1"),
    "a model without a price": (lambda: counsel.Router({"a": (print,)}), "`advisors` holds"),  # type: ignore[arg-type]
    "half of the models": (lambda: counsel.Router({"a": (print, 0.1), "b": 0.2}), "some advisors have a callable"),  # type: ignore[arg-type]
    "a price and a budget": (lambda: counsel.Router(PRICES, price=1.0, per_request=0.1, requests=3), "pass `price`, or `per_request` and `requests`"),
    "a budget without an end": (lambda: counsel.Router(PRICES, per_request=0.1), "pass `price`, or `per_request` and `requests`"),
    "a budget of nothing": (lambda: counsel.Router(PRICES, per_request=0.0, requests=3), "budget is 0"),
    "an unknown worst case": (lambda: counsel.Router(PRICES, worst={"middle": 1.0}), "`worst` is {'middle': 1.0}"),
    "a worst case below the price": (lambda: counsel.Router(PRICES, worst={"large": 0.01}), "worst is 0.01"),
    "an unknown advisor": (lambda: counsel.Router(PRICES).teach("middle", 1.0, 0.1), "the advisor middle is unknown; choose one of small, large"),
    "a floor of one": (lambda: counsel.Router(PRICES, floor=1.0), "floor is 1"),
    "an unknown setting": (lambda: counsel.Router(PRICES, flor=1.0), "unknown field `flor`"),  # type: ignore[call-arg]
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_refusal_names_the_value_and_the_way_out(what: str) -> None:
    action, expected = REFUSALS[what]
    with pytest.raises(counsel.RefusedError) as refusal:
        action()
    assert expected in str(refusal.value), str(refusal.value)
    assert refusal.value.remedy


def test_a_refused_feedback_leaves_all_as_it_was() -> None:
    router = counsel.Router(PRICES, per_request=0.02, requests=10)
    route = router.decide()
    with pytest.raises(counsel.RefusedError, match="the reward is NaN"):
        router.feedback(route.id, float("nan"), cost=0.01)
    router.feedback(route.id, 1.0, cost=0.01)
    assert router.spent == 0.01
    with pytest.raises(counsel.StateError, match="waits for no feedback"):
        router.settle(route.id, 0.01)


def test_models_may_be_coroutines() -> None:
    async def small(question: str) -> str:
        await asyncio.sleep(0)
        return f"small {question}"

    async def broken(question: str) -> str:
        raise ConnectionError("down")

    async def run() -> list[str]:
        router = counsel.Router({"small": (small, 0.001), "large": (lambda question: f"large {question}", 0.02)}, per_request=0.1, requests=99)
        answers = await asyncio.gather(*(router.acall(f"{number}") for number in range(64)))
        for answer in answers:
            router.feedback(answer.id, float(answer.advisor == "large"))
        assert router.spent == pytest.approx(sum(0.001 if answer.advisor == "small" else 0.02 for answer in answers))
        return [answer.value for answer in answers] + [(await router.acall("late")).advisor]

    said = asyncio.run(run())
    assert {word.split()[0] for word in said[:-1]} <= {"small", "large"} and sorted(int(word.split()[1]) for word in said[:-1]) == list(range(64))

    async def fail() -> counsel.Router:
        router = counsel.Router({"small": (broken, 0.001)}, worst={"small": 0.5}, per_request=1.0, requests=9)
        with pytest.raises(ConnectionError):
            await router.acall("q")
        return router

    assert asyncio.run(fail()).spent == 0.5
    with pytest.raises(counsel.RefusedError, match="await `acall`"):
        counsel.Router({"small": (small, 0.001)})("q")
