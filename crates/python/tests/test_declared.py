"""Gates and rules are those of the decision crate: their modules are generated from its source."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from declared import kebab, module

import counsel

PACKAGE = Path(__file__).parents[1] / "python" / "counsel"
MODULES = {
    "gates": ("When to ask: one class per gate.", "gate/policy.rs", "Gate", "Gate"),
    "rules": ("When an answer may act: one class per rule.", "certificate.rs", "Execution", "Rule"),
}


@pytest.mark.parametrize("name", MODULES)
def test_declarations_are_those_of_the_source(name: str) -> None:
    wanted, path = module(*MODULES[name]), PACKAGE / f"{name}.py"
    if os.environ.get("UPDATE_DOCS") == "1":
        path.write_text(wanted, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == wanted, f"{path.name} is out of date; run with UPDATE_DOCS=1"


def test_every_gate_and_rule_has_the_word_of_the_study_files() -> None:
    gates = {name: getattr(counsel.gates, name).policy for name in counsel.gates.__all__ if name != "Gate"}
    rules = {name: getattr(counsel.rules, name).rule for name in counsel.rules.__all__ if name != "Rule"}
    assert gates["RandomExact"] == "random-exact" and rules["LowVariance"] == "low-variance"
    assert all(word == kebab(name) for name, word in (gates | rules).items())


def test_every_gate_with_defaults_alone_can_be_made() -> None:
    for name in ("Never", "Always", "Value", "EpistemicGap", "Predictive", "Amortised", "Learned", "CalibratedUncertainty"):
        gate = getattr(counsel.gates, name)()
        settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1), gate=gate)
        assert counsel.Settings.from_dict(settings.to_dict()) == settings
