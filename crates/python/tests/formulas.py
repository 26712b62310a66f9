"""The rule of the paper in numpy, from its formulas: a second opinion that shares no line with the engine."""

from __future__ import annotations

from typing import Any

import numpy as np


class Rule:
    """The predictive gate with a certificate, kept answers and a budget per run."""

    def __init__(self, *, tolerance: float, price: float, budget: int, cache: bool) -> None:
        self.tolerance, self.price, self.left, self.cache = tolerance, price, budget, cache
        self.kept: dict[int, int] = {}

    def admits(self, mean: Any, lower: Any, upper: Any, base: int, action: int) -> bool:
        return bool(lower[action] >= upper.max() - self.tolerance and mean[action] >= mean[base])

    def decide(self, values: Any, lower: Any, upper: Any, law: Any, base: int, context: int, radius: float) -> tuple[int, float, bool]:
        """The action without a query, the estimate, and whether to ask."""
        mean = values.mean(axis=0)
        none = base
        if self.cache and context in self.kept and self.admits(mean, lower, upper, base, self.kept[context]):
            none = self.kept[context]
        after = [a if self.admits(mean, lower, upper, base, a) else base for a in range(len(mean))] + [base]
        estimate = float(law @ mean[after] - mean[none])
        asks = estimate - radius >= self.price and self.left > 0
        self.left -= asks
        return none, estimate, asks

    def resume(self, values: Any, lower: Any, upper: Any, base: int, context: int, answer: int | None) -> int:
        if answer is None:
            return base
        if self.cache:
            self.kept[context] = answer
        return answer if self.admits(values.mean(axis=0), lower, upper, base, answer) else base
