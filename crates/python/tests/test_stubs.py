"""Editors show what the native module documents: the stub has its docstrings."""

from __future__ import annotations

import ast
import inspect
import os
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


def test_what_a_user_meets_first_is_documented_to_the_last_argument() -> None:
    for kind in (_counsel.Controller, _counsel.VectorController, _counsel.Log, _counsel.Cascade):
        arguments = [name for name in inspect.signature(kind).parameters if name != "settings" or kind is _counsel.Controller]
        missing = [name for name in arguments if name not in (kind.__doc__ or "")]
        assert not missing, f"{kind.__name__} does not document {missing}"
