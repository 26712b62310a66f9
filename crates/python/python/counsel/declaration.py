"""What all declarations share: they are frozen dataclasses, written as the study files write them."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from .errors import SettingsError

__all__ = ["Gate", "Rule"]


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers of numpy become Python's, and declarations become dictionaries without what is None."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    return written(value) if hasattr(value, "__dataclass_fields__") else value


_HINTS: dict[type, dict[str, Any]] = {}


def _hints(kind: type) -> dict[str, Any]:
    """The types of the fields of a class. Reading them takes longer than a decision, so it is done once."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is what a field declares. Whole numbers are 0 or more everywhere, and numbers are finite."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return any(_fits(value, part) for part in inner)
    if kind is Literal:
        return isinstance(value, str) and value in inner
    if kind is tuple:
        parts = inner[:1] * len(value) if isinstance(value, (tuple, list)) and inner[-1] is Ellipsis else inner
        return isinstance(value, (tuple, list)) and len(value) == len(parts) and all(map(_fits, value, parts))
    if kind is not None and issubclass(kind, Mapping):
        return isinstance(value, Mapping) and all(_fits(name, inner[0]) and _fits(part, inner[1]) for name, part in value.items())
    if hint is bool:
        return isinstance(value, (bool, np.bool_))
    if hint is int:
        return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)) and 0 <= int(value) < 2**64
    if hint is float:
        return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and math.isfinite(value)
    return isinstance(value, hint)


def _wanted(hint: Any) -> str:
    """What a field declares, in words."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        return " or ".join(_wanted(part) for part in inner)
    if kind is Literal:
        return "one of " + ", ".join(f"`{word}`" for word in inner)
    if kind is tuple:
        return f"a tuple of {_wanted(inner[0])}" if inner[-1] is Ellipsis else f"({', '.join(_wanted(part) for part in inner)})"
    if kind is not None and issubclass(kind, Mapping):
        return f"a dictionary of {_wanted(inner[1])}"
    names = {bool: "True or False", int: "a whole number, 0 or more", float: "a finite number", str: "text", NoneType: "None"}
    return names.get(hint, f"a counsel.{getattr(hint, '__name__', hint)}")


def check(declared: Any) -> None:
    """Refuses a field that holds something else than it declares."""
    for name, hint in _hints(type(declared)).items():
        if get_origin(hint) is ClassVar:
            continue
        value = getattr(declared, name)
        if not _fits(value, hint):
            raise SettingsError(f"`{name}` of {type(declared).__name__} is {value!r}; pass {_wanted(hint)}")


class Declared:
    """A declaration whose fields are checked when it is made."""

    def __post_init__(self) -> None:
        check(self)


def written(declared: Any) -> dict[str, Any]:
    """The fields of a declaration that are not None."""
    return {f.name: plain(value) for f in fields(declared) if (value := getattr(declared, f.name)) is not None}


def choose(what: str, name: Any, known: Mapping[str, Any]) -> Any:
    """What has this name, or a refusal with the nearest name."""
    if isinstance(name, str) and name in known:
        return known[name]
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f" (did you mean `{near[0]}`?)" if near else ""
    raise SettingsError(f"the {what} `{name}` is unknown{hint}; choose one of {', '.join(known)}")


def read(what: str, kind: Any, given: Any) -> Any:
    """The declaration of this class that `written` would write so. A field that holds another class names it as `of`."""
    if not isinstance(given, Mapping):
        raise SettingsError(f"{what} is {given!r}; pass a dictionary")
    known = {f.name: f for f in fields(kind)}
    made = {}
    for name, value in given.items():
        inner = choose(f"key of {what}", name, known).metadata.get("of")
        made[name] = _frozen(value) if inner is None or value is None else read(name, inner, value)
    try:
        return kind(**made)
    except TypeError as error:
        raise SettingsError(f"{what} lacks a value: {error}; pass it") from None


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


def _word(kind: type) -> str:
    """The word for a class in the study files: `RandomExact` is `random-exact`."""
    return re.sub("(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@dataclass(frozen=True, kw_only=True)
class Gate(Declared):
    """When to ask: one subclass per gate."""

    policy: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.policy = _word(cls)

    def to_dict(self) -> dict[str, Any]:
        """The gate as a study file has it."""
        return {"policy": self.policy} | written(self)


@dataclass(frozen=True, kw_only=True)
class Rule(Declared):
    """When an answer may act: one subclass per rule."""

    rule: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.rule = _word(cls)

    def to_dict(self) -> str | dict[str, Any]:
        """The rule as a study file has it."""
        return {self.rule: written(self)} if fields(self) else self.rule
