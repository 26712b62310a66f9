"""Editors show what the native module documents: the stub has its docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import textwrap
from pathlib import Path
from typing import Any

from counsel import _counsel

STUB = Path(__file__).parents[1] / "python" / "counsel" / "_counsel.pyi"


def quoted(text: str, indent: str) -> list[str]:
    """A docstring as lines of source."""
    lines = inspect.cleandoc(text).replace("\\", "\\\\").replace('"""', "'''").splitlines()
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""']
    body = textwrap.indent("\n".join(lines[1:]), indent, lambda line: bool(line.strip())).splitlines()
    return [f'{indent}"""{lines[0]}', *body, f'{indent}"""']


def documented(text: str) -> str:
    """The stub with the docstrings of the module, whatever it had before."""
    lines: list[str] = text.splitlines()
    edits: list[tuple[int, int, list[str]]] = []

    def visit(body: list[Any], owner: Any) -> None:
        for node in body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                continue
            native = inspect.getattr_static(owner, node.name, None)
            if native is None:
                continue
            if isinstance(native, staticmethod):
                native = native.__func__
            own, indent = getattr(native, "__doc__", None), " " * (node.col_offset + 4)
            has_doc = ast.get_docstring(node, clean=False) is not None
            first = node.body[0]
            if isinstance(node, ast.ClassDef):
                if has_doc:
                    edits.append((first.lineno - 1, first.end_lineno or first.lineno, quoted(own, indent) if own else []))
                elif own:
                    start = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
                    edits.append((start, start, quoted(own, indent)))
                visit(node.body, native)
            elif node.name.startswith("__") or not own:
                continue
            elif has_doc:
                edits.append((first.lineno - 1, first.end_lineno or first.lineno, quoted(own, indent)))
            else:
                # The three dots stand behind the colon.
                line = lines[first.lineno - 1]
                edits.append((first.lineno - 1, first.lineno, [line[: first.col_offset].rstrip(), *quoted(own, indent)]))

    visit(ast.parse(text).body, _counsel)
    for start, end, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        lines[start:end] = new
    return "\n".join(lines) + "\n"


def test_the_stub_has_the_docstrings_of_the_module() -> None:
    found = STUB.read_text(encoding="utf-8")
    wanted = documented(found)
    assert documented(wanted) == wanted
    if os.environ.get("UPDATE_DOCS") == "1":
        STUB.write_text(wanted, encoding="utf-8")
        found = wanted
    assert found == wanted, "the stub is out of date; run with UPDATE_DOCS=1"


def undocumented(name: str, owner: Any, doc: str) -> list[str]:
    """The parameters of a callable that its documentation does not name."""
    try:
        parameters = inspect.signature(owner).parameters
    except (TypeError, ValueError):
        return []
    own = [one for one in parameters if one not in ("self", "cls", "args", "kwargs") and not one.startswith("_")]
    return [f"{name}: {one}" for one in own if not re.search(rf"\b{one}\b", doc)]


def of_class(name: str, kind: type) -> list[str]:
    """Those of a class and of its own methods; what overrides a method of another package is documented there."""
    found = undocumented(name, kind, (kind.__doc__ or "") + (getattr(kind.__init__, "__doc__", "") or ""))
    foreign = [base for base in kind.__mro__[1:] if not base.__module__.startswith(("counsel", "builtins", "typing"))]
    for method in vars(kind):
        told = getattr(kind, method)
        if not method.startswith("_") and callable(told) and not any(hasattr(base, method) for base in foreign):
            found += undocumented(f"{name}.{method}", told, told.__doc__ or "")
    return found


def test_everything_public_is_documented_to_the_last_argument() -> None:
    names = ["", ".advisors", ".calibration", ".critics", ".environment", ".gates", ".grid", ".keys", ".labels", ".log", ".pages", ".reading", ".rules"]
    names += [".settings", ".stats", ".studies", ".writers", ".gymnasium", ".envs", ".sb3", ".torch", ".ray"]
    missing: set[str] = set()
    for name in names:
        try:
            module = importlib.import_module(f"counsel{name}")
        except ModuleNotFoundError:
            continue
        for public in module.__all__:
            told = getattr(module, public)
            if inspect.isclass(told) and told.__module__.startswith("counsel") and not issubclass(told, BaseException):
                # One that is only another package's class with something overridden has that class's arguments.
                if "__init__" in vars(told) or "__new__" in vars(told):
                    missing.update(of_class(told.__name__, told))
            elif inspect.isfunction(told) or inspect.isbuiltin(told):
                missing.update(undocumented(told.__name__, told, told.__doc__ or ""))
    assert not missing, sorted(missing)
