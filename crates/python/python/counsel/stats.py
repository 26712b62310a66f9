"""Does an arm beat another on shared seeds, and how sure are we? The numbers are those of ``counsel stats paired``.

>>> from counsel import stats
>>> rows = {"arm": ["never"] * 4 + ["gated"] * 4, "seed": [0, 1, 2, 3] * 2,
...         "value": [0.27, 0.29, 0.30, 0.26, 0.31, 0.28, 0.35, 0.30]}
>>> comparison = stats.paired(rows, baseline="never")
>>> row = comparison.rows[0]
>>> row["arm"], row["n"], round(row["mean_difference"], 6)
('gated', 4, 0.03)
"""

from __future__ import annotations

import csv
import html
import io
import json
from dataclasses import dataclass
from typing import Any

from . import _counsel
from ._counsel import clopper_pearson, holm, interquartile_mean, mean_interval
from .errors import RefusedError

__all__ = ["Comparison", "clopper_pearson", "holm", "interquartile_mean", "mean_interval", "paired"]

_COLUMNS = ("arm", "n", "mean_difference", "ci95_half_width", "bca_low", "bca_high", "p", "p_holm", "family")


@dataclass(frozen=True)
class Comparison:
    """Every arm against a ``baseline``, on shared seeds: ``rows`` with mean difference, Student and BCa intervals, p, and p after Holm."""

    baseline: str
    rows: list[dict[str, Any]]
    _text: str

    def frame(self) -> Any:
        """The rows as a polars frame, or a pandas one where polars is not there."""
        try:
            import polars

            return polars.DataFrame(self.rows)
        except ModuleNotFoundError:
            pass
        try:
            import pandas
        except ModuleNotFoundError:
            raise ModuleNotFoundError("a frame needs polars or pandas; pip install 'counsel-rl[polars]'") from None
        return pandas.DataFrame(self.rows)

    def text(self) -> str:
        """The table as text."""
        return self._text

    __str__ = text

    def _repr_html_(self) -> str:
        names = [name for name in _COLUMNS if any(row[name] is not None for row in self.rows)]

        def cell(value: Any) -> str:
            return "" if value is None else html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))

        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{cell(row[name])}</td>" for name in names) + "</tr>" for row in self.rows)
        title = html.escape(f"Paired differences from {self.baseline}")
        return f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paired(
    frame: Any, *, baseline: str, seed: str = "seed", arm: str = "arm", value: str = "value", family: str | None = None
) -> Comparison:
    """Compare every arm with a baseline on shared seeds.

    Parameters
    ----------
    frame : polars or pandas frame, or a mapping of columns
        One row per arm and seed.
    baseline : str
        The arm that the others are compared with.
    seed, arm, value : str
        The names of the columns.
    family : str, optional
        A column that groups comparisons; Holm corrects within each group.
    """
    names = {"arm": arm, "seed": seed, "value": value} | ({"family": family} if family is not None else {})
    columns: dict[str, list[Any]] = {}
    for meaning, name in names.items():
        try:
            columns[meaning] = list(frame[name])
        except Exception as error:
            if not isinstance(error, KeyError) and type(error).__name__ != "ColumnNotFoundError":
                raise
            raise RefusedError(f"the frame has no column `{name}`; name the one that holds the {meaning}") from None
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        entries = dict(zip(columns, row, strict=True))
        entries["value"] = repr(float(entries["value"]))
        writer.writerow(entries.values())
    found, text = _counsel.paired(table.getvalue(), baseline)
    rows = []
    for row in json.loads(found)["arms"]:
        of = row["paired"]
        student, bca = of["t_interval"] or {}, of["bca_interval"] or {}
        numbers = (
            row["arm"], of["n"], of["mean_difference"], student.get("half_width"), bca.get("low"), bca.get("high"),
            of["p_value"], row["p_holm"], row["family"],
        )
        rows.append(dict(zip(_COLUMNS, numbers, strict=True)))
    return Comparison(baseline, rows, text)
