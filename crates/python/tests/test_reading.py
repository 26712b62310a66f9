"""Answers as language models write them."""

from __future__ import annotations

from typing import Any

import pytest

import counsel
from counsel.reading import Reader

NAMES = ["left", "right", "go forward", "a0"]
READ = {
    "right": ("right", "word"), " Right. ": ("right", "word"), '"LEFT"': ("left", "word"), "`go forward`": ("go forward", "word"),
    '{"action": "right"}': ("right", "json"), 'Sure!\n```json\n{"Action": "left", "why": "{"}\n```': ("left", "json"),
    'I think {this} and {"action": "right"}': ("right", "json"),
    "Action: right": ("right", "label"), "**Action:** `right`": ("right", "label"), "The key is left.\nAnswer: go forward.": ("go forward", "label"),
    "Action: left\nNo, wait.\nAction: right": ("right", "label"), "move = left, since it is free": ("left", "label"),
    "1. right": ("right", "list"), "**right**": ("right", "list"), "- Go forward": ("go forward", "list"), "(2) a0": ("a0", "list"),
    "I would go right.": ("right", "mention"), "Turn right; then right again.": ("right", "mention"), "Left!": ("left", "word"),
}
UNREAD = [
    "", "left or right", "Do not go left.", "I wouldn't go left", "leftover", "action: stay", '{"action": 3}', '{"action": "stay"}', "1", "a", "Avoid left",
    "{" * 5_000, "go", '{"move": "left"} or right',
]


@pytest.mark.parametrize("text", READ)
def test_an_answer_is_read_by_its_rule(text: str) -> None:
    reader = Reader(NAMES)
    assert tuple(reader.read(text)) == READ[text] and not reader.unread and reader.counts == {READ[text][1]: 1}


@pytest.mark.parametrize("text", UNREAD)
def test_what_names_no_one_action_is_not_read(text: str) -> None:
    reader = Reader(NAMES)
    assert reader.read(text).action is None and list(reader.unread) == [text] and reader.counts == {"nothing": 1}


def test_what_was_read_acts_and_what_was_not_is_shown() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    answers = iter(["I would go right.", counsel.Reply("Action: right", latency_ms=2.0), "Hm, left or right?"])
    made: dict[str, Any] = {"price": 0.0, "budget": 9, "actions": ["left", "right"], "context": lambda observation: next(contexts)}
    contexts = iter(range(99))
    env = counsel.wrap(gymnasium.make("CartPole-v1"), lambda observation: next(answers), **made)
    env.reset(seed=0)
    said = [env.step(0)[4]["counsel"] for _ in range(3)]
    assert [one["asked"] for one in said] == [True] * 3 and [one["executed"] for one in said][:2] == [1, 1]
    assert env.reader is not None and list(env.reader.unread) == ["Hm, left or right?"] and env.reader.counts == {"mention": 1, "label": 1, "nothing": 1}
    assert env.controller.diagnose().reasons["unreadable"] == 1
    exact = counsel.wrap(gymnasium.make("CartPole-v1"), lambda observation: "I would go right.", forgiving=False, **made)
    exact.reset(seed=0)
    exact.step(0)
    assert exact.reader is None and exact.controller.diagnose().reasons == {"unreadable": 1}
