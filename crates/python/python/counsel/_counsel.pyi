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
    "Paid",
    "Predictor",
    "Reply",
    "Reservation",
    "Route",
    "Router",
    "VectorController",
    "Worlds",
    "audit",
    "check_settings",
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
    expert: Literal["level", "group", "all", "evidence"]

class _CascadeSettings(TypedDict, total=False):
    book: _Book
    silence: int
    optimism: float
    coin: float
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
    executed: int

@final
class Act:
    @property
    def action(self) -> int: ...
    @property
    def asked(self) -> bool: ...
    @property
    def outcome(self) -> str: ...
    @property
    def paid(self) -> Paid | None: ...
    @property
    def estimate(self) -> float: ...
    @property
    def score(self) -> float: ...
    @property
    def threshold(self) -> float: ...
    @property
    def calls_left(self) -> int: ...
    @property
    def verdict(self) -> str | None: ...
    @property
    def scale_features(self) -> list[float]: ...
    def explain(self) -> str: ...
    def record(self) -> _Record: ...
    def _repr_html_(self) -> str: ...

@final
class Ask:
    @property
    def asked(self) -> Literal[True]: ...
    @property
    def serial(self) -> int: ...
    @property
    def estimate(self) -> float: ...

@final
class Paid:
    @property
    def response(self) -> int: ...

@final
class Reply:
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
    def text(self) -> str: ...
    @property
    def source(self) -> str: ...
    def saying(self, text: str) -> Reply: ...
    @staticmethod
    def _restore(text: str) -> Reply: ...

@final
class Diagnosis:
    @property
    def decisions(self) -> int: ...
    @property
    def calls(self) -> int: ...
    @property
    def changed(self) -> int: ...
    @property
    def reasons(self) -> dict[str, int]: ...
    def _repr_html_(self) -> str: ...

@final
class Engine:
    def __new__(cls, settings: Settings, actions: Sequence[str] | int, *, seed: int = 0, form: str = "word") -> Engine: ...
    def begin_episode(self) -> None: ...
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
    ) -> Act | Ask: ...
    def resume(self, ask: Ask, reply: _Reply) -> Act: ...
    @property
    def calls(self) -> int: ...
    @property
    def calls_left(self) -> int: ...
    @property
    def bankroll(self) -> float | None: ...

@final
class Controller:
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
    ) -> Controller: ...
    @staticmethod
    def load(path: _Path, *, log: Log | None = None) -> Controller: ...
    def place(self) -> Controller: ...
    def save(self, path: _Path) -> None: ...
    def begin_episode(self) -> None: ...
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
    ) -> Act | Ask: ...
    def resume(self, ask: Ask, reply: _Reply) -> Act: ...
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
    ) -> Act: ...
    def aadvise(
        self, *, ask: Callable[[], Awaitable[_Reply]], **situation: Unpack[_Situation]
    ) -> Coroutine[Any, Any, Act]: ...
    def outcome(
        self,
        reward: float,
        *,
        terminated: bool = False,
        truncated: bool = False,
        changed: bool | None = None,
        label: float | None = None,
        monte_carlo: float | None = None,
    ) -> None: ...
    def close(self) -> None: ...
    def diagnose(self) -> Diagnosis: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def actions(self) -> list[str]: ...
    @property
    def price(self) -> float: ...
    @property
    def radius(self) -> CalibratedRadius | float | None: ...
    @property
    def learns(self) -> bool: ...
    @property
    def reads_contexts(self) -> bool: ...
    @property
    def calls(self) -> int: ...
    @property
    def calls_left(self) -> int: ...
    @property
    def bankroll(self) -> float | None: ...
    def _repr_html_(self) -> str: ...

@final
class Consultation:
    @property
    def id(self) -> int: ...
    @property
    def ask(self) -> bool: ...
    @property
    def probability(self) -> float: ...
    @property
    def gain(self) -> float: ...
    @property
    def doubt(self) -> float: ...
    @property
    def price(self) -> float: ...
    def record(self) -> dict[str, Any]: ...

@final
class Route:
    @property
    def id(self) -> int: ...
    @property
    def advisor(self) -> str: ...
    @property
    def probability(self) -> float: ...
    @property
    def probabilities(self) -> dict[str, float]: ...
    @property
    def rewards(self) -> dict[str, float]: ...
    @property
    def costs(self) -> dict[str, float]: ...
    @property
    def price(self) -> float: ...
    def record(self) -> dict[str, Any]: ...

@final
class Answer:
    @property
    def value(self) -> Any: ...
    @property
    def id(self) -> int: ...
    @property
    def advisor(self) -> str: ...
    @property
    def decision(self) -> Any: ...  # a Consultation of a cascade, a Route of a router

@final
class Cascade:
    def __new__(
        cls,
        cheap: Callable[[Any], Any] | None = None,
        strong: Callable[[Any], Any] | None = None,
        *,
        price: float,
        describe: Callable[[Any, Any], _Described] | None = None,
        groups: Sequence[str] | int | None = None,
        words: int = 512,
        seed: int = 0,
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
    ) -> Cascade: ...
    def save(self, path: _Path) -> None: ...
    def __call__(self, question: Any, /, *, group: str | int | None = None, numbers: _Real | None = None) -> Answer: ...
    def decide(
        self,
        text: str | None = None,
        group: str | int | None = None,
        numbers: _Real | None = None,
        *,
        price: float | None = None,
    ) -> Consultation: ...
    def feedback(self, id: int, score: float | None, *, agreed: bool | None = None) -> None: ...
    def correct(self, id: int, score: float) -> None: ...
    def loss_bound(self, requests: int) -> float: ...
    @property
    def price(self) -> float: ...
    @property
    def bankroll(self) -> float: ...

@final
class Router:
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
    ) -> Router: ...
    def save(self, path: _Path) -> None: ...
    def __call__(self, question: Any, /, *, group: str | int | None = None, numbers: _Real | None = None) -> Answer: ...
    def decide(
        self, text: str | None = None, group: str | int | None = None, numbers: _Real | None = None
    ) -> Route: ...
    def settle(self, id: int, cost: float) -> None: ...
    def feedback(self, id: int, score: float | None, *, cost: float | None = None) -> None: ...
    def correct(self, id: int, score: float) -> None: ...
    def teach(
        self,
        advisor: str,
        score: float,
        cost: float,
        text: str | None = None,
        group: str | int | None = None,
        numbers: _Real | None = None,
    ) -> None: ...
    def begin_period(self, per_request: float, requests: int) -> None: ...
    @property
    def advisors(self) -> list[str]: ...
    @property
    def spent(self) -> float | None: ...
    @property
    def budget(self) -> float | None: ...

@final
class Batch:
    @property
    def actions(self) -> npt.NDArray[np.int64]: ...
    @property
    def asks(self) -> npt.NDArray[np.int64]: ...
    @property
    def estimate(self) -> npt.NDArray[np.float64]: ...
    @property
    def score(self) -> npt.NDArray[np.float64]: ...
    @property
    def threshold(self) -> npt.NDArray[np.float64]: ...
    @property
    def number(self) -> int: ...

@final
class VectorController:
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
    ) -> VectorController: ...
    @staticmethod
    def load(path: _Path, num_envs: int, *, log: Log | None = None) -> VectorController: ...
    def save(self, path: _Path) -> None: ...
    def begin_episodes(self, mask: npt.NDArray[np.bool_]) -> None: ...
    def decide(
        self,
        *,
        contexts: _Integers | None = None,
        base: _Integers,
        values: _Real | None = None,
        features: _Real | None = None,
        mask: npt.NDArray[np.bool_] | None = None,
        **circumstances: Unpack[_CircumstancesOfEach],
    ) -> Batch: ...
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
    ) -> npt.NDArray[np.int64]: ...
    def resume(self, batch: Batch, replies: Iterable[_Reply]) -> npt.NDArray[np.int64]: ...
    def outcome(
        self,
        reward: _Real,
        *,
        terminated: npt.NDArray[np.bool_] | None = None,
        truncated: npt.NDArray[np.bool_] | None = None,
        changed: npt.NDArray[np.bool_] | None = None,
    ) -> None: ...
    def close(self) -> None: ...
    def diagnose(self) -> Diagnosis: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def radius(self) -> CalibratedRadius | float | None: ...
    @property
    def learns(self) -> bool: ...
    @property
    def reads_contexts(self) -> bool: ...
    @property
    def calls_left(self) -> int: ...
    def _repr_html_(self) -> str: ...
    @property
    def num_envs(self) -> int: ...
    @property
    def actions(self) -> list[str]: ...
    @property
    def price(self) -> float: ...
    @property
    def calls(self) -> int: ...
    @property
    def bankroll(self) -> float | None: ...

@final
class Predictor:
    @staticmethod
    def uniform(actions: int) -> Predictor: ...
    @staticmethod
    def frequency(actions: int, *, strength: float = 0.3) -> Predictor: ...
    @staticmethod
    def per_context(actions: int, *, strength: float = 0.3) -> Predictor: ...
    @staticmethod
    def feature(
        actions: int, features: int, *, penalty: float = 0.1, steps: int = 8, memory: int = 256
    ) -> Predictor: ...
    @staticmethod
    def _restore(text: str) -> Predictor: ...
    def laws(self, features: _Real | None = None, contexts: _Integers | None = None) -> npt.NDArray[np.float64]: ...
    def observe(
        self, paid: Sequence[Paid], features: _Real | None = None, contexts: _Integers | None = None
    ) -> None: ...
    def calibrate_temperature(
        self, paid: Sequence[Paid], features: _Real | None = None, contexts: _Integers | None = None
    ) -> float: ...
    @property
    def actions(self) -> int: ...
    @property
    def features(self) -> int: ...

@final
class FitSet:
    def __len__(self) -> int: ...

@final
class CalibrationSet:
    def __len__(self) -> int: ...

@final
class EvaluationSet:
    def __len__(self) -> int: ...

@final
class CalibratedRadius:
    @staticmethod
    def _derive(spec: str, fit: FitSet, calibration: CalibrationSet) -> CalibratedRadius: ...
    def at(self, estimate: _Real, features: _Real | None = None) -> npt.NDArray[np.float64]: ...
    @staticmethod
    def _restore(text: str) -> CalibratedRadius: ...
    def _repr_html_(self) -> str: ...
    def _derivation(self) -> str: ...

@final
class Ledger:
    def __new__(cls, path: _Path, *, limit: int) -> Ledger: ...
    def reserve(self, *, model: str = "", prompt: str = "", timeout_s: float = 10.0) -> Reservation: ...
    @property
    def spent(self) -> int: ...
    @property
    def limit(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Reservation:
    @property
    def number(self) -> int: ...
    def settle(
        self, *, reason: str | None = None, request_tokens: int | None = None, response_tokens: int | None = None
    ) -> None: ...
    def __enter__(self) -> Reservation: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> Literal[False]: ...

@final
class Log:
    def __new__(
        cls, folder: _Path, *, arm: str, seed: int = 0, study: str = "mine", resume: bool = False, replace: bool = False
    ) -> Log: ...
    def close(self) -> None: ...
    def flush(self) -> None: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    @property
    def cell(self) -> str: ...
    def __enter__(self) -> Log: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> Literal[False]: ...

@final
class Worlds:
    def __new__(cls, level: str, count: int, *, max_steps: int | None = None) -> Worlds: ...
    @property
    def image_shape(self) -> list[int]: ...
    @property
    def tells(self) -> bool: ...
    @property
    def words(self) -> list[str]: ...
    def text(self, place: int) -> str: ...
    def commands(self, place: int) -> list[str]: ...
    def reset(
        self,
        seeds: Sequence[int | None],
        mask: Sequence[bool],
        image: npt.NDArray[np.uint8],
        direction: npt.NDArray[np.int64],
    ) -> None: ...
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
    ) -> tuple[list[int], list[str]]: ...

def levels() -> list[tuple[str, list[str]]]: ...
def check_settings(settings: Settings) -> None: ...
def context_key(context: _Context, /) -> int: ...
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
) -> tuple[FitSet, CalibrationSet, EvaluationSet]: ...
def coverage(evaluation: EvaluationSet, radius: CalibratedRadius, *, price: float) -> str: ...
def conformal_rank(n: int, alpha: float) -> int: ...
def screen(leads: _Real, *, alpha: float) -> float | None: ...
def hoeffding(range: float, labels: int, delta: float, blocks: int) -> float: ...
def empirical_bernstein(block_means: _Real, range: float, labels: int, delta: float) -> float: ...
def exact_value(law: _Real, decisions: _Integers, values: _Real, no_query: int) -> float: ...
def audit(folder: _Path) -> tuple[int, int, int, list[str]]: ...
def explain(folder: _Path, cell: str, step: int) -> str: ...
def columns(folder: _Path, cell: str, running: bool = False) -> dict[str, list[Any]]: ...
def mean_interval(sample: _Real, level: float = 0.95) -> tuple[float, float, float] | None: ...
def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float, float]: ...
def interquartile_mean(sample: _Real) -> float: ...
def holm(p: _Real) -> npt.NDArray[np.float64]: ...
def paired(table: str, baseline: str) -> tuple[str, str]: ...
