"""A controller in another process: `counsel serve`, spoken to in the words of :class:`counsel.Controller`.

Budget, books, kept answers and log stand with the sidecar, so they are shared by all programs that speak to it, and outlive them.
This module needs the standard library alone.
"""

from __future__ import annotations

import asyncio
import dataclasses
import http.client
import inspect
import itertools
import json
import os
import re
import socket
import threading
import urllib.parse
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from .errors import RefusedError, SidecarError

__all__ = ["AsyncSidecar", "RemoteAct", "RemoteAsk", "Sidecar", "connect"]

# A repeated request with the same key is decided once, so one that was cut off is sent again.
_ATTEMPTS = 3
_NAME = re.compile(r"[A-Za-z0-9._-]{1,128}")


@dataclasses.dataclass(frozen=True)
class RemoteAct:
    """The decision is complete.

    Attributes
    ----------
    action : str
        What the agent must do.
    asked : bool
        Whether a call was made.
    verdict : str
        `act` (nobody was asked), `execute` (the answer acts) or `reject` (it does not).
    reason : str
        Why, as a code such as `below-price`.
    because : str
        The same in words.
    decision : str
        Its id, for outcomes that come later.
    """

    action: str
    asked: bool
    verdict: str
    reason: str
    because: str
    decision: str


@dataclasses.dataclass(frozen=True)
class RemoteAsk:
    """A question that was paid for: send it, and resume with the reply.

    Attributes
    ----------
    decision : str
        The id of the decision.
    permit : str
        The right to one answer.
    advisor : str
        Who is to be asked.
    replayed : bool
        Whether the question was handed out before, under the same key, and nobody knows whether it was sent.
    """

    decision: str
    permit: str
    advisor: str
    replayed: bool = False
    asked: Literal[True] = True


def connect(url: str, *, policy: str, run: str = "run", token: str | None = None, time_out: float = 30.0) -> Sidecar:
    """The controller behind this address, with the words of :class:`counsel.Controller`.

    Parameters
    ----------
    url : str
        Where `counsel serve` listens, such as ``http://127.0.0.1:8787``, or ``unix:/path`` for a Unix socket.
    policy : str
        The policy that decides.
    run : str
        The run whose budget pays.
    token : str, optional
        The token that the sidecar asks for; without one, that of the variable COUNSEL_TOKEN.
    time_out : float
        Seconds that one request may take.

    Examples
    --------
    >>> import counsel
    >>> controller = counsel.connect("http://127.0.0.1:8787", policy="p")  # doctest: +SKIP
    >>> act = controller.advise(context="room 3", base="left", ask=lambda: "right")  # doctest: +SKIP
    >>> controller.outcome(1.0, terminated=True)  # doctest: +SKIP
    """
    return Sidecar(_Wire(url, token if token is not None else os.environ.get("COUNSEL_TOKEN"), time_out), policy, run)


class Sidecar:
    """A policy of a sidecar, and the episodes of one environment. Made by :func:`connect`; for one more environment, thread or task, use
    :meth:`place`.

    Parameters
    ----------
    wire
        The connections, which :func:`connect` makes.
    policy : str
        The policy that decides.
    run : str
        The run whose budget pays.
    """

    def __init__(self, wire: _Wire, policy: str, run: str) -> None:
        for what, name in (("policy", policy), ("run", run)):
            if not _NAME.fullmatch(name):
                raise RefusedError(f"the {what} {name!r} is no name; use letters, digits, dots, dashes and underscores", what)
        self._wire, self.policy, self.run = wire, policy, run
        self._episode: str | None = None
        self._named = False
        self._last: str | None = None
        # No other process and no other place makes the same keys.
        self._nonce = os.urandom(9).hex()
        self._count = itertools.count()

    def place(self) -> Sidecar:
        """The same policy for one more environment, thread or task: it has episodes and outcomes of its own."""
        return Sidecar(self._wire, self.policy, self.run)

    def begin_episode(self, name: str | None = None) -> str:
        """Begins the next episode, and ends the one that runs. A decision does it by itself where none runs.

        Parameters
        ----------
        name : str, optional
            What the sidecar calls the episode; otherwise the name is drawn.

        Returns
        -------
        str
            The name.
        """
        if name is not None and not _NAME.fullmatch(name):
            raise RefusedError(f"the episode {name!r} is no name; use letters, digits, dots, dashes and underscores", "episode")
        self.end_episode()
        self._episode, self._named = name or f"e-{self._key()}", name is not None
        return self._episode

    def end_episode(self) -> None:
        """Ends the episode that runs, if one does: its labels are complete, and what it reserved is free."""
        if self._episode is not None:
            try:
                self._wire.post(f"/v1/episodes/{self._episode}/end", {"policy": self.policy, "run": self.run})
            except SidecarError as error:
                # Nothing was decided in it, or it ended by itself.
                if error.status != 404:
                    raise
        self._episode = self._last = None

    def decide(
        self,
        *,
        context: str = "any",
        base: str,
        features: Sequence[float] | None = None,
        confidence: float | None = None,
        key: str | None = None,
    ) -> RemoteAct | RemoteAsk:
        """Decides whether to act or to ask. A question is paid for when it is handed out.

        Parameters
        ----------
        context : str
            What tells situations apart.
        base : str
            The action that your agent proposes.
        features : sequence of float, optional
            Numbers that describe the situation.
        confidence : float, optional
            How sure your agent is of its proposal, from 0 to 1.
        key : str, optional
            The idempotency key. A step that may run again, such as a node of a graph that is resumed, passes the same key and gets the same
            decision: it is paid for once. Such a step is an episode of its own, unless `begin_episode` was given a name.
        """
        known: dict[str, Any] = {"key": context}
        if features is not None:
            known["features"] = [float(number) for number in features]
        fallback: dict[str, Any] = {"action": base}
        if confidence is not None:
            fallback["confidence"] = float(confidence)
        body: dict[str, Any] = {"policy": self.policy, "run": self.run, "context": known, "fallback": fallback}
        # What is sent again must be the same, so a name that is drawn has no place in it.
        if key is None or self._named:
            body["episode"] = self._running()
        decided, replayed = self._wire.post("/v1/decisions", body, key or self._key())
        self._last = decided["decision"]
        if decided["verdict"] != "ask":
            return self._act(decided, asked=False)
        replayed = replayed and key is not None
        if replayed:
            known_now, _ = self._wire.get(f"/v1/decisions/{decided['decision']}")
            if known_now["open"] is None:
                return self._act(known_now["settled"][-1] | {"decision": decided["decision"]}, asked=True)
        return self._ask(decided, replayed)

    def resume(self, ask: RemoteAsk, reply: str | None, *, usage: dict[str, int] | None = None) -> RemoteAct | RemoteAsk:
        """Takes the reply to a question and acts, or asks a further advisor of the policy.

        Parameters
        ----------
        ask : RemoteAsk
            The question.
        reply : str, optional
            The advisor's text. `None` says that no answer came; the call is paid for all the same.
        usage : dict, optional
            What the call used: `input_tokens` and `output_tokens`.
        """
        body: dict[str, Any] = {"permit": ask.permit, "reply": {"lost": True} if reply is None else {"text": reply}}
        if usage is not None:
            body["usage"] = usage
        judged, _ = self._wire.post(f"/v1/decisions/{ask.decision}/resume", body)
        return self._ask(judged, False) if judged["verdict"] == "ask" else self._act(judged, asked=True)

    def advise(
        self,
        *,
        context: str = "any",
        base: str,
        ask: Callable[[], str | None],
        features: Sequence[float] | None = None,
        confidence: float | None = None,
        key: str | None = None,
    ) -> RemoteAct:
        """Decides, and asks the advisor where it is worth it: `decide`, `ask()` and `resume` in one. If the advisor raises, the call is settled
        as lost, and the error goes on. A question that an earlier run of this step left open under its key is settled as lost, too: it may
        have been sent, and is not sent twice.

        Parameters
        ----------
        context : str
            What tells situations apart.
        base : str
            The action that your agent proposes.
        ask : callable
            Asks the advisor, and returns its text, or `None` where no answer came.
        features : sequence of float, optional
            Numbers that describe the situation.
        confidence : float, optional
            How sure your agent is of its proposal, from 0 to 1.
        key : str, optional
            The idempotency key, as in :meth:`decide`.
        """
        turn = self.decide(context=context, base=base, features=features, confidence=confidence, key=key)
        while isinstance(turn, RemoteAsk):
            try:
                reply = None if turn.replayed else ask()
            except BaseException:
                self.resume(turn, None)
                raise
            turn = self.resume(turn, reply)
        return turn

    def ask(
        self,
        question: str,
        options: Sequence[str] | None = None,
        *,
        context: str | None = None,
        confidence: float | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        """Puts a question to the policy's own endpoint, where its answer is worth the price: what `ask_advisor` does. Each question is an
        episode of its own.

        Parameters
        ----------
        question : str
            The question, as the advisor reads it.
        options : sequence of str, optional
            What can be done; the first is what you would do without advice.
        context : str, optional
            A name that questions of a kind share.
        confidence : float, optional
            How sure you are of the first option, from 0 to 1.
        key : str, optional
            The idempotency key: a question that is sent again under its key is paid for once.

        Returns
        -------
        dict
            `asked`, `may_act`, `proceed_with`, `reason` and `decision_id`, and `advice` where somebody was asked.
        """
        body: dict[str, Any] = {"policy": self.policy, "run": self.run, "question": question}
        if context is not None:
            body["context"] = context
        if options is not None:
            body["options"] = list(options)
        if confidence is not None:
            body["confidence"] = float(confidence)
        told, _ = self._wire.post("/v1/ask", body, key or self._key())
        self._last = told.get("decision_id", self._last)
        return dict(told)

    def outcome(self, reward: float, *, terminated: bool = False, truncated: bool = False, decision: str | None = None) -> None:
        """Reports the reward of the last decision, or of one that is named. It may come later, and again when it is corrected.

        Parameters
        ----------
        reward : float
            The reward.
        terminated : bool
            Whether the episode is over.
        truncated : bool
            Whether time ran out instead.
        decision : str, optional
            The id of the decision; otherwise it is the last one.
        """
        named = decision or self._last
        if named is None:
            raise RefusedError("no decision has been made yet; decide before you report an outcome", "outcome")
        ended = terminated or truncated
        body: dict[str, Any] = {"reward": float(reward), "final": ended} | ({"truncated": True} if truncated else {})
        self._wire.post(f"/v1/decisions/{named}/outcome", body)
        if ended and decision is None:
            self._episode = self._last = None

    def budget(self) -> dict[str, Any]:
        """What advice may cost, and what it has cost."""
        told, _ = self._wire.get(f"/v1/budgets/{self.policy}")
        return dict(told)

    def explain(self, decision: str | None = None) -> str:
        """Why a decision was made.

        Parameters
        ----------
        decision : str, optional
            The id of the decision; otherwise it is the last one.
        """
        named = decision or self._last
        if named is None:
            raise RefusedError("no decision has been made yet; decide before you ask why", "explain")
        told, _ = self._wire.get(f"/v1/decisions/{named}/explain")
        return str(told)

    def asynchronous(self) -> AsyncSidecar:
        """The same for coroutines."""
        return AsyncSidecar(self)

    def _running(self) -> str:
        return self._episode or self.begin_episode()

    def _key(self) -> str:
        return f"{self._nonce}-{next(self._count)}"

    @staticmethod
    def _act(told: dict[str, Any], *, asked: bool) -> RemoteAct:
        return RemoteAct(told["action"], asked, told["verdict"], told.get("reason", ""), told.get("because", ""), told["decision"])

    @staticmethod
    def _ask(told: dict[str, Any], replayed: bool) -> RemoteAsk:
        return RemoteAsk(told["decision"], told["permit"]["id"], told["permit"].get("advisor", ""), replayed)


class AsyncSidecar:
    """A :class:`Sidecar` for coroutines: requests run on threads, and the advisor may be a coroutine function.

    Parameters
    ----------
    sidecar : Sidecar
        The one that it speaks through. Made by :meth:`Sidecar.asynchronous`.
    """

    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar

    async def decide(self, **situation: Any) -> RemoteAct | RemoteAsk:
        """As :meth:`Sidecar.decide`.

        Parameters
        ----------
        **situation
            The arguments of :meth:`Sidecar.decide`.
        """
        return await asyncio.to_thread(self.sidecar.decide, **situation)

    async def resume(self, ask: RemoteAsk, reply: str | None, *, usage: dict[str, int] | None = None) -> RemoteAct | RemoteAsk:
        """As :meth:`Sidecar.resume`.

        Parameters
        ----------
        ask, reply, usage
            The arguments of :meth:`Sidecar.resume`.
        """
        return await asyncio.to_thread(self.sidecar.resume, ask, reply, usage=usage)

    async def advise(self, *, ask: Callable[[], Awaitable[str | None] | str | None], **situation: Any) -> RemoteAct:
        """As :meth:`Sidecar.advise`. A task that is cancelled while it waits for the advisor settles the call as lost.

        Parameters
        ----------
        ask : callable
            Asks the advisor; it may be a coroutine function.
        **situation
            The other arguments of :meth:`Sidecar.advise`.
        """
        turn = await self.decide(**situation)
        while isinstance(turn, RemoteAsk):
            try:
                said = None if turn.replayed else ask()
                reply = await said if inspect.isawaitable(said) else said
            except BaseException:
                await asyncio.shield(self.resume(turn, None))
                raise
            turn = await self.resume(turn, reply)
        return turn

    async def outcome(self, reward: float, *, terminated: bool = False, truncated: bool = False, decision: str | None = None) -> None:
        """As :meth:`Sidecar.outcome`.

        Parameters
        ----------
        reward, terminated, truncated, decision
            The arguments of :meth:`Sidecar.outcome`.
        """
        await asyncio.to_thread(self.sidecar.outcome, reward, terminated=terminated, truncated=truncated, decision=decision)


class _Wire:
    """The connections to one sidecar, one for each thread."""

    def __init__(self, url: str, token: str | None, time_out: float) -> None:
        parts = urllib.parse.urlsplit(url)
        if not (parts.scheme in ("http", "https") and parts.hostname) and not (parts.scheme == "unix" and parts.path):
            # What stands before an @ may be a password.
            shown = "***" if "@" in url else url
            raise RefusedError(f"{shown!r} is no address of a sidecar; pass http://HOST:PORT or unix:/PATH", "url")
        self._parts, self._time_out, self._local = parts, time_out, threading.local()
        self._shown = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"unix:{parts.path}"
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def get(self, path: str) -> tuple[Any, bool]:
        return self._answer("GET", path, None, {})

    def post(self, path: str, body: dict[str, Any], key: str | None = None) -> tuple[Any, bool]:
        """The answer, and whether it is that of an earlier request with the key."""
        headers = {"Content-Type": "application/json"} | ({} if key is None else {"Idempotency-Key": key})
        return self._answer("POST", path, json.dumps(body, allow_nan=False).encode(), headers)

    def _answer(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[Any, bool]:
        for attempt in range(_ATTEMPTS):
            try:
                connection = self._connection()
                connection.request(method, path, body, self._headers | headers)
                response = connection.getresponse()
                text = response.read()
                break
            except (OSError, http.client.HTTPException) as error:
                self._local.connection = None
                if attempt + 1 == _ATTEMPTS:
                    raise SidecarError(f"the sidecar at {self._shown} does not answer ({error}); start it with `counsel serve`") from None
        is_json = "json" in response.headers.get("Content-Type", "")
        told = json.loads(text) if is_json else text.decode(errors="replace")
        if response.status >= 400:
            problem = told if isinstance(told, dict) else {}
            said = problem.get("detail") or problem.get("title") or f"the sidecar refuses with status {response.status}"
            raise SidecarError(said, response.status, problem.get("type"))
        # A request that this call itself sent twice was not seen before.
        return told, attempt == 0 and response.headers.get("Idempotent-Replayed") == "true"

    def _connection(self) -> http.client.HTTPConnection:
        # A forked process must not speak on its parent's connection.
        if getattr(self._local, "connection", None) is None or self._local.process != os.getpid():
            self._local.connection, self._local.process = self._opened(), os.getpid()
        connection: http.client.HTTPConnection = self._local.connection
        return connection

    def _opened(self) -> http.client.HTTPConnection:
        if self._parts.scheme == "unix":
            return _UnixConnection(self._parts.path, self._time_out)
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=self._time_out)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, time_out: float) -> None:
        super().__init__("localhost", timeout=time_out)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)
