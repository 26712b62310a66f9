"""What all declarations share: they are frozen dataclasses, written as the study files write them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

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
class Gate:
    """When to ask: one subclass per gate."""

    policy: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.policy = _word(cls)

    def to_dict(self) -> dict[str, Any]:
        """The gate as a study file has it."""
        return {"policy": self.policy} | written(self)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """When an answer may act: one subclass per rule."""

    rule: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.rule = _word(cls)

    def to_dict(self) -> str | dict[str, Any]:
        """The rule as a study file has it."""
        return {self.rule: written(self)} if fields(self) else self.rule
