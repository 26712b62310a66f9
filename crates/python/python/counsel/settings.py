"""How a controller is set up, in the words of the study files. Values are checked by the engine when settings are made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

from . import _counsel
from .errors import SettingsError

__all__ = [
    "Always", "Amortised", "Bankroll", "Budget", "Cache", "CalibratedUncertainty", "Certified", "Disagreement", "Dual",
    "EpistemicGap", "Execution", "Importance", "Improving", "Learned", "LowVariance", "Never", "Novelty", "Period",
    "Policy", "Predictive", "Price", "Random", "RandomExact", "Rcmp", "Reserve", "Schedule", "Screened", "Settings",
    "Spread", "TokenBucket", "Trusting", "Uncertainty", "Unscreened", "Value",
]


def _present(thing: Any) -> dict[str, Any]:
    return {f.name: value for f in fields(thing) if (value := getattr(thing, f.name)) is not None}


@dataclass(frozen=True, kw_only=True)
class Policy:
    """When to ask: one subclass per gate."""

    policy: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        return {"policy": self.policy} | _present(self)


@dataclass(frozen=True, kw_only=True)
class Predictive(Policy):
    """Asks where the lower confidence bound on the predicted value reaches the price: the paper's gate."""

    policy: ClassVar[str] = "predictive"
    valuation: Literal["deployed-decision", "raw-action"] = "deployed-decision"


@dataclass(frozen=True, kw_only=True)
class Never(Policy):
    """Asks nothing."""

    policy: ClassVar[str] = "never"


@dataclass(frozen=True, kw_only=True)
class Always(Policy):
    """Asks whenever a call is left."""

    policy: ClassVar[str] = "always"


@dataclass(frozen=True, kw_only=True)
class Period(Policy):
    """Asks at every n-th decision."""

    policy: ClassVar[str] = "period"
    every: int


@dataclass(frozen=True, kw_only=True)
class Random(Policy):
    """Asks at so many of the declared decisions, chosen at random."""

    policy: ClassVar[str] = "random"
    calls: int
    decisions: int


@dataclass(frozen=True, kw_only=True)
class RandomExact(Policy):
    """Asks as often as declared for each episode, at random steps. What an episode had no room for is carried on or dropped."""

    policy: ClassVar[str] = "random-exact"
    calls_per_episode: tuple[int, ...]
    decisions_per_episode: int
    deficit: Literal["carried", "dropped"] = "carried"


@dataclass(frozen=True, kw_only=True)
class Schedule(Policy):
    """Asks at the first decisions of the run: at all of them, or only where ``decide`` is told that the context is supported
    (``monitored``) or that no answer is held (``expected_uses``), or where the context was met less often than so many times."""

    policy: ClassVar[str] = "schedule"
    calls: int
    per_episode: int
    at: Literal["anywhere", "supported", "unheld"] = "anywhere"
    visited_less_than: int | None = None

    def to_dict(self) -> dict[str, Any]:
        written = super().to_dict()
        often = written.pop("visited_less_than", None)
        if often is None:
            return written
        if self.at != "anywhere":
            raise SettingsError(f"a schedule is both at `{self.at}` and `visited_less_than`; leave one of them out")
        return written | {"at": {"visited-less-than": often}}


@dataclass(frozen=True, kw_only=True)
class Uncertainty(Policy):
    """Asks where the fallback's value is uncertain."""

    policy: ClassVar[str] = "uncertainty"
    threshold: float


@dataclass(frozen=True, kw_only=True)
class CalibratedUncertainty(Policy):
    """Asks where uncertainty, calibrated to the benefit of advice, reaches the price. Without steps it is silent."""

    policy: ClassVar[str] = "calibrated-uncertainty"
    steps: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Disagreement(Policy):
    """Asks where the value samples disagree on the best action."""

    policy: ClassVar[str] = "disagreement"
    threshold: float


@dataclass(frozen=True, kw_only=True)
class Novelty(Policy):
    """Asks in contexts that are new."""

    policy: ClassVar[str] = "novelty"
    threshold: float


@dataclass(frozen=True, kw_only=True)
class Value(Policy):
    """Asks where perfect advice would be worth its price."""

    policy: ClassVar[str] = "value"


@dataclass(frozen=True, kw_only=True)
class Rcmp(Policy):
    """Asks where the variance over all actions is high."""

    policy: ClassVar[str] = "rcmp"
    threshold: float


@dataclass(frozen=True, kw_only=True)
class Importance(Policy):
    """Asks in important states."""

    policy: ClassVar[str] = "importance"
    heuristic: Literal["early", "important", "mistake"]
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class EpistemicGap(Policy):
    """Asks where epistemic variance times gap reaches the price."""

    policy: ClassVar[str] = "epistemic-gap"


@dataclass(frozen=True, kw_only=True)
class Amortised(Policy):
    """Asks where the value of an answer over all its expected uses, which ``decide`` is told, reaches the price."""

    policy: ClassVar[str] = "amortised"


@dataclass(frozen=True, kw_only=True)
class Learned(Policy):
    """Asks where a value that the caller learned, handed to ``decide`` as ``forecast``, reaches the price, less so many standard
    errors. The first calls are made at random, so that there is something to learn from."""

    policy: ClassVar[str] = "learned"
    caution: float = 0.5
    first: int = 24
    chance: float = 0.05
    per_episode: int | None = None


@dataclass(frozen=True, kw_only=True)
class Execution:
    """When an answer may act: one subclass per rule."""

    rule: ClassVar[str]

    def to_dict(self) -> str | dict[str, Any]:
        return {self.rule: _present(self)} if fields(self) else self.rule


@dataclass(frozen=True, kw_only=True)
class Certified(Execution):
    """Certified within the tolerance, and no worse than the fallback: the paper's rule."""

    rule: ClassVar[str] = "certified"
    tolerance: float


@dataclass(frozen=True, kw_only=True)
class Improving(Execution):
    """No worse than the fallback; no certificate."""

    rule: ClassVar[str] = "improving"


@dataclass(frozen=True, kw_only=True)
class Trusting(Execution):
    """Whatever parses."""

    rule: ClassVar[str] = "trusting"


@dataclass(frozen=True, kw_only=True)
class Unscreened(Execution):
    """Whatever parses, at the questions that a certificate within the tolerance would ask."""

    rule: ClassVar[str] = "unscreened"
    tolerance: float


@dataclass(frozen=True, kw_only=True)
class Screened(Execution):
    """Ahead of every other action by more than the threshold, which :func:`counsel.calibration.screen` finds, so that at most the
    share ``alpha`` of wrong answers passes. Without a threshold nothing passes. The lead of an action is its mean value less that of
    the best other one, divided by the range of the mean values."""

    rule: ClassVar[str] = "screened"
    alpha: float
    threshold: float | None = None


@dataclass(frozen=True, kw_only=True)
class LowVariance(Execution):
    """Whatever parses, where the epistemic variance is low."""

    rule: ClassVar[str] = "low-variance"
    max_variance: float


@dataclass(frozen=True, kw_only=True)
class TokenBucket:
    """Calls that come back with time, up to a capacity."""

    capacity: int
    refill_every: int


@dataclass(frozen=True, kw_only=True)
class Reserve:
    """A share of the calls that cannot be spent before a declared decision and episode."""

    fraction: float
    after_step: int = 0
    after_episode: int = 0


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What may be spent. At least one limit is needed, and all that are given must allow a call."""

    per_run: int | None = None
    per_episode: int | None = None
    token_bucket: TokenBucket | None = None
    reserve: Reserve | None = None


@dataclass(frozen=True, kw_only=True)
class Dual:
    """The online update of the price towards a declared call rate."""

    target_rate: float
    rho: float
    step_size: Literal["constant", "inverse-sqrt"] = "constant"


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a call costs: lambda times kappa."""

    lambda_: float = 1.0
    dual: Dual | None = None


@dataclass(frozen=True, kw_only=True)
class Cache:
    """Usable answers are kept, until one of these reasons. ``Settings(cache=None)`` keeps nothing."""

    support: bool = False
    shift: bool = False
    no_effect: bool = False
    time_to_live: int | None = None


@dataclass(frozen=True, kw_only=True)
class Bankroll:
    """What advice may lose, in units of return, before it is neither asked nor followed: ``start`` at first, never more than
    ``most``. A call takes its price off; ``decide`` is told what advice gained or lost as ``credited_gain``."""

    start: float
    most: float


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Bounds on the optimal value from the samples: mean plus and minus so many standard deviations, within a range."""

    scale: float = 1.0
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a controller is set up. What cannot work is refused here.

    Parameters
    ----------
    budget : Budget
        What may be spent.
    advisor : str
        The version of the advisor; kept answers of another version no longer serve.
    gate : Policy
        When to ask.
    execution : Execution
        When an answer may act.
    price : Price
        What a call costs.
    cache : Cache or None
        Which answers are kept.
    bankroll : Bankroll or None
        What advice may lose before it is given up.

    Examples
    --------
    >>> import counsel
    >>> settings = counsel.Settings(advisor="rule-v1", budget=counsel.Budget(per_run=3))
    >>> settings.to_dict()["gate"]
    {'policy': 'predictive', 'valuation': 'deployed-decision'}
    >>> counsel.Settings(advisor="rule-v1", budget=counsel.Budget())
    Traceback (most recent call last):
        ...
    counsel.errors.RefusedError: the budget declares no limit; declare at least one of per_run, per_episode or token_bucket
    """

    budget: Budget
    advisor: str
    gate: Policy = field(default_factory=Predictive)
    execution: Execution = field(default_factory=lambda: Certified(tolerance=0.25))
    price: Price = field(default_factory=Price)
    cache: Cache | None = None
    bankroll: Bankroll | None = None

    def __post_init__(self) -> None:
        _counsel.check_settings(self)

    def to_dict(self) -> dict[str, Any]:
        """The settings as a study file and a manifest have them."""
        budget = _present(self.budget)
        budget |= {name: _present(budget[name]) for name in ("token_bucket", "reserve") if name in budget}
        price: dict[str, Any] = {"lambda": self.price.lambda_}
        if (dual := self.price.dual) is not None:
            price["dual"] = {"step_size": {dual.step_size: dual.rho}, "target_rate": dual.target_rate}
        cache: str | dict[str, Any] = "off"
        if self.cache is not None:
            named = {"support": self.cache.support, "shift": self.cache.shift, "no-effect": self.cache.no_effect}
            reasons: list[Any] = [name for name, given in named.items() if given]
            if self.cache.time_to_live is not None:
                reasons.append({"time-to-live": self.cache.time_to_live})
            cache = {"keep": reasons}
        written = {
            "advisor": self.advisor,
            "gate": self.gate.to_dict(),
            "execution": self.execution.to_dict(),
            "budget": budget,
            "price": price,
            "cache": cache,
        }
        return written if self.bankroll is None else written | {"bankroll": _present(self.bankroll)}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Settings:
        """The settings of a study file or a manifest.

        Examples
        --------
        >>> import counsel
        >>> settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_episode=2), cache=counsel.Cache(time_to_live=9))
        >>> counsel.Settings.from_dict(settings.to_dict()) == settings
        True
        """
        return _read(written)

    def _json(self) -> str:
        return json.dumps(self.to_dict())


_POLICIES = {policy.policy: policy for policy in Policy.__subclasses__()}
_RULES = {rule.rule: rule for rule in Execution.__subclasses__()}


def _choose(what: str, name: Any, known: Mapping[str, Any]) -> Any:
    import difflib

    if name in known:
        return known[name]
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f" (did you mean `{near[0]}`?)" if near else ""
    raise SettingsError(f"the {what} `{name}` is unknown{hint}; choose one of {', '.join(known)}")


def _made(what: str, kind: Any, written: Mapping[str, Any]) -> Any:
    names = {f.name: f.name for f in fields(kind)}
    for name in written:
        _choose(f"key of {what}", name, names)
    try:
        return kind(**written)
    except TypeError as error:
        raise SettingsError(f"{what} lacks a value: {error}; pass it") from None


def _read(written: Mapping[str, Any]) -> Settings:
    keys = ("advisor", "gate", "execution", "budget", "price", "cache", "bankroll")
    for name in written:
        _choose("key of the settings", name, dict.fromkeys(keys, name))
    given: dict[str, Any] = {"advisor": written.get("advisor", "")}
    if "gate" in written:
        gate = dict(written["gate"])
        policy = _choose("gate", gate.pop("policy", None), _POLICIES)
        if "steps" in gate:
            gate["steps"] = tuple((float(at), float(benefit)) for at, benefit in gate["steps"])
        if "calls_per_episode" in gate:
            gate["calls_per_episode"] = tuple(gate["calls_per_episode"])
        if isinstance(gate.get("at"), Mapping):
            for name, often in gate.pop("at").items():
                gate[_choose("place of a schedule", name, {"visited-less-than": "visited_less_than"})] = often
        given["gate"] = _made(f"the gate {policy.policy}", policy, gate)
    if "execution" in written:
        rule = written["execution"]
        name, parameters = (rule, {}) if isinstance(rule, str) else next(iter(rule.items()))
        given["execution"] = _made(f"the rule {name}", _choose("rule", name, _RULES), parameters)
    budget = dict(written.get("budget", {}))
    for name, kind in (("token_bucket", TokenBucket), ("reserve", Reserve)):
        if name in budget:
            budget[name] = _made(name, kind, budget[name])
    given["budget"] = _made("the budget", Budget, budget)
    if "price" in written:
        price = dict(written["price"])
        dual = price.get("dual")
        if dual is not None:
            size, rho = next(iter(dual["step_size"].items()))
            dual = Dual(step_size=size, rho=rho, target_rate=dual["target_rate"])
        given["price"] = Price(lambda_=price.get("lambda", 1.0), dual=dual)
    cache = written.get("cache", "off")
    if cache != "off":
        reasons = cache["keep"]
        live = next((reason["time-to-live"] for reason in reasons if isinstance(reason, dict)), None)
        words = {"support", "shift", "no-effect"}
        for reason in reasons:
            if not isinstance(reason, dict):
                _choose("reason of the cache", reason, dict.fromkeys(words, reason))
        given["cache"] = Cache(
            support="support" in reasons, shift="shift" in reasons, no_effect="no-effect" in reasons, time_to_live=live
        )
    if written.get("bankroll") is not None:
        given["bankroll"] = _made("the bankroll", Bankroll, written["bankroll"])
    return Settings(**given)
