"""How a controller is set up, in the words of the study files. Values are checked by the engine when settings are made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from . import _counsel, gates, rules
from .declaration import Declared, Gate, Rule, choose, plain, read, written
from .errors import SettingsError

__all__ = ["Bankroll", "Budget", "Cache", "Dual", "Pacing", "Reserve", "Settings", "Spread", "TokenBucket"]


@dataclass(frozen=True, kw_only=True)
class TokenBucket(Declared):
    """Calls that come back with time, up to a capacity.

    Parameters
    ----------
    capacity : int
        The most calls that wait.
    refill_every : int
        After this many decisions one comes back.
    """

    capacity: int
    refill_every: int


@dataclass(frozen=True, kw_only=True)
class Reserve(Declared):
    """A share of the calls that cannot be spent before a declared decision and episode.

    Parameters
    ----------
    fraction : float
        The share of ``per_run``.
    after_step, after_episode : int
        The decision and the episode from which on it may be spent.
    """

    fraction: float
    after_step: int = 0
    after_episode: int = 0


@dataclass(frozen=True, kw_only=True)
class Budget(Declared):
    """What may be spent. At least one limit is needed, and all that are given must allow a call.

    Parameters
    ----------
    per_run, per_episode : int, optional
        The most calls of the run, and of an episode.
    token_bucket : TokenBucket, optional
        Calls that come back with time.
    reserve : Reserve, optional
        A share of ``per_run`` that is kept for later.
    """

    per_run: int | None = None
    per_episode: int | None = None
    token_bucket: TokenBucket | None = field(default=None, metadata={"of": TokenBucket})
    reserve: Reserve | None = field(default=None, metadata={"of": Reserve})

    def _json(self) -> str:
        return json.dumps(written(self))


@dataclass(frozen=True, kw_only=True)
class Dual(Declared):
    """The online update of the pacing factor towards a declared rate of calls per decision, with step size ``rho``.

    Parameters
    ----------
    target_rate : float
        Calls per decision.
    rho : float
        The step size.
    step_size : {"constant", "inverse-sqrt"}
        Whether the step size stays, or falls with the root of time.
    """

    target_rate: float
    rho: float
    step_size: Literal["constant", "inverse-sqrt"] = "constant"


@dataclass(frozen=True, kw_only=True)
class Pacing(Declared):
    """Spreads a budget over time: a call counts ``factor`` times its price, and ``dual`` moves the factor."""

    factor: float = 1.0
    dual: Dual | None = None


@dataclass(frozen=True, kw_only=True)
class Cache(Declared):
    """Usable answers are kept, until one of these reasons. ``Settings(cache=None)`` keeps none.

    Parameters
    ----------
    support, shift : bool
        Until a monitor says that the situation is outside of what is known, or that the world has shifted.
    no_effect : bool
        Not where advice leads nowhere.
    time_to_live : int, optional
        Until it is this many decisions old.
    """

    support: bool = False
    shift: bool = False
    no_effect: bool = False
    time_to_live: int | None = None


@dataclass(frozen=True, kw_only=True)
class Bankroll(Declared):
    """What advice may lose, in units of return, before it is neither asked nor followed: ``start`` at first, never more than
    ``most``. A call takes its price off; what advice gained or lost is credited, by the controller's books or as
    ``credited_gain`` of ``decide``."""

    start: float
    most: float


@dataclass(frozen=True, kw_only=True)
class Spread(Declared):
    """Bounds on the optimal value from the samples: mean plus and minus ``scale`` standard deviations, within a range.

    Parameters
    ----------
    scale : float
        How many standard deviations.
    low, high : float, optional
        The range of returns.
    """

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
    gate : counsel.gates.Gate
        When to ask.
    execution : counsel.rules.Rule
        When an answer may act.
    pacing : Pacing
        How a budget is spread over time.
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
    gate: Gate = field(default_factory=gates.Predictive)
    execution: Rule = field(default_factory=lambda: rules.Certified(tolerance=0.25))
    pacing: Pacing = field(default_factory=Pacing)
    cache: Cache | None = None
    bankroll: Bankroll | None = None

    def __post_init__(self) -> None:
        kinds = {"budget": Budget, "gate": Gate, "execution": Rule, "pacing": Pacing, "cache": Cache, "bankroll": Bankroll}
        where: dict[Any, str] = {Gate: "one of counsel.gates", Rule: "one of counsel.rules"}
        for name, kind in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind) and not (value is None and name in ("cache", "bankroll")):
                wanted = where.get(kind, f"a counsel.{kind.__name__}")
                raise SettingsError(f"`{name}` is {value!r}; pass {wanted}")
        if not isinstance(self.advisor, str):
            raise SettingsError(f"`advisor` is {self.advisor!r}; pass its version, as text")
        _counsel.check_settings(self)

    def to_dict(self) -> dict[str, Any]:
        """The settings as a study file and a manifest have them."""
        pacing: dict[str, Any] = {"factor": plain(self.pacing.factor)}
        if (dual := self.pacing.dual) is not None:
            pacing["dual"] = {"step_size": {dual.step_size: plain(dual.rho)}, "target_rate": plain(dual.target_rate)}
        cache: str | dict[str, Any] = "off"
        if self.cache is not None:
            named = {"support": self.cache.support, "shift": self.cache.shift, "no-effect": self.cache.no_effect}
            reasons: list[Any] = [name for name, given in named.items() if given]
            if self.cache.time_to_live is not None:
                reasons.append({"time-to-live": plain(self.cache.time_to_live)})
            cache = {"keep": reasons}
        declared = {
            "advisor": self.advisor,
            "gate": self.gate.to_dict(),
            "execution": self.execution.to_dict(),
            "budget": written(self.budget),
            "pacing": pacing,
            "cache": cache,
        }
        return declared if self.bankroll is None else declared | {"bankroll": written(self.bankroll)}

    @classmethod
    def from_dict(cls, declared: Mapping[str, Any]) -> Settings:
        """The settings that a study file or a manifest has ``declared``.

        Examples
        --------
        >>> import counsel
        >>> settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_episode=2), cache=counsel.Cache(time_to_live=9))
        >>> counsel.Settings.from_dict(settings.to_dict()) == settings
        True
        """
        readers = {
            "gate": _gate, "execution": _rule, "budget": lambda budget: read("the budget", Budget, budget), "pacing": _pacing,
            "cache": _cache, "bankroll": lambda bankroll: bankroll and read("the bankroll", Bankroll, bankroll), "advisor": str,
        }
        given = {"advisor": "", "budget": {}} | dict(declared)
        return cls(**{name: choose("key of the settings", name, readers)(value) for name, value in given.items()})

    def _json(self) -> str:
        return json.dumps(self.to_dict())


def _gate(declared: Any) -> Any:
    named = {gate.policy: gate for gate in Gate.__subclasses__()}
    gate = choose("gate", declared.get("policy"), named)
    return read(f"the gate {gate.policy}", gate, {name: value for name, value in declared.items() if name != "policy"})


def _rule(declared: Any) -> Any:
    name, parameters = (declared, {}) if isinstance(declared, str) else next(iter(declared.items()))
    return read(f"the rule {name}", choose("rule", name, {rule.rule: rule for rule in Rule.__subclasses__()}), parameters)


def _pacing(declared: Any) -> Pacing:
    dual = declared.get("dual")
    if dual is not None:
        step_size, rho = next(iter(dual["step_size"].items()))
        dual = Dual(step_size=step_size, rho=rho, target_rate=dual["target_rate"])
    return Pacing(factor=declared.get("factor", 1.0), dual=dual)


def _cache(declared: Any) -> Cache | None:
    if declared == "off":
        return None
    known = {f.name.replace("_", "-"): f.name for f in fields(Cache)}
    reasons = [next(iter(reason.items())) if isinstance(reason, dict) else (reason, True) for reason in declared["keep"]]
    return Cache(**{choose("reason of the cache", name, known): value for name, value in reasons})
