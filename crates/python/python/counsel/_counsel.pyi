# What the native module offers, by hand; `python -m mypy.stubtest counsel._counsel` compares it with the module itself.
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, SupportsIndex, TypedDict, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Required, Unpack

from .settings import Budget, Settings, Spread

__all__ = [
    "__version__",
    "Act",
    "Answer",
    "Ask",
    "Batch",
    "CalibratedRadius",
    "CalibrationSet",
    "Cascade",
    "Consultation",
    "Controller",
    "Diagnosis",
    "Engine",
    "EvaluationSet",
    "FitSet",
    "Ledger",
    "Log",
    "Model",
    "Paid",
    "Predictor",
    "Reply",
    "Reservation",
    "Route",
    "Router",
    "VectorController",
    "Worlds",
    "audit",
    "audit_chronicle",
    "check_settings",
    "checked_seed",
    "clopper_pearson",
    "columns",
    "conformal_rank",
    "context_key",
    "coverage",
    "empirical_bernstein",
    "exact_value",
    "explain",
    "hoeffding",
    "holm",
    "interquartile_mean",
    "levels",
    "mean_interval",
    "paired",
    "screen",
    "split",
]

__version__: str

_Real = npt.NDArray[np.float64] | npt.NDArray[np.float32] | npt.ArrayLike
_Integers = npt.NDArray[np.integer[Any]] | Sequence[int]
_Path = str | PathLike[str]
_Context = Any  # what counsel.context_key takes
_Reply = str | Reply | None
_Monitored = Literal["supported", "outside-support", "shifted"]

class _Circumstances(TypedDict, total=False):
    visits: int | None
    monitored: _Monitored | None
    stalled: bool | None
    expected_uses: float | None
    fallback_law: _Real | None
    credited_gain: float | None
    forecast: tuple[float, float] | None

class _Situation(_Circumstances, total=False):
    context: _Context
    base: Required[SupportsIndex]
    values: _Real | None
    bounds: tuple[_Real, _Real] | None
    law: _Real | None
    features: _Real | None

class _CircumstancesOfEach(TypedDict, total=False):
    visits: _Integers
    monitored: Sequence[_Monitored | None]
    stalled: npt.NDArray[np.bool_] | Sequence[bool]
    expected_uses: _Real
    fallback_law: _Real
    credited_gain: _Real
    forecast: Sequence[tuple[float, float] | None] | _Real

class _Described(TypedDict, total=False):
    text: str | None
    group: str | int | None
    numbers: _Real | None

class _Shrinkage(TypedDict, total=False):
    level: float
    group: float
    numbers: float
    words: float

class _Book(TypedDict, total=False):
    shrinkage: _Shrinkage
    drift: float
    reward: float
    variance: float
    expert: Literal["level", "group", "numbers", "all", "evidence"]

class _CascadeSettings(TypedDict, total=False):
    book: _Book
    silence: int
    optimism: float
    coin: float
    exploring: Literal["coin", "ramp"]
    control: float
    control_record: float
    start: float
    most: float
    inflow: float
    reckoning: Literal["booked", "unbiased"]
    missing: Literal["worst", "expected"]
    one_right: bool

class _RouterSettings(TypedDict, total=False):
    book: _Book
    optimism: Mapping[Literal["record", "posterior"], float]
    coin: float
    account: float
    floor: float
    window: int
    every: int

class _Summary(TypedDict, total=False):
    decisions: int
    calls: int
    changed: int
    overridden: int
    calls_left: int
    bankroll: float
    reasons: dict[str, int]

class _Record(TypedDict):
    """A decision by the names of the columns of the log."""

    step: int
    place: int
    batch: int | None
    episode: int
    step_in_episode: int
    context: int
    base: int
    value_samples: list[float]
    lower_bounds: list[float]
    upper_bounds: list[float]
    response_law: list[float]
    radius: float
    price: float
    visits: int
    no_query: int
    cached: int | None
    cache_status: str
    prospects: list[int]
    estimate: float
    paced_price: float
    score: float
    threshold: float
    calls_left: int
    outcome: Literal["silent", "unaffordable", "asked"]
    reply: str | None
    reply_source: str | None
    response: int | None
    certificate: str | None
    override_by: str | None
    override_of: int | None
    executed: int

class _ConsultationRecord(TypedDict):
    """A decision of a cascade, with all that it was computed from."""

    step: int
    rewards: list[float]
    doubt: float
    price: float
    bank: float
    held: float
    control: float
    probability: float
    uniform: float
    asked: bool

class _RouteRecord(TypedDict):
    """A decision of a router, with all that it was computed from."""

    step: int
    advisors: list[str]
    rewards: list[float]
    costs: list[float]
    hopes: list[float]
    price: float
    allowed: list[bool]
    probabilities: list[float]
    greedy: int
    optimist: int
    account: float | None
    uniform: float
    chosen: int

@final
class Act:
    """The decision is complete."""
    @property
    def action(self) -> int:
        """What the agent must do."""
    @property
    def asked(self) -> bool:
        """Whether a call was made."""
    @property
    def outcome(self) -> str:
        """`silent`, `unaffordable` (it wanted to ask, no call was left) or `asked`."""
    @property
    def paid(self) -> Paid | None:
        """The response that was paid for; predictors learn from nothing else."""
    @property
    def estimate(self) -> float:
        """The estimated value of the query, before any answer."""
    @property
    def score(self) -> float:
        """How much spoke for asking."""
    @property
    def threshold(self) -> float:
        """How much was needed."""
    @property
    def calls_left(self) -> int:
        """How many calls could be made before this decision."""
    @property
    def verdict(self) -> str | None:
        """What became of the answer, if there was one."""
    @property
    def scale_features(self) -> list[float]:
        """What a scaled radius looks at; the features of an opportunity that is made of this decision."""
    def explain(self) -> str:
        """Why it was decided so, in words and numbers: what `counsel explain` says of a logged decision."""
    def record(self) -> _Record:
        """The decision by the names of the columns of the log."""
    def __copy__(self) -> Act: ...
    def __deepcopy__(self, _memo: Any) -> Act: ...
    def _repr_html_(self) -> str: ...

@final
class Ask:
    """A question that was paid for: send it, and resume with the reply."""
    @property
    def asked(self) -> Literal[True]:
        """True: this is a question."""
    @property
    def serial(self) -> int:
        """The number of this call in its run, from 1."""
    @property
    def estimate(self) -> float:
        """The estimated value of the query."""

@final
class Paid:
    """A response that was paid for. Only an engine makes one."""
    @property
    def response(self) -> int:
        """The action that was advised, or -1 for a reply that could not be understood."""
    def __copy__(self) -> Paid: ...
    def __deepcopy__(self, _memo: Any) -> Paid: ...

@final
class Reply:
    """An advisor's answer with what it cost.

    Parameters
    ----------
    text : str
        What the advisor said.
    source : {"live", "simulated", "replayed", "lost"}
        Where it came from.
    request_tokens, response_tokens : int, optional
        What was counted.
    latency_ms : float, optional
        How long it took.
    """
    def __new__(
        cls,
        text: str,
        *,
        source: str = "live",
        request_tokens: int | None = None,
        response_tokens: int | None = None,
        latency_ms: float | None = None,
    ) -> Reply: ...
    @property
    def text(self) -> str:
        """The text, as it came."""
    @property
    def source(self) -> str:
        """`live`, `simulated`, `replayed` or `lost`."""
    def saying(self, text: str) -> Reply:
        """The same reply with this text, for what was read out of it."""
    @staticmethod
    def _restore(text: str) -> Reply:
        """The reply that was pickled as this text."""

@final
class Diagnosis:
    """Why a controller did not ask, and why answers did not act: counts, and plain words with `str` or `print`."""
    @property
    def decisions(self) -> int:
        """The number of complete decisions."""
    @property
    def calls(self) -> int:
        """The number of calls that were paid for."""
    @property
    def changed(self) -> int:
        """The number of answers that changed the action."""
    @property
    def overridden(self) -> int:
        """The number of decisions whose action somebody replaced by another."""
    @property
    def reasons(self) -> dict[str, int]:
        """Every reason that was met, with its count, the most frequent first."""
    def _repr_html_(self) -> str: ...

@final
class Engine:
    """The engine, for those who have bounds and a response law of their own.

    Parameters
    ----------
    settings : Settings
        Gate, rule, budget, pacing, cache and bankroll.
    actions : sequence of str, or int
        The name of every action, or their number.
    seed : int
        The randomness of a gate that has any.
    form : {"word", "json"}
        How an answer must be written.
    """
    def __new__(cls, settings: Settings, actions: Sequence[str] | int, *, seed: int = 0, form: str = "word") -> Engine: ...
    def begin_episode(self) -> None:
        """Starts the next episode. The first one starts by itself."""
    def decide(
        self,
        values: _Real,
        lower: _Real,
        upper: _Real,
        law: _Real,
        base: SupportsIndex,
        *,
        context: _Context = None,
        radius: float | None = None,
        price: float,
        **circumstances: Unpack[_Circumstances],
    ) -> Act | Ask:
        """Decides whether to act or to ask, before any answer exists.

        Parameters
        ----------
        values : array of shape (samples, actions)
            Samples of the values of all actions.
        lower, upper : array of shape (actions,)
            Bounds on the optimal value of every action.
        law : array of shape (actions + 1,)
            The probability of each action being advised, then of an unusable reply.
        base : int
            The action that your agent proposes.
        context : optional
            What tells situations apart, as `counsel.context_key` takes it.
        radius : float, optional
            How far the estimate may be from the truth; infinite without one.
        price : float
            What a call costs, in units of return.
        **circumstances
            What else is known: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`, `credited_gain` and `forecast`, by
            their names in the log.
        """
    def resume(self, ask: Ask, reply: _Reply) -> Act:
        """Takes the reply to a question and acts on it. `None` says that no answer came; the call is paid for all the same.

        Parameters
        ----------
        ask : Ask
            The question, as `decide` handed it out.
        reply : str, Reply or None
            What the advisor said.
        """
    @property
    def calls(self) -> int:
        """How many calls were made."""
    @property
    def calls_left(self) -> int:
        """How many calls could be made now."""
    @property
    def bankroll(self) -> float | None:
        """What advice may still lose, where that is limited."""

@final
class Controller:
    """Decides when advice is worth its price, and whether an answer may act: the ordinary way in. Start with
    `Controller.recommended`; a controller with settings of your own takes values, and may take bounds, a radius and a
    predictor.

    Parameters
    ----------
    settings : Settings
        Gate, rule, budget, pacing, cache and bankroll.
    actions : sequence of str, or int
        The name of every action, as the advisor says it; a number n means the names a0, a1, ... of n actions.
    price : float
        What a call costs, in units of return.
    radius : CalibratedRadius, float or None
        How far an estimate may be from the truth. None is infinite, and gates that subtract a radius are silent then.
    bounds : Spread, optional
        How bounds on the optimal values follow from value samples, where a decision has none of its own.
    predictor : Predictor, optional
        What the advisor is expected to say. The controller goes on with a copy of its own.
    log : Log, optional
        Where decisions are written.
    seed : int
        The randomness of a gate that has any.
    form : {"word", "json"}
        How an answer must be written.
    """
    def __new__(
        cls,
        settings: Settings,
        actions: Sequence[str] | int,
        *,
        price: float,
        radius: CalibratedRadius | float | None = None,
        bounds: Spread | None = None,
        predictor: Predictor | None = None,
        log: Log | None = None,
        seed: int = 0,
        form: str = "word",
    ) -> Controller: ...
    @staticmethod
    def recommended(
        price: float,
        budget: SupportsIndex | Budget,
        actions: Sequence[str] | int,
        *,
        episodes: int | None = None,
        advisor: str = "",
        seed: int = 0,
        log: Log | None = None,
    ) -> Controller:
        """The controller that the studies recommend: it learns values from your agent's own steps, keeps answers, and closes an
        advisor that does not earn its price. Returns of about 0 to 1 are expected, so scale rewards where they are far from
        that.

        Parameters
        ----------
        price : float
            What a call costs, in units of return.
        budget : int or Budget
            The most calls in the whole run.
        actions : sequence of str, or int
            The name of every action, as the advisor says it; a number n means the names a0, a1, ... of n actions.
        episodes : int, optional
            The number of episodes of the run; without it, a run is expected to go on as long as it has lasted.
        advisor : str
            The version of the advisor; kept answers of another version no longer serve.
        seed : int
            The randomness of the controller.
        log : Log, optional
            Where decisions are written.
        """
    @staticmethod
    def load(path: _Path, *, log: Log | None = None) -> Controller:
        """The controller that was saved at this path. It goes on where the saved one stood; questions that were open then are
        lost. Load a checkpoint once: its budget is spent again by every copy.

        Parameters
        ----------
        path : path
            The checkpoint.
        log : Log, optional
            The log that was written before, opened with ``resume=True``: what came after the checkpoint is cut, and the log goes on.
        """
    def place(self) -> Controller:
        """The same controller for one more environment, or thread, or task: it has episodes and outcomes of its own, and shares budget, books,
        kept answers and log. The first one that is handed out is the place of the controller itself, if that has not decided yet.
        """
    def save(self, path: _Path) -> None:
        """Writes everything that later decisions depend on to the file at `path`, whole or not at all."""
    def begin_episode(self) -> None:
        """Begins the next episode. A decision does it by itself where none runs."""
    def decide(
        self,
        *,
        context: _Context = None,
        base: SupportsIndex,
        values: _Real | None = None,
        bounds: tuple[_Real, _Real] | None = None,
        law: _Real | None = None,
        features: _Real | None = None,
        **circumstances: Unpack[_Circumstances],
    ) -> Act | Ask:
        """Decides whether to act or to ask, before any answer exists. A question is paid for when it is handed out; several may
        be open at once, from several threads.

        Parameters
        ----------
        context : str, bytes, int, array of integers, or tuples of these
            What tells situations apart, such as what the advisor would be shown. Only a controller that keeps neither answers
            nor values can do without.
        base : int
            The action that your agent proposes.
        values : array of shape (samples, actions), optional
            Samples of the values of all actions. A recommended controller learns values by itself.
        bounds : (lower, upper), optional
            Bounds on the optimal value of every action.
        law : array of shape (actions + 1,), optional
            The probability of each action being advised, then of an unusable reply, in the place of the predictor's.
        features : array of shape (features,), optional
            Numbers that describe the situation, for a predictor that generalises.
        **circumstances
            What else is known: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`, `credited_gain` and
            `forecast`, by their names in the log.
        """
    def resume(self, ask: Ask, reply: _Reply) -> Act:
        """Takes the reply to a question and acts; the books learn from the answer. `None` says that no answer came; the call is
        paid for all the same.

        Parameters
        ----------
        ask : Ask
            The question, as `decide` handed it out.
        reply : str, Reply or None
            What the advisor said.
        """
    def advise(
        self,
        *,
        context: _Context = None,
        base: SupportsIndex,
        ask: Callable[[], _Reply],
        values: _Real | None = None,
        bounds: tuple[_Real, _Real] | None = None,
        law: _Real | None = None,
        features: _Real | None = None,
        **circumstances: Unpack[_Circumstances],
    ) -> Act:
        """Decides, and asks the advisor where it is worth it: `decide`, `ask()` and `resume` in one. If the advisor raises, the call
        is lost, the decision is completed without it, and the exception goes on.

        Parameters
        ----------
        ask : callable
            Asks the advisor: called without arguments, it returns a reply, or None if none came.
        context, base, values, bounds, law, features, **circumstances
            As for `decide`.
        """
    def override(self, act: Act, action: SupportsIndex | str, *, by: str) -> Act:
        """Somebody has the last word: another action is executed than that of the last decision, and the log says so. The controller
        learns from what was executed, and advice answers for none of it. Call it before `outcome`; the last override counts.

        Parameters
        ----------
        act : Act
            The last decision.
        action : int or str
            The action that is executed in its place, by its number or its name.
        by : str
            Who decided: the role of a person, or the name of a program. It is written to the log.

        Returns
        -------
        Act
            The same decision with the action that is executed.
        """
    def aadvise(
        self, *, ask: Callable[[], Awaitable[_Reply]], **situation: Unpack[_Situation]
    ) -> Coroutine[Any, Any, Act]:
        """`advise` as a coroutine, whose advisor is one: `await controller.aadvise(..., ask=ask)`. A task that is cancelled while it waits has
        lost its answer. Tasks side by side take a `place` each.

        Parameters
        ----------
        ask : callable
            Asks the advisor: it returns an awaitable of a reply.
        **situation
            The keywords of `decide`.
        """
    def outcome(
        self,
        reward: float,
        *,
        terminated: bool = False,
        truncated: bool = False,
        changed: bool | None = None,
        label: float | None = None,
        monte_carlo: float | None = None,
    ) -> None:
        """Says what came of the last decision.

        Parameters
        ----------
        reward : float
            The reward of the step.
        terminated, truncated : bool
            Whether the task is over, or time ran out: the next decision begins an episode.
        changed : bool, optional
            Whether the action changed anything that the agent sees; advice that changes nothing lapses. None where that is not known.
        label, monte_carlo : float, optional
            The true value of the query, where it was found out, and how far it may be from the truth. They are for the log.
        """
    def close(self) -> None:
        """Gives up all open questions as lost, and closes the log if there is one."""
    def summary(self) -> _Summary:
        """What it did so far, as numbers by name: `decisions`, `calls`, `changed` (answers that changed the action), `overridden`, `calls_left`,
        `bankroll` where there is one, and every reason of `diagnose` with its count.
        """
    def diagnose(self) -> Diagnosis:
        """Why it did not ask, and why answers did not act: counts, in plain words, each with a remedy."""
    @property
    def settings(self) -> Settings:
        """What was declared of it."""
    @property
    def actions(self) -> list[str]:
        """The names of the actions."""
    @property
    def price(self) -> float:
        """What a call costs, in units of return."""
    @property
    def radius(self) -> CalibratedRadius | float | None:
        """The radius: a CalibratedRadius, a number, or None where it is infinite."""
    @radius.setter
    def radius(self, radius: CalibratedRadius | float | None) -> None:
        """The radius: a CalibratedRadius, a number, or None where it is infinite."""
    @property
    def learns(self) -> bool:
        """Whether it learns values from the steps of the agent, by context, so that none have to be handed in."""
    @property
    def reads_contexts(self) -> bool:
        """Whether anything reads contexts: values, kept answers, a predictor, a gate that counts visits, or a log."""
    @property
    def calls(self) -> int:
        """The number of calls that were made."""
    @property
    def calls_left(self) -> int:
        """The number of calls that could be made now."""
    @property
    def bankroll(self) -> float | None:
        """What advice may still lose, where that is limited."""
    def _repr_html_(self) -> str: ...

@final
class Consultation:
    """Whether the strong model is asked, and why."""
    @property
    def id(self) -> int:
        """Its number, from 0, for `feedback`."""
    @property
    def ask(self) -> bool:
        """Whether to ask the strong model."""
    @property
    def probability(self) -> float:
        """The probability of asking, fixed before the coin was thrown."""
    @property
    def gain(self) -> float:
        """What the strong answer is expected to be worth more, before its price."""
    @property
    def doubt(self) -> float:
        """The standard deviation of the gain, as the book knows it."""
    @property
    def price(self) -> float:
        """What the strong answer costs."""
    def record(self) -> _ConsultationRecord:
        """Everything that the decision was computed from, for a log of your own."""

@final
class Route:
    """Who answers, and why."""
    @property
    def id(self) -> int:
        """Its number, from 0, for `settle` and `feedback`."""
    @property
    def advisor(self) -> str:
        """Who answers."""
    @property
    def probability(self) -> float:
        """The probability of this choice, fixed before the coin was thrown."""
    @property
    def probabilities(self) -> dict[str, float]:
        """The probability of every advisor."""
    @property
    def rewards(self) -> dict[str, float]:
        """The expected score of every advisor."""
    @property
    def costs(self) -> dict[str, float]:
        """The expected cost of every advisor."""
    @property
    def price(self) -> float:
        """The score that a unit of cost is worth now."""
    def record(self) -> _RouteRecord:
        """Everything that the decision was computed from, for a log of your own."""

@final
class Answer:
    """An answer that a cascade or a router obtained."""
    @property
    def value(self) -> Any:
        """What the model returned."""
    @property
    def id(self) -> int:
        """The number of the decision, for `feedback`."""
    @property
    def advisor(self) -> str:
        """Who answered: `cheap` or `strong` in a cascade, the name of the advisor in a router."""
    @property
    def decision(self) -> Any:
        """The decision: a Consultation or a Route."""

@final
class Cascade:
    """Decides, request by request, whether a strong model replaces the answer of a cheap one. What asking can lose against never asking is
    bounded by the settings; see `loss_bound`.

    Parameters
    ----------
    cheap, strong : callable, optional
        Your models: each takes a question and returns an answer. Without them, call `decide` in a loop of your own.
    price : float
        What a strong answer costs, in units of the score: 0.05 means that it has to be right 5 times more often in 100.
    budget : int, optional
        The most strong answers. Without it nothing limits their number but their worth.
    describe : callable, optional
        `describe(question, answer)` returns what is known once the cheap answer is there, as a dictionary with `text`, `group` or
        `numbers`, such as the cheap model's confidence. Without it, a question that is a str is its own text.
    groups : sequence of str, or int, optional
        The names of the groups of questions, or their number. Groups are the strongest feature if you know them.
    words : int
        The buckets that words are hashed to, a power of two up to 2048; 0 ignores texts. Without a text no words are read.
    knots : int
        A number counts by a curve with this many bends between 0 and 1, if there are 16 numbers or fewer; 0 makes straight lines.
    seed : int
        The randomness of the control group and of the optimist's coin.
    log : path, optional
        A file for every decision, with all that it was computed from, and for every score, as they come. `counsel.audit(log)` decides all of
        it again.
    **settings
        `silence`, `optimism`, `coin`, `exploring`, `control`, `control_record`, `start`, `most`, `inflow`, `reckoning`, `missing`, `one_right` and
        `book`, as docs/CASCADE.md lists them. The defaults need no change.

    Scores lie in [0, 1]. The first request settles what is read: whether there are words, and how many numbers.
    """
    def __new__(
        cls,
        cheap: Callable[[Any], Any] | None = None,
        strong: Callable[[Any], Any] | None = None,
        *,
        price: float,
        budget: SupportsIndex | None = None,
        describe: Callable[[Any, Any], _Described] | None = None,
        groups: Sequence[str] | int | None = None,
        words: int = 512,
        knots: int = 4,
        seed: int = 0,
        log: _Path | None = None,
        **settings: Unpack[_CascadeSettings],
    ) -> Cascade: ...
    @staticmethod
    def load(
        path: _Path,
        cheap: Callable[[Any], Any] | None = None,
        strong: Callable[[Any], Any] | None = None,
        *,
        price: float | None = None,
        describe: Callable[[Any, Any], _Described] | None = None,
        groups: Sequence[str] | int | None = None,
        log: _Path | None = None,
    ) -> Cascade:
        """The cascade that was saved at this path, by Python or by Rust. It goes on where the saved one stood, open decisions included.
        Load a checkpoint once: its bankroll is spent again by every copy. A checkpoint of Rust has no price and no
        names of groups, so pass `price`, and `groups` if you have any, in their order. With `log`, the log that was written before goes on:
        what came after the checkpoint is cut.

        Parameters
        ----------
        path : path
            The checkpoint.
        cheap, strong, price, describe, groups
            As when it was made; models and functions are not saved.
        log : path, optional
            Its log.
        """
    def save(self, path: _Path) -> None:
        """Writes everything that later decisions depend on to the file at `path`, whole or not at all. Models are not saved."""
    def __call__(self, question: Any, /, *, group: str | int | None = None, numbers: _Real | None = None) -> Answer: ...
    def acall(
        self, question: Any, /, *, group: str | int | None = None, numbers: _Real | None = None
    ) -> Coroutine[Any, Any, Answer]:
        """The same as a coroutine: `await cascade.acall(question)`. Each model may be an `async def` or an ordinary callable. A task that is
        cancelled while it waits for the strong model has lost its answer, which was paid for. `group` and `numbers` are those of `decide`.
        """
    def _consult(self, question: Any, hand: Any, group: str | int | None, numbers: _Real | None) -> Consultation:
        """The decision about a question to which the cheap answer is there."""
    def _executed(self, decision: Consultation, hand: Any, value: Any | None) -> Answer:
        """The answer to a question, once the models that were asked have answered."""
    def decide(
        self,
        text: str | None = None,
        group: str | int | None = None,
        numbers: _Real | None = None,
        *,
        price: float | None = None,
    ) -> Consultation:
        """Decides whether the strong model is asked, for those who ask by themselves.

        Parameters
        ----------
        text : str, optional
            The text of the question.
        group : str or int, optional
            Its group, one of those declared.
        numbers : array of shape (numbers,), optional
            What else is known, on the scale of one, such as the cheap model's confidence; the same ones every time.
        price : float, optional
            What the strong answer costs here, where it is not the usual price.
        """
    def feedback(self, id: int, score: float | None, *, agreed: bool | None = None) -> None:
        """Says what the executed answer was worth, in [0, 1]: at once, later, in any order, or `None` if nobody will ever say. Without
        feedback a decision holds a part of the bankroll back.

        Parameters
        ----------
        id : int
            The `id` of the decision or the answer.
        score : float or None
            1 for right, 0 for wrong.
        agreed : bool, optional
            Whether both answers were the same, where both were seen. It is evidence with `one_right=True`, and a cascade with models sees
            it by itself.
        """
    def correct(self, id: int, score: float) -> None:
        """Replaces the score that was given for the decision `id` by `score`. The last 1,024 can be replaced."""
    def loss_bound(self, requests: int) -> float:
        """What asking can lose against never asking over this number of requests, in units of the score: `start`, the inflow, and one
        question's stake. Reckoned as the settings say: by the book, or without bias in expectation.
        """
    @property
    def price(self) -> float:
        """What a strong answer costs, in units of the score."""
    @property
    def bankroll(self) -> float:
        """What asking may still lose before it is given up."""
    @property
    def calls(self) -> int:
        """The number of strong answers that were asked for."""
    @property
    def calls_left(self) -> int | None:
        """The number of strong answers that the budget still allows; None without a budget."""
    def _repr_html_(self) -> str: ...

@final
class Router:
    """Decides, request by request, which of several advisors answers: the one with the best predicted score less the price of its predicted
    cost.

    Parameters
    ----------
    advisors : mapping of str to float, or to (callable, float)
        What an answer of each advisor costs by the price list; with a callable that takes a question and returns an answer, the router
        asks by itself.
    price : float, optional
        The score that a unit of cost is worth, where there is no budget; 1 if nothing is said.
    per_request, requests : float and int, optional
        A hard budget: what a request may cost on average, and the requests of the period.
    worst : mapping of str to float, optional
        What an answer can cost at worst, where that is more than the list price. It is reserved before the question is sent.
    cost : callable, optional
        What an answer of your callables has cost, `cost(answer)`. Without it, the list price.
    describe : callable, optional
        `describe(question)` returns what is known of it, as a dictionary with `text`, `group` or `numbers`. Without it, a question that is
        a str is its own text.
    groups : sequence of str, or int, optional
        The names of the groups of questions, or their number.
    words : int
        The buckets that words are hashed to, a power of two up to 2048; 0 ignores texts. Without a text no words are read.
    seed : int
        The randomness of exploring.
    log : path, optional
        A file for every decision, with all that it was computed from, and for every cost and score, as they come. `counsel.audit(log)`
        decides all of it again.
    **settings
        `optimism`, `coin`, `account`, `floor`, `window`, `every` and `book`, as docs/CASCADE.md lists them. The defaults need no change.
    """
    def __new__(
        cls,
        advisors: Mapping[str, float] | Mapping[str, tuple[Callable[[Any], Any], float]],
        *,
        price: float | None = None,
        per_request: float | None = None,
        requests: int | None = None,
        worst: Mapping[str, float] | None = None,
        cost: Callable[[Any], float] | None = None,
        describe: Callable[[Any], _Described] | None = None,
        groups: Sequence[str] | int | None = None,
        words: int = 512,
        seed: int = 0,
        log: _Path | None = None,
        **settings: Unpack[_RouterSettings],
    ) -> Router: ...
    @staticmethod
    def load(
        path: _Path,
        models: Mapping[str, Callable[[Any], Any]] | None = None,
        *,
        cost: Callable[[Any], float] | None = None,
        describe: Callable[[Any], _Described] | None = None,
        groups: Sequence[str] | int | None = None,
        log: _Path | None = None,
    ) -> Router:
        """The router that was saved at this path, by Python or by Rust. It goes on where the saved one stood, open decisions included. Load a
        checkpoint once: its budget is spent again by every copy. `models` are the callables by the names of the advisors.
        A checkpoint of Rust, such as the policy of `counsel route`, has no names of groups; pass `groups` in their order. With `log`, the log
        that was written before goes on: what came after the checkpoint is cut.

        Parameters
        ----------
        path : path
            The checkpoint.
        models : mapping of str to callable, optional
            What is called for each advisor.
        cost, describe, groups
            As when it was made; functions are not saved.
        log : path, optional
            Its log.
        """
    def save(self, path: _Path) -> None:
        """Writes everything that later decisions depend on to the file at `path`, whole or not at all. Models are not saved."""
    def __call__(self, question: Any, /, *, group: str | int | None = None, numbers: _Real | None = None) -> Answer: ...
    def acall(
        self, question: Any, /, *, group: str | int | None = None, numbers: _Real | None = None
    ) -> Coroutine[Any, Any, Answer]:
        """The same as a coroutine: `await router.acall(question)`. Each model may be an `async def` or an ordinary callable. A task that is
        cancelled while it waits has lost its answer, which was paid for at its worst case. `group` and `numbers` are those of `decide`.
        """
    def _choose(self, question: Any, group: str | int | None, numbers: _Real | None) -> tuple[Route, Callable[[Any], Any]]:
        """Who answers a question, and the model that is called."""
    def _executed(self, route: Route, value: Any) -> Answer:
        """The answer of the model that was called."""
    def decide(
        self, text: str | None = None, group: str | int | None = None, numbers: _Real | None = None
    ) -> Route:
        """Decides who answers, for those who ask by themselves. The answer is paid for from now on.

        Parameters
        ----------
        text : str, optional
            The text of the question.
        group : str or int, optional
            Its group, one of those declared.
        numbers : array of shape (numbers,), optional
            What else is known, on the scale of one; the same ones every time.
        """
    def settle(self, id: int, cost: float) -> None:
        """Says what the answer to the decision `id` has cost: `cost`, in the units of the prices. Until then its worst case is reserved."""
    def feedback(self, id: int, score: float | None, *, cost: float | None = None) -> None:
        """Says what the executed answer was worth: at once, later, in any order, or `None` if nobody will ever say. It closes the decision;
        a cost that is neither settled nor given here counts as its worst case.

        Parameters
        ----------
        id : int
            The `id` of the decision or the answer.
        score : float or None
            What the answer was worth.
        cost : float, optional
            What it has cost, where that was not settled before.
        """
    def correct(self, id: int, score: float) -> None:
        """Replaces the score that was given for the decision `id` by `score`. The last 1,024 can be replaced."""
    def teach(
        self,
        advisor: str,
        score: float,
        cost: float,
        text: str | None = None,
        group: str | int | None = None,
        numbers: _Real | None = None,
    ) -> None:
        """Learns what an answer was worth and cost that was not routed here: a warm start.

        Parameters
        ----------
        advisor : str
            Who answered.
        score, cost : float
            What the answer was worth, and what it cost.
        text, group, numbers
            What was known of the question, as for `decide`.
        """
    def begin_period(self, per_request: float, requests: int) -> None:
        """Begins a period with this budget; what was learned stays.

        Parameters
        ----------
        per_request : float
            What a request may cost on average.
        requests : int
            The requests of the period.
        """
    @property
    def advisors(self) -> list[str]:
        """The names of the advisors."""
    @property
    def spent(self) -> float | None:
        """What the period has cost so far; None where there is no budget."""
    @property
    def budget(self) -> float | None:
        """What the period may cost; None where there is no budget."""

@final
class Batch:
    """The decisions of a batch. Where a question is open the action is that of the fallback, until the batch is resumed."""
    @property
    def actions(self) -> npt.NDArray[np.int64]:
        """What each place must do."""
    @property
    def asks(self) -> npt.NDArray[np.int64]:
        """The places with an open question, in order."""
    @property
    def estimate(self) -> npt.NDArray[np.float64]:
        """The estimated value of the query at each place; NaN where nothing was decided."""
    @property
    def score(self) -> npt.NDArray[np.float64]:
        """How much spoke for asking."""
    @property
    def threshold(self) -> npt.NDArray[np.float64]:
        """How much was needed."""
    @property
    def number(self) -> int:
        """The number of the batch, as in the log."""

@final
class VectorController:
    """One controller for environments side by side: one hard budget, one price, one set of books; each environment has episodes of
    its own. Start with `VectorController.recommended`.

    Parameters
    ----------
    settings, actions, price, radius, bounds, predictor, log, seed, form
        As for `Controller`.
    num_envs : int
        The number of environments.
    """
    def __new__(
        cls,
        settings: Settings,
        actions: Sequence[str] | int,
        num_envs: int,
        *,
        price: float,
        radius: CalibratedRadius | float | None = None,
        bounds: Spread | None = None,
        predictor: Predictor | None = None,
        log: Log | None = None,
        seed: int = 0,
        form: str = "word",
    ) -> VectorController: ...
    @staticmethod
    def recommended(
        price: float,
        budget: SupportsIndex | Budget,
        actions: Sequence[str] | int,
        num_envs: int,
        *,
        episodes: int | None = None,
        advisor: str = "",
        seed: int = 0,
        log: Log | None = None,
    ) -> VectorController:
        """The controller that the studies recommend, for environments side by side; see `Controller.recommended`.

        Parameters
        ----------
        price, budget, actions, advisor, seed, log
            As for `Controller.recommended`; the budget is one for all.
        num_envs : int
            The number of environments.
        episodes : int, optional
            The number of episodes of all environments together.
        """
    @staticmethod
    def load(path: _Path, num_envs: int, *, log: Log | None = None) -> VectorController:
        """The controller that was saved at this `path`, for `num_envs` environments; its `log` goes on as `Controller.load` says."""
    def save(self, path: _Path) -> None:
        """Writes everything that later decisions depend on to the file at `path`, whole or not at all."""
    def begin_episodes(self, mask: npt.NDArray[np.bool_]) -> None:
        """Lets the episodes of the places in `mask`, a flag per environment, begin with their next decision. Where `outcome` said that an episode is over, the next
        one begins by itself.
        """
    def decide(
        self,
        *,
        contexts: _Integers | None = None,
        base: _Integers,
        values: _Real | None = None,
        features: _Real | None = None,
        mask: npt.NDArray[np.bool_] | None = None,
        **circumstances: Unpack[_CircumstancesOfEach],
    ) -> Batch:
        """Decides at all places, or at those of the mask, before any answer exists. A batch that was not resumed counts as lost.

        Parameters
        ----------
        contexts : array of shape (environments,), optional
            Keys, as `counsel.context_key` makes them.
        base : array of shape (environments,)
            What each agent proposes.
        values : array of shape (environments, samples, actions), optional
            Samples of the values of all actions.
        features : array of shape (environments, features), optional
            Numbers that describe the situations.
        mask : array of shape (environments,), optional
            Where to decide.
        **circumstances
            As for `Controller.decide`, with an entry per environment.
        """
    def advise(
        self,
        *,
        ask: Callable[[npt.NDArray[np.int64]], Iterable[_Reply]],
        contexts: _Integers | None = None,
        base: _Integers,
        values: _Real | None = None,
        features: _Real | None = None,
        mask: npt.NDArray[np.bool_] | None = None,
        **circumstances: Unpack[_CircumstancesOfEach],
    ) -> npt.NDArray[np.int64]:
        """Decides at all places, and asks the advisor once for all places where it is worth it: `decide`, `ask(places)` and `resume` in one.

        Parameters
        ----------
        ask : callable
            Called with the places whose question is open; returns one reply for each, None for a lost one. If it raises, all of them are
            lost, the decisions are completed without them, and the exception goes on.
        contexts, base, values, features, mask, **circumstances
            As for `decide`.
        """
    def resume(self, batch: Batch, replies: Iterable[_Reply]) -> npt.NDArray[np.int64]:
        """Takes one reply per open question, in the order of `batch.asks`, and says what every place must do.

        Parameters
        ----------
        batch : Batch
            What `decide` returned.
        replies : sequence of str, Reply or None
            What the advisor said; None for a lost answer.
        """
    def outcome(
        self,
        reward: _Real,
        *,
        terminated: npt.NDArray[np.bool_] | None = None,
        truncated: npt.NDArray[np.bool_] | None = None,
        changed: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Says what came of the last decision of every place. A place without a decision, as in a step that only resets it, is left out.

        Parameters
        ----------
        reward : array of shape (environments,)
            The rewards of the step.
        terminated, truncated, changed : array of shape (environments,), optional
            As for `Controller.outcome`.
        """
    def override(self, place: SupportsIndex, action: SupportsIndex | str, *, by: str) -> None:
        """Somebody has the last word at an environment: see `Controller.override`.

        Parameters
        ----------
        place : int
            The environment, from 0.
        action : int or str
            The action that is executed there in the place of the last decision's.
        by : str
            Who decided.
        """
    def close(self) -> None:
        """Gives up all open questions as lost, and closes the log if there is one."""
    def summary(self) -> _Summary:
        """What it did so far, as numbers by name: `decisions`, `calls`, `changed` (answers that changed the action), `overridden`,
        `bankroll` where there is one, and every reason of `diagnose` with its count.
        """
    def diagnose(self) -> Diagnosis:
        """Why it did not ask, and why answers did not act: counts, in plain words, each with a remedy."""
    @property
    def settings(self) -> Settings:
        """What was declared of it."""
    @property
    def radius(self) -> CalibratedRadius | float | None:
        """The radius: a CalibratedRadius, a number, or None where it is infinite."""
    @radius.setter
    def radius(self, radius: CalibratedRadius | float | None) -> None:
        """The radius: a CalibratedRadius, a number, or None where it is infinite."""
    @property
    def learns(self) -> bool:
        """Whether it learns values from the steps of the agent, by context, so that none have to be handed in."""
    @property
    def reads_contexts(self) -> bool:
        """Whether anything reads contexts: values, kept answers, a predictor, a gate that counts visits, or a log."""
    @property
    def calls_left(self) -> int:
        """The number of calls that could be made now, at the first place; what is limited by the episode may differ elsewhere."""
    def _repr_html_(self) -> str: ...
    @property
    def num_envs(self) -> int:
        """The number of environments."""
    @property
    def actions(self) -> list[str]:
        """The names of the actions."""
    @property
    def price(self) -> float:
        """What a call costs, in units of return."""
    @property
    def calls(self) -> int:
        """The number of calls that were made, at all places together."""
    @property
    def bankroll(self) -> float | None:
        """What advice may still lose, at all places together, where that is limited."""

@final
class Predictor:
    """A predictor of what the advisor will say. A controller goes on with a copy of its own; an engine is handed laws."""
    @staticmethod
    def uniform(actions: int) -> Predictor:
        """Every response equally likely, among this number of `actions`."""
    @staticmethod
    def frequency(actions: int, *, strength: float = 0.3) -> Predictor:
        """The smoothed frequency over all contexts; the uniform prior is worth `strength` responses.

        Parameters
        ----------
        actions : int
            How many actions there are.
        strength : float
            How many responses the prior counts for.
        """
    @staticmethod
    def per_context(actions: int, *, strength: float = 0.3) -> Predictor:
        """The smoothed frequency within each context.

        Parameters
        ----------
        actions : int
            How many actions there are.
        strength : float
            How many responses the prior counts for, in each context.
        """
    @staticmethod
    def feature(
        actions: int, features: int, *, penalty: float = 0.1, steps: int = 8, memory: int = 256
    ) -> Predictor:
        """Logistic regression on the features.

        Parameters
        ----------
        actions : int
            How many actions there are.
        features : int
            How many features describe a situation.
        penalty : float
            How strongly weights are held at zero.
        steps, memory : int
            How many steps it learns by after each response, and how many responses a step looks at.
        """
    @staticmethod
    def _restore(text: str) -> Predictor:
        """The predictor that was pickled as this text."""
    def laws(self, features: _Real | None = None, contexts: _Integers | None = None) -> npt.NDArray[np.float64]:
        """The predicted probability of every action being advised, then of an unusable reply, one row per situation.

        Parameters
        ----------
        features, contexts : array, optional
            What describes the situations, one row for each: numbers, keys, or both.
        """
    def observe(
        self, paid: Sequence[Paid], features: _Real | None = None, contexts: _Integers | None = None
    ) -> None:
        """Learns from responses that were paid for, one per situation, with one fit for all of them.

        Parameters
        ----------
        paid : list of Paid
            The responses, `act.paid` of each decision.
        features, contexts : array, optional
            What describes the situations, one row for each: numbers, keys, or both.
        """
    def calibrate_temperature(
        self, paid: Sequence[Paid], features: _Real | None = None, contexts: _Integers | None = None
    ) -> float:
        """Sets the temperature that predicts these responses best, and says which. They must not have been observed before.

        Parameters
        ----------
        paid : list of Paid
            The responses.
        features, contexts : array, optional
            What describes the situations, one row for each: numbers, keys, or both.
        """
    @property
    def actions(self) -> int:
        """How many actions there are."""
    @property
    def features(self) -> int:
        """How many features describe a situation."""

@final
class FitSet:
    """The earliest part of the data: models are fitted on it."""
    def __len__(self) -> int: ...

@final
class CalibrationSet:
    """The middle part: ranks are taken on it."""
    def __len__(self) -> int: ...

@final
class EvaluationSet:
    """The last part: coverage is measured on it."""
    def __len__(self) -> int: ...

@final
class CalibratedRadius:
    """A calibrated radius. Strata, where it has any, are those of the estimate."""
    @staticmethod
    def _derive(spec: str, fit: FitSet, calibration: CalibrationSet) -> CalibratedRadius:
        """Derives the radius that `spec` declares, in the words of the study files: the scale from the fit part, the quantiles from
        the calibration part.
        """
    def at(self, estimate: _Real, features: _Real | None = None) -> npt.NDArray[np.float64]:
        """β at estimates, and at features where the radius is scaled; infinite where nothing is known."""
    @staticmethod
    def _restore(text: str) -> CalibratedRadius:
        """The radius of this derivation."""
    def _repr_html_(self) -> str: ...
    def updated(
        self, estimate: float, label: float, *, monte_carlo: float = 0.0, features: _Real | None = None
    ) -> CalibratedRadius:
        """This radius with one more labelled opportunity; the scale stays as it was fitted.

        Parameters
        ----------
        estimate, label : float
            The estimated value of the query before any answer, and what it turned out to be worth.
        monte_carlo : float
            How far the label may be from the truth.
        features : array of shape (features,), optional
            What a scaled radius looks at.
        """
    def _derivation(self) -> str:
        """How the radius came about, scores included, as JSON: what the manifest of a log keeps, and the audit computes again."""

@final
class Ledger:
    """A hard budget of calls in a file, over processes and crashes.

    Parameters
    ----------
    path : path
        The file; it is begun if it is not there.
    limit : int
        The most calls of all processes that name the file. A larger one lets them go on.
    """
    def __new__(cls, path: _Path, *, limit: int) -> Ledger: ...
    def reserve(self, *, model: str = "", prompt: str = "", timeout_s: float = 10.0) -> Reservation:
        """The right to one call, written down for good before it returns.

        Parameters
        ----------
        model, prompt : str
            Who is asked, and what; of a prompt the ledger keeps a digest.
        timeout_s : float
            How many seconds to wait for other processes.
        """
    @property
    def spent(self) -> int:
        """How many calls are spent, by all processes together."""
    @property
    def limit(self) -> int:
        """How many calls may be made in all."""
    def _repr_html_(self) -> str: ...

@final
class Reservation:
    """The right to make one call. It is spent whether it is settled or not; as a context manager it settles itself."""
    @property
    def number(self) -> int:
        """Which call of the ledger it is, from 1."""
    def settle(
        self, *, reason: str | None = None, request_tokens: int | None = None, response_tokens: int | None = None
    ) -> None:
        """Writes down how the call ended.

        Parameters
        ----------
        reason : str, optional
            Why no answer came, where none came.
        request_tokens, response_tokens : int, optional
            What was counted.
        """
    def __enter__(self) -> Reservation: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> Literal[False]: ...

@final
class Log:
    """The log of one controller. It is on the disk at most a second after each decision, and becomes a finished cell when it is closed.

    Parameters
    ----------
    folder : path
        The folder of the run.
    arm, seed, study : str, int, str
        The name of the cell: one log for each arm and seed.
    replace : bool
        Whether a finished log of this name is deleted first, as a cell of a notebook that runs again needs it.
    resume : bool
        Whether to go on with a log that was not closed, because its program was killed. The controller that goes on is one that was
        saved: decisions after its checkpoint are cut. Close the log at once to finish the cell as it was left.
    """
    def __new__(
        cls, folder: _Path, *, arm: str, seed: int = 0, study: str = "mine", resume: bool = False, replace: bool = False
    ) -> Log: ...
    def close(self) -> None:
        """Writes the log, the sheet of its study and its manifest. Questions that are open count as lost. Closing twice does nothing."""
    def flush(self) -> None:
        """Writes down what was decided so far, without waiting for the second to be over."""
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    @property
    def cell(self) -> str:
        """The cell, as `counsel explain` names it."""
    def __enter__(self) -> Log: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> Literal[False]: ...

@final
class Model:
    """A language model. `counsel.advisors` makes advisors of it."""
    @staticmethod
    def endpoint(
        base_url: str,
        model: str,
        *,
        budget: int,
        key: str | None = None,
        ledger: _Path | None = None,
        prices: _Path | None = None,
        money: str | None = None,
        time_out: float = 30.0,
        deadline: float = 120.0,
        retries: int = 3,
        at_once: int = 8,
        stop_after: int = 10,
        key_over_http: bool = False,
        any_model: bool = False,
    ) -> Model:
        """A model behind an OpenAI-compatible endpoint. `key` is sent as a bearer token and shown nowhere."""
    @staticmethod
    def local(
        path: _Path, *, name: str | None = None, threads: int | None = None, context: int = 4096
    ) -> Model:
        """The model in a GGUF file, in this process."""
    def answer(
        self,
        conversations: Sequence[Sequence[tuple[str, str]]],
        *,
        max_tokens: int = 64,
        temperature: float = 0.0,
        seed: int = 0,
        words: Sequence[str] | None = None,
    ) -> list[tuple[Reply | None, str | None]]:
        """The answers to conversations, in their order, as many at once as may be: for each a Reply and None, or None and why no answer came.
        A conversation is a list of (role, text), where a role is `system`, `user` or `assistant`.

        Parameters
        ----------
        conversations : list of list of (str, str)
            What is asked.
        max_tokens : int
            How long an answer may be.
        temperature : float
            0 takes the likeliest token at every step.
        seed : int
            The seed of the draws.
        words : list of str, optional
            Score these words instead of writing: the answer is the likeliest one.
        """
    def stop(self) -> None:
        """Stops what is under way, from another thread; questions that wait are outages."""
    @property
    def name(self) -> str:
        """The model, as it is asked for."""
    @property
    def version(self) -> str:
        """What tells one version of it from another."""
    @property
    def spent(self) -> int | None:
        """The attempts that were paid for, those in the ledger included; None for a model in this process."""
    @property
    def budget(self) -> int | None:
        """The most attempts; None for a model in this process."""
    def _repr_html_(self) -> str: ...

@final
class Worlds:
    """Places of one level, side by side."""
    def __new__(cls, level: str, count: int, *, max_steps: int | None = None) -> Worlds: ...
    @property
    def image_shape(self) -> list[int]:
        """The shape of an image, which has no pixel in a text world."""
    @property
    def tells(self) -> bool:
        """Whether the text changes within an episode, and with it the admissible commands."""
    @property
    def words(self) -> list[str]:
        """The words of the actions; empty in a text world."""
    def text(self, place: int) -> str:
        """The mission of a place, or what was told there last."""
    def commands(self, place: int) -> list[str]:
        """What is admissible at a place now, in words."""
    def reset(
        self,
        seeds: Sequence[int | None],
        mask: Sequence[bool],
        image: npt.NDArray[np.uint8],
        direction: npt.NDArray[np.int64],
    ) -> None:
        """Begins episodes: that of the seed where one is given, else the next, at the places of the mask."""
    def step(
        self,
        actions: npt.NDArray[np.int64],
        autoreset: str,
        image: npt.NDArray[np.uint8],
        direction: npt.NDArray[np.int64],
        reward: npt.NDArray[np.float64],
        terminated: npt.NDArray[np.bool_],
        truncated: npt.NDArray[np.bool_],
        final_image: npt.NDArray[np.uint8],
        final_direction: npt.NDArray[np.int64],
    ) -> tuple[list[int], list[str]]:
        """Performs one action at every place and writes what follows. Returns the places where an episode began or, with autoreset
        in the same step, ended, and the last texts of those that ended.
        """

    def step_alone(self, action: SupportsIndex) -> tuple[npt.NDArray[np.uint8], int, float, bool, bool]:
        """Performs an action at the first place, and returns image, direction, reward, and whether the episode was terminated and truncated:
        a step of an environment alone, which does not begin again by itself.
        """
    def picture(self, place: int) -> str:
        """The task, the clock and a picture of a place, as lines of text."""
    def __copy__(self) -> Worlds: ...
    def __deepcopy__(self, _memo: object, /) -> Worlds: ...
    @staticmethod
    def _restore(text: str) -> Worlds:
        """The places of a pickle."""

def levels() -> list[tuple[str, list[str]]]:
    """The ids of all levels that can be played, world by world."""
def check_settings(settings: Settings) -> None:
    """Refuses settings that no engine can be made of."""
def checked_seed(seed: SupportsIndex) -> int:
    """The seed, if it is one: a whole number from 0 to 2**64 - 1."""
def context_key(context: _Context, /) -> int:
    """The key of a context: a whole number of 64 bits is a key already; text, bytes, arrays of whole numbers, and tuples, lists
    and dictionaries of these are digested. Text is taken as UTF-8 and an array by its bytes, so that keys of prompts are
    those in the logs of `counsel reproduce`.
    """
def split(
    estimate: _Real,
    label: _Real,
    *,
    fit: int = 0,
    calibration: int,
    monte_carlo: _Real | None = None,
    features: _Real | None = None,
    trajectory: _Integers | None = None,
    step: _Integers | None = None,
) -> tuple[FitSet, CalibrationSet, EvaluationSet]:
    """Cuts opportunities in the order of time into a part to fit on, a part to calibrate on, and the rest to evaluate on."""
def coverage(evaluation: EvaluationSet, radius: CalibratedRadius, *, price: float) -> str:
    """What a radius was worth on the evaluation part, as JSON."""
def conformal_rank(n: int, alpha: float) -> int:
    """The rank ⌈(n + 1)(1 - alpha)⌉ of n scores; n + 1 says that there are too few."""
def screen(leads: _Real, *, alpha: float) -> float | None:
    """The lead that an answer must exceed so that at most the share alpha of wrong ones passes, from the leads of wrong answers;
    nothing where they are too few.
    """
def hoeffding(range: float, labels: int, delta: float, blocks: int) -> float:
    """Hoeffding's Monte-Carlo term for the means of `blocks` blocks in [-`range`, `range`], which holds for all `labels` at once but with
    probability `delta`.
    """
def empirical_bernstein(block_means: _Real, range: float, labels: int, delta: float) -> float:
    """The empirical Bernstein term of these `block_means` in [-`range`, `range`], which holds for all `labels` at once but with probability
    `delta`.
    """
def exact_value(law: _Real, decisions: _Integers, values: _Real, no_query: int) -> float:
    """The exact value of a query: Σ p(y) q(d(y)) - q(a⁰), where `law` is p, `decisions` is d in the order of the law, `values` is q and
    `no_query` is a⁰.
    """
def audit(folder: _Path) -> tuple[int, int, int, list[str]]:
    """Computes every decision of a run again: how many agree, of how many, in how many cells, and what is wrong, in words."""
def audit_chronicle(path: _Path) -> tuple[int, int, int, list[str]]:
    """Decides everything in the log of a cascade or a router again: how many decisions agree, of how many, in how many logs, and what is
    wrong, in words.
    """
def explain(folder: _Path, cell: str, step: int) -> str:
    """Why one decision was made, in words and numbers: that of a `step` in a `cell`, STUDY/ARM/SEED, of the run in a `folder`."""
def columns(folder: _Path, cell: str, running: bool = False) -> dict[str, list[Any]]:
    """The columns of a cell by name, checked against its digest, or of one that is still being written. Lists are lists; what is absent is
    None.
    """
def mean_interval(sample: _Real, level: float = 0.95) -> tuple[float, float, float] | None:
    """The mean and its Student interval (estimate, low, high); None below two observations.

    Parameters
    ----------
    sample : array of shape (n,)
        The observations.
    level : float
        How often the interval covers the mean.
    """
def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float, float]:
    """The exact interval of a share (estimate, low, high).

    Parameters
    ----------
    successes, trials : int
        How many of how many.
    level : float
        How often the interval covers the share.
    """
def interquartile_mean(sample: _Real) -> float:
    """The mean of the middle half of a `sample`."""
def holm(p: _Real) -> npt.NDArray[np.float64]:
    """The p values `p` after Holm's correction, in their order."""
def paired(table: str, baseline: str) -> tuple[str, str]:
    """Every arm of a table in CSV against the baseline, on shared seeds: the comparisons as JSON, and the table as text."""
