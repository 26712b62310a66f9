"""Advisors: models behind an endpoint, in a file, and on record. The endpoint is a server of this test, which counts what reaches it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel
from counsel.advisors import Local, OpenAI, Recorded, side_by_side


class Endpoint:
    """An endpoint that answers as a function of the question says: a text, or a status without one."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.most = self.waiting = 0
        self.answer: Any = lambda question: "right"
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.requests.append(asked)
                    outer.keys.add(self.headers.get("Authorization"))
                    outer.waiting += 1
                    outer.most = max(outer.most, outer.waiting)
                said = outer.answer(asked["messages"][-1]["content"])
                with lock:
                    outer.waiting -= 1
                status, body = (said, {"error": {"message": "no"}}) if isinstance(said, int) else (200, {
                    "model": asked["model"], "usage": {"prompt_tokens": 7, "completion_tokens": 1},
                    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}],
                })
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.server.shutdown()


def test_a_model_behind_an_endpoint_is_an_advisor(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-123456")
    advisor = OpenAI(
        "m-1", base_url=endpoint.url, key_env="MY_KEY", budget=10, prompt=lambda observation: f"You see {observation}.", system="Be brief.", max_tokens=5
    )
    reply = advisor(3)
    assert (reply.text, reply.source) == ("right", "live") and endpoint.keys == {"Bearer sk-secret-123456"}
    asked = endpoint.requests[0]
    assert [(one["role"], one["content"]) for one in asked["messages"]] == [("system", "Be brief."), ("user", "You see 3.")]
    assert asked["model"] == "m-1" and (advisor.model.spent, advisor.model.budget, advisor.model.name) == (1, 10, "m-1")
    assert "secret" not in repr(advisor) + advisor.model._repr_html_()
    several = advisor.ask_all([1, 2, 3], [0, 1, 2])
    assert [one.text for one in several if one is not None] == ["right"] * 3
    with pytest.raises(TypeError, match="cannot be copied or pickled"):
        __import__("copy").copy(advisor.model)


def test_no_attempt_is_made_past_the_budget_whatever_fails(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.answer = lambda question: 503
    made: dict[str, Any] = {"base_url": endpoint.url, "key_env": None, "ledger": tmp_path / "calls.jsonl", "budget": 5, "retries": 2, "deadline": 20.0}
    first = OpenAI("m", **made)
    for _ in range(3):
        with pytest.raises(counsel.OutageError, match="no answer came: "):
            first("?")
    assert len(endpoint.requests) == 5 == first.model.spent
    # The ledger is the budget of whoever names it.
    endpoint.answer = lambda question: "right"
    with pytest.raises(counsel.OutageError):
        OpenAI("m", **made)("?")
    assert len(endpoint.requests) == 5
    assert OpenAI("m", **(made | {"budget": 6}))("?").text == "right" and len(endpoint.requests) == 6


def test_questions_of_many_environments_are_one_round(endpoint: Endpoint) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    barrier = threading.Barrier(4)

    def answer(question: str) -> str | int:
        barrier.wait(10)
        return 400 if "-0.0" in question else "I would go right."

    endpoint.answer = answer
    advisor = OpenAI("m", base_url=endpoint.url, key_env=None, budget=50, retries=0, prompt=lambda observation: f"{observation[0]:.3f}")
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 4)
    env = counsel.wrap(envs, advisor, price=0.0, budget=4, actions=["left", "right"])
    seen = env.reset(seed=3)[0]
    said = env.step(np.zeros(4, np.int64))[4]["counsel"]
    assert said["asked"].all() and endpoint.most == 4 and advisor.model.spent == 4
    assert said["executed"].tolist() == [int("-0.0" not in f"{one[0]:.3f}") for one in seen]


def test_an_endpoint_that_fails_stops_the_environment_with_its_reason(endpoint: Endpoint) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    endpoint.answer = lambda question: 401
    advisor = OpenAI("m", base_url=endpoint.url, key_env=None, budget=50)
    settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=50), gate=counsel.gates.Always())
    controller = counsel.Controller(settings, 2, price=0.0)
    from counsel.gymnasium import AdvisedEnv

    env = AdvisedEnv(
        gymnasium.make("CartPole-v1"), advisor, controller, critic=lambda observation: np.zeros((1, 2)), stop_after=2
    )
    env.reset(seed=0)
    assert "401" in env.step(0)[4]["counsel"]["failure"]
    with pytest.raises(counsel.StateError, match="failed 2 times in a row.*401"):
        env.step(0)


REFUSED: dict[str, tuple[Any, str]] = {
    "no key": (lambda: OpenAI("m", key_env="NO_SUCH_VARIABLE", budget=1), "`NO_SUCH_VARIABLE` holds no key"),
    "no address": (lambda: OpenAI("m", base_url="somewhere", key_env=None, budget=1), "is no base address"),
    "no model": (lambda: OpenAI(" ", base_url="http://127.0.0.1:1", key_env=None, budget=1), "the name of a model"),
    "no time": (lambda: OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, time_out=-1.0), "`time_out` is -1"),
    "money without prices": (lambda: OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, money="2.5"), "`money` came without `prices`"),
    "an odd role": (lambda: OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, prompt=lambda o: [("robot", "hi")])(1), "the role `robot` is unknown"),
    "no messages": (lambda: OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, prompt=lambda o: [])(1), "a conversation is empty"),
    "no words": (lambda: OpenAI("m", base_url="http://127.0.0.1:1", key_env=None, budget=1, words=[])(1), "`words` is empty"),
    "none at once": (lambda: side_by_side(lambda observation: None, at_once=0), "`at_once` is 0"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_asked_is_refused(what: str) -> None:
    work, expected = REFUSED[what]
    with pytest.raises(counsel.RefusedError, match=expected):
        work()


def test_a_file_that_is_no_model_says_so(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF but not really" * 9)
    for path in (tmp_path / "model.gguf", tmp_path / "nowhere.gguf"):
        with pytest.raises(counsel.LogError):
            Local(path)


def test_what_was_recorded_is_not_asked_again(tmp_path: Path) -> None:
    path, asked = tmp_path / "deep" / "answers.jsonl", []

    def ask(observation: Any) -> str | None:
        asked.append(1)
        return None if observation[0] == 9 else "right"

    advisor = Recorded(path, ask)
    seen = [np.array([1, 2]), np.array([3, 4]), np.array([1, 2]), np.array([9, 9]), np.array([9, 9])]
    first = [advisor(observation) for observation in seen]
    assert [None if one is None else (one.text, one.source) for one in first] == [("right", "live"), ("right", "live"), ("right", "replayed"), None, None]
    assert len(asked) == 4 and len(advisor) == 2
    again = Recorded(path)
    assert len(again) == 2 and again(seen[1]).source == "replayed"  # type: ignore[union-attr]
    with pytest.raises(counsel.OutageError, match="holds no answer"):
        again(np.array([9, 9]))
    # A line that was cut off with its program is lost, and nothing else is.
    whole = path.read_text()
    path.write_text(whole + '{"key": "17", "ans')
    assert Recorded(path, ask)(np.array([5, 5])).text == "right"  # type: ignore[union-attr]
    assert len(Recorded(path)) == 3 and all(json.loads(line) for line in path.read_text().splitlines())
    path.write_text("no line of JSON\n" + whole)
    with pytest.raises(counsel.LogError, match="line 1, is no recorded answer"):
        Recorded(path)
