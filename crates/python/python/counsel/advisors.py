"""Advisors: whatever can be asked, as environments ask it.

An advisor is a callable of an observation, or of an observation and an info. It may be an ``async def``; it returns the name of an action,
the number of one, a :class:`counsel.Reply`, or None if no answer came. Ready-made ones are :class:`OpenAI` for models behind an OpenAI-compatible
endpoint, :class:`Local` for a GGUF file in this process, and :class:`Recorded`, which asks another one once and replays it from then on.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from numbers import Integral
from pathlib import Path
from typing import Any

from ._counsel import Model, Reply
from .errors import LogError, OutageError, RefusedError
from .keys import observation_key
from .reading import Reader

__all__ = ["Advisor", "Local", "OpenAI", "Prompt", "Recorded", "VectorAdvisor", "side_by_side", "single"]

#: Asked with an observation, and perhaps the info of the last step; None says that no answer came.
Advisor = Callable[..., Any]
#: Asked with all observations of a step whose question is open, and their places; one reply each.
VectorAdvisor = Callable[[Sequence[Any], Sequence[int]], Sequence[str | Reply | int | None]]

#: What a model is told of an observation: a question, or messages as (role, text).
Prompt = Callable[[Any], "str | Sequence[tuple[str, str]]"]

_LOCK = threading.Lock()
_LOOP: list[asyncio.AbstractEventLoop] = []


def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of a thread of its own, so that coroutines can be asked from anywhere, also where a loop runs already."""
    with _LOCK:
        if not _LOOP:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="counsel-advisors", daemon=True).start()
            _LOOP.append(loop)
        return _LOOP[0]


def _awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()


def single(advisor: Advisor) -> Callable[[Any, dict[str, Any]], Any]:
    """The advisor as a callable of an observation and an info."""
    if not callable(advisor):
        raise RefusedError(f"the advisor is {advisor!r}; pass a callable of the observation, or of the observation and the info")
    takes = _takes(advisor)

    def ask(observation: Any, info: dict[str, Any]) -> Any:
        said = advisor(observation, info) if takes > 1 else advisor(observation)
        return _awaited(said) if inspect.iscoroutine(said) else said

    return ask


def _takes(advisor: Advisor) -> int:
    """How many of observation and info an advisor takes."""
    try:
        parameters = inspect.signature(advisor).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    plain = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = sum(one.default is one.empty for one in plain)
    if needed > 2 or not plain:
        raise RefusedError(f"the advisor takes {len(plain)} arguments; it is asked with the observation, or with the observation and the info")
    # A second argument with a default is the advisor's own.
    return max(needed, 1)


def words_of(said: Any, names: Sequence[str], reader: Reader | None = None) -> str | Reply | None:
    """What an advisor said, as a reply: the number of an action is its name, and a text is what the reader makes of it."""
    if isinstance(said, Integral) and not isinstance(said, bool):
        if not 0 <= int(said) < len(names):
            raise RefusedError(f"the advisor named action {said}, but there are only {len(names)}; return a number from 0 to {len(names) - 1}")
        return names[int(said)]
    if isinstance(said, Reply) and reader is not None:
        read = reader.read(said.text).action
        return said if read is None else said.saying(read)
    if isinstance(said, str) and reader is not None:
        return reader.read(said).action or said
    if said is None or isinstance(said, (str, Reply)):
        return said
    raise RefusedError(f"the advisor returned {said!r}; return the name or the number of an action, a Reply, or None if no answer came")


def side_by_side(advisor: Advisor, *, at_once: int = 16) -> VectorAdvisor:
    """An advisor for many environments that asks one for single observations, as many times at once.

    A question that fails is a lost answer, and the others stand. If all of a step fail, the first failure goes on.

    Parameters
    ----------
    advisor : callable
        As for one environment. One with two arguments is handed an empty info.
    at_once : int
        The most questions that wait at the same time.

    Examples
    --------
    >>> from counsel.advisors import side_by_side
    >>> side_by_side(lambda observation: "right")([0.5, 0.7], [0, 3])
    ['right', 'right']
    """
    if at_once < 1:
        raise RefusedError(f"`at_once` is {at_once}; pass 1 or more")
    if callable(together := getattr(advisor, "ask_all", None)):
        ready: VectorAdvisor = together
        return ready
    ask = single(advisor)
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="counsel-advisor")

    def ask_all(observations: Sequence[Any], places: Sequence[int]) -> list[Any]:
        asked = [pool.submit(ask, observation, {}) for observation in observations]
        failures = [job.exception() for job in asked]
        first = next((failure for failure in failures if failure is not None), None)
        if first is not None and all(failure is not None for failure in failures):
            raise first
        return [job.result() if failure is None else None for job, failure in zip(asked, failures, strict=True)]

    return ask_all


class _Asked:
    """A language model as an advisor."""

    def __init__(
        self, model: Model, prompt: Prompt, system: str | None, max_tokens: int, temperature: float, seed: int, words: Sequence[str] | None
    ) -> None:
        #: The model itself: ``spent``, ``budget``, ``stop()``.
        self.model = model
        self._prompt, self._system = prompt, system
        self._decoding: dict[str, Any] = {
            "max_tokens": max_tokens, "temperature": temperature, "seed": seed, "words": None if words is None else list(words)
        }
        # What no answer can be written with is refused here, and not by a question that was paid for.
        model.answer([], **self._decoding)

    def _said(self, observation: Any) -> list[tuple[str, str]]:
        told = self._prompt(observation)
        messages = [("user", told)] if isinstance(told, str) else [(role, text) for role, text in told]
        return messages if self._system is None else [("system", self._system), *messages]

    def __call__(self, observation: Any) -> Reply:
        """The answer. Without one this raises :class:`counsel.OutageError` with the reason."""
        ((reply, reason),) = self.model.answer([self._said(observation)], **self._decoding)
        if reply is None:
            raise OutageError(f"no answer came: {reason}")
        return reply

    def ask_all(self, observations: Sequence[Any], places: Sequence[int]) -> list[Reply | None]:
        """The answers to all of these, side by side; None where none came. If none came at all, this raises the first reason."""
        answers = self.model.answer([self._said(observation) for observation in observations], **self._decoding)
        if answers and all(reply is None for reply, _ in answers):
            raise OutageError(f"no answer came: {answers[0][1]}")
        return [reply for reply, _ in answers]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"


class OpenAI(_Asked):
    """A model behind an OpenAI-compatible endpoint.

    Every attempt, retries included, is booked before it is sent, so ``budget`` holds whatever fails; with ``ledger`` it holds over processes
    and crashes, too. A call to the endpoint is an attempt; a controller counts questions.

    Parameters
    ----------
    model : str
        The model that is asked for.
    base_url : str
        Where the endpoint is, with or without ``/v1``.
    budget : int
        The most attempts.
    prompt : callable
        What the model is told of an observation: a text, or messages as (role, text).
    system : str, optional
        A system message before it.
    key_env : str, optional
        The variable of the environment that holds the key; None sends none. The key is shown nowhere, and goes over plain http to this
        machine only, unless ``key_over_http``.
    ledger : path, optional
        The file of the attempts, shared by all processes that name it.
    prices, money : path, str, optional
        A file with what a million tokens cost, and the most money.
    max_tokens, temperature, seed : int, float, int
        How an answer is written.
    words : sequence of str, optional
        Score these words instead of writing; needs an endpoint with log-probabilities.
    time_out, deadline, retries, at_once, stop_after
        Seconds for an attempt and for a question, attempts after the first one, questions at the same time, and failures in a row after
        which nothing more is sent.
    any_model : bool
        Take answers that name another model.

    Examples
    --------
    >>> from counsel.advisors import OpenAI
    >>> OpenAI("my-model", base_url="http://127.0.0.1:8080", budget=100, key_env=None)
    OpenAI(Model('my-model', spent=0, budget=100))
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.openai.com",
        budget: int,
        prompt: Prompt = str,
        system: str | None = None,
        key_env: str | None = "OPENAI_API_KEY",
        ledger: str | Path | None = None,
        prices: str | Path | None = None,
        money: str | None = None,
        max_tokens: int = 64,
        temperature: float = 0.0,
        seed: int = 0,
        words: Sequence[str] | None = None,
        time_out: float = 30.0,
        deadline: float = 120.0,
        retries: int = 3,
        at_once: int = 8,
        stop_after: int = 10,
        key_over_http: bool = False,
        any_model: bool = False,
    ) -> None:
        key = None if key_env is None else os.environ.get(key_env)
        if key_env is not None and not key:
            raise RefusedError(f"the variable `{key_env}` holds no key; set it, or pass key_env=None for an endpoint that wants none")
        made = Model.endpoint(
            base_url, model, budget=budget, key=key, ledger=ledger, prices=prices, money=money, time_out=time_out, deadline=deadline,
            retries=retries, at_once=at_once, stop_after=stop_after, key_over_http=key_over_http, any_model=any_model,
        )
        super().__init__(made, prompt, system, max_tokens, temperature, seed, words)


class Local(_Asked):
    """The model in a GGUF file of the llama and qwen2 families, in this process.

    Parameters
    ----------
    path : path
        The file.
    prompt, system, max_tokens, temperature, seed, words
        As for :class:`OpenAI`; any model can score words here.
    name : str, optional
        What it is called.
    threads : int, optional
        How many threads compute; all cores without it. It changes no bit of an answer.
    context : int
        The most tokens of prompt and answer.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        prompt: Prompt = str,
        system: str | None = None,
        max_tokens: int = 64,
        temperature: float = 0.0,
        seed: int = 0,
        words: Sequence[str] | None = None,
        name: str | None = None,
        threads: int | None = None,
        context: int = 4096,
    ) -> None:
        super().__init__(Model.local(path, name=name, threads=threads, context=context), prompt, system, max_tokens, temperature, seed, words)


class Recorded:
    """Asks another advisor once for each observation, and replays what it said from then on.

    Answers are lines of JSON in a file, each written before it is handed on, so a run that was cut off pays for nothing twice.

    Parameters
    ----------
    path : path
        The file; it is begun if it is not there.
    advisor : callable, optional
        Who is asked where nothing is recorded. Without one, :class:`counsel.OutageError` is raised there.

    Examples
    --------
    >>> import tempfile
    >>> from counsel.advisors import Recorded
    >>> path = tempfile.mkdtemp() + "/answers.jsonl"
    >>> Recorded(path, lambda observation: "right")("a corridor")
    Reply("right", source='live')
    >>> Recorded(path)("a corridor")
    Reply("right", source='replayed')
    """

    def __init__(self, path: str | Path, advisor: Advisor | None = None) -> None:
        self._path, self._ask, self._lock = Path(path), None if advisor is None else single(advisor), threading.Lock()
        self._known: dict[int, str] = {}
        held = self._path.read_bytes() if self._path.exists() else b""
        # The last line may have been cut off with its program.
        whole = held[: held.rfind(b"\n") + 1]
        self._cut = len(whole) if len(whole) < len(held) else None
        for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), 1):
            try:
                one = json.loads(line)
                self._known[int(one["key"])] = str(one["answer"])
            except (ValueError, KeyError, TypeError):
                raise LogError(f"{self._path}, line {number}, is no recorded answer; mend it, or delete the line") from None

    def __len__(self) -> int:
        return len(self._known)

    def __call__(self, observation: Any) -> Reply | None:
        """The recorded answer, or the one that is recorded now."""
        key = observation_key(observation)
        with self._lock:
            if key in self._known:
                return Reply(self._known[key], source="replayed")
        if self._ask is None:
            raise OutageError(f"{self._path} holds no answer to this observation; pass an advisor that is asked where nothing is recorded")
        said = self._ask(observation, {})
        if said is None:
            return None
        reply = said if isinstance(said, Reply) else Reply(str(said))
        with self._lock:
            self._known[key] = reply.text
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._cut is not None:
                os.truncate(self._path, self._cut)
                self._cut = None
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": str(key), "answer": reply.text}) + "\n")
        return reply
