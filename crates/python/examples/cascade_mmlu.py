"""A cascade on public data: MMLU, answered by Mixtral 8x7B, or by GPT-4 at a price.

The table has what both models scored on 14,042 questions (RouteLLM's data; crates/experiment/tables/NOTICE says more). Questions come in
another order for every seed. The cascade knows the subject and the length of a question, and learns from the scores of executed answers.
"""

import os
from pathlib import Path

import numpy as np
import polars as pl

import counsel

SEEDS = range(2) if os.environ.get("EXAMPLE") == "short" else range(10)
PRICE = 0.1
TABLE = pl.read_csv(Path(__file__).parents[2] / "experiment" / "tables" / "mmlu.csv.zst")
SUBJECTS = sorted(set(TABLE["subject"]))


def run(seed: int) -> tuple[float, int]:
    """What each question nets, and how many were asked about."""
    cascade = counsel.Cascade(price=PRICE, groups=SUBJECTS, seed=seed)
    net, asked = 0.0, 0
    for subject, length, cheap, strong in TABLE.select("subject", "chars", "mixtral_8x7b", "gpt4_1106").sample(
        fraction=1.0, shuffle=True, seed=seed
    ).iter_rows():
        decision = cascade.decide(group=subject, numbers=[min(1.0, length / 2_000)])
        score = float(strong if decision.ask else cheap)                        # your models, and your judge
        cascade.feedback(decision.id, score)
        net += score - PRICE * decision.ask
        asked += decision.ask
    return net / len(TABLE), asked


never, always = float(TABLE["mixtral_8x7b"].to_numpy().mean()), float(TABLE["gpt4_1106"].to_numpy().mean()) - PRICE
nets, calls = zip(*map(run, SEEDS), strict=True)
print(f"{len(TABLE)} questions at a price of {PRICE}: never asking nets {never:.4f}, always asking {always:.4f}")
for name, other in (("never", never), ("always", always)):
    found = counsel.stats.mean_interval(np.array(nets) - other)
    assert found is not None
    mean, low, high = found
    print(f"the cascade nets {np.mean(nets):.4f} with {np.mean(calls):.0f} questions: {mean:+.4f} against {name} ({low:+.4f} to {high:+.4f})")
