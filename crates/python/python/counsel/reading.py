"""What an advisor meant: answers as language models write them, read by rules that are declared here and nowhere else.

The rules are tried in this order, and the first that names an action counts:

========== ================================================================= =====================================
rule       reads                                                             example
========== ================================================================= =====================================
`word`     the name of an action, perhaps in quotes or with a full stop      ``Right.``
`json`     an object with the key ``action``, also in a fence or in a text   ``{"action": "right"}``
`label`    what stands behind ``action:``, ``answer:`` or ``move:``          ``Because ... **Action:** right``
`list`     one line with its marks and numbers taken off                     ``1. **right**``
`mention`  the only action that a text names, if it denies nothing           ``I would go right.``
========== ================================================================= =====================================

Names are compared without regard to case; of several labels the last one counts. A text that says ``not``, ``never``, ``avoid`` or
``instead`` is not read by `mention`. What no rule reads is handed on as it is, counts as unreadable, and is kept in
:attr:`Reader.unread`.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Sequence
from typing import NamedTuple

from .errors import RefusedError

__all__ = ["Reader", "Reading"]

_MARKS = " \t\"'`*_#>.,;:!()[]{}“”‘’"
_LABEL = re.compile(r"\b(?:action|answer|move)\b[\s*_`\"]*[:=][\s*_`\"]*(.+)", re.IGNORECASE)
_NUMBER = re.compile(r"^\s*(?:[-*+•]\s+|\(?\d+[.)]\s+)")
_DENIES = re.compile(r"\b(?:not|never|avoid|instead|\w+n['’]t)\b", re.IGNORECASE)


class Reading(NamedTuple):
    """What was read, and by which rule. Without an action the rule is ``nothing``."""

    action: str | None
    rule: str


class Reader:
    """Reads the name of one action out of an answer.

    Parameters
    ----------
    actions : sequence of str
        The names of the actions.
    keep : int
        How many texts that could not be read are kept.

    Attributes
    ----------
    counts : Counter
        How often each rule read something, and how often none did.
    unread : deque of str
        The last texts that could not be read.

    Examples
    --------
    >>> from counsel.reading import Reader
    >>> reader = Reader(["left", "right"])
    >>> [reader.read(text) for text in ('1. **Right**', 'Left is blocked.\\nAction: right', 'Do not go left.')]
    [Reading(action='right', rule='list'), Reading(action='right', rule='label'), Reading(action=None, rule='nothing')]
    >>> list(reader.unread)
    ['Do not go left.']
    """

    def __init__(self, actions: Sequence[str], *, keep: int = 20) -> None:
        if isinstance(actions, str) or not actions:
            raise RefusedError(f"`actions` is {actions!r}; pass the names of the actions")
        self._names = {name.lower(): name for name in actions}
        named = "|".join(re.escape(name) for name in sorted(self._names, key=len, reverse=True))
        self._mention = re.compile(rf"(?<!\w)(?:{named})(?!\w)", re.IGNORECASE)
        self.counts: Counter[str] = Counter()
        self.unread: deque[str] = deque(maxlen=keep)

    def read(self, text: str) -> Reading:
        """What a text means."""
        rules = {"word": self._word, "json": self._json, "label": self._label, "list": self._list, "mention": self._only}
        found = ((name, action) for name, rule in rules.items() if (action := rule(text)) is not None)
        rule, action = next(found, ("nothing", None))
        self.counts[rule] += 1
        if action is None:
            self.unread.append(text)
        return Reading(action, rule)

    def _named(self, text: str) -> str | None:
        return self._names.get(text.strip(_MARKS).lower()) or self._names.get(text.strip().lower())

    def _word(self, text: str) -> str | None:
        return self._named(text) if "\n" not in text.strip() and not _NUMBER.match(text) and "*" not in text else None

    def _json(self, text: str) -> str | None:
        for start in (at for at, letter in enumerate(text) if letter == "{"):
            try:
                found, _ = json.JSONDecoder().raw_decode(text[start:])
            except (ValueError, RecursionError):
                continue
            said = next((found[key] for key in found if key.lower() == "action"), None)
            return self._named(said) if isinstance(said, str) else None
        return None

    def _label(self, text: str) -> str | None:
        said = [self._named(match[1]) or self._only(match[1]) for match in map(_LABEL.search, text.splitlines()) if match]
        return said[-1] if said else None

    def _list(self, text: str) -> str | None:
        return self._named(_NUMBER.sub("", text)) if len(text.strip().splitlines()) == 1 else None

    def _only(self, text: str) -> str | None:
        named = {match.lower() for match in self._mention.findall(text)}
        return self._names[named.pop()] if len(named) == 1 and not _DENIES.search(text) else None

    def __repr__(self) -> str:
        return f"Reader({list(self._names.values())}, counts={dict(self.counts)})"
