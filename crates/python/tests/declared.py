"""The declarations of the decision crate, read from its source: what `counsel.gates` and `counsel.rules` are generated from."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2] / "decision" / "src"
PLAIN = {"u64": "int", "f64": "float", "bool": "bool", "String": "str"}
# Gates that read what no deployed program can know.
DIAGNOSTIC = {"Oracle"}


class Field(NamedTuple):
    name: str
    type: str
    default: str | None
    doc: str


def kebab(name: str) -> str:
    return re.sub("(?<!^)(?=[A-Z])", "-", name).lower()


def block(text: str, opening: str) -> str:
    """What stands between the braces after `opening`."""
    start = text.index("{", text.index(opening)) + 1
    depth, at = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1]


def items(body: str) -> list[tuple[str, str, str]]:
    """The attributes, the documentation and the text of each item of an enum or a struct."""
    found, attributes, doc, item, depth = [], "", "", "", 0
    for line in body.splitlines():
        text = line.strip()
        if depth == 0 and text.startswith("///"):
            doc += " " + text[3:].strip()
        elif depth == 0 and text.startswith("#["):
            attributes += text
        elif text:
            item += text + "\n"
            depth += text.count("{") - text.count("}")
            if depth == 0:
                found.append((attributes, doc.strip(), item.strip().rstrip(",")))
                attributes, doc, item = "", "", ""
    return found


def definition(name: str) -> tuple[str, str]:
    """The file and the attributes of a type."""
    for path in sorted(SOURCE.rglob("*.rs")):
        text = path.read_text(encoding="utf-8")
        if match := re.search(rf"((?:#\[.*\]\n)*)pub (?:struct|enum) {name}\b", text):
            return text, match[1]
    raise LookupError(f"the decision crate declares no {name}")


def python_type(rust: str) -> tuple[str, str | None]:
    """The type in Python, and the default of an enum that has one."""
    if rust in PLAIN:
        return PLAIN[rust], None
    if match := re.fullmatch(r"Option<(.*)>", rust):
        return f"{python_type(match[1])[0]} | None", "None"
    if match := re.fullmatch(r"Vec<(.*)>", rust):
        return f"tuple[{python_type(match[1])[0]}, ...]", "()"
    if match := re.fullmatch(r"\((.*)\)", rust):
        return f"tuple[{', '.join(python_type(part.strip())[0] for part in match[1].split(','))}]", None
    text, _ = definition(rust)
    variants = items(block(text, f"pub enum {rust}"))
    words = [kebab(item) for _, _, item in variants if "(" not in item]
    default = next((f'"{kebab(item)}"' for attributes, _, item in variants if "#[default]" in attributes), None)
    inner = {python_type(item[item.index("(") + 1 : -1])[0] for _, _, item in variants if "(" in item}
    literal = "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"
    return literal + "".join(f" | Mapping[str, {part}]" for part in sorted(inner)), default


def struct_fields(body: str, defaults: dict[str, str], optional: bool = False) -> list[Field]:
    found = []
    for attributes, doc, item in items(body):
        name, rust = item.removeprefix("pub ").split(": ", 1)
        kind, default = python_type(rust)
        given = optional or "default" in attributes or rust.startswith("Option")
        found.append(Field(name, kind, defaults.get(name, default if given else None), doc))
    return found


def fields_of(payload: str) -> list[Field]:
    """The fields of what a gate declares: those of a struct, or of all variants of a tagged enum."""
    text, attributes = definition(payload)
    if f"pub struct {payload}" in text:
        defaults = {}
        if "default)]" in attributes:
            values = re.findall(r"(\w+): ([^,}]+)", block(block(text, f"impl Default for {payload}"), "Self"))
            defaults = {name: value.strip() for name, value in values}
        return struct_fields(block(text, f"pub struct {payload}"), defaults)
    tag = re.search('tag = "([^"]+)"', attributes)
    assert tag, payload
    variants = items(block(text, f"pub enum {payload}"))
    words = ", ".join(f'"{kebab(item.split()[0])}"' for _, _, item in variants)
    found = {tag[1]: Field(tag[1], f"Literal[{words}]", None, "; ".join(doc.rstrip(".") for _, doc, _ in variants) + ".")}
    for _, _, item in variants:
        for inner in struct_fields(block(item, item.split()[0]), {}) if "{" in item else []:
            # Not every variant has it, so that it may be left out.
            found[inner.name] = inner._replace(type=inner.type + " | None", default="None")
    return list(found.values())


HEAD = '''"""{title}

Generated from {source} by tests/test_declared.py; UPDATE_DOCS=1 writes it.
"""

from __future__ import annotations

{imports}from dataclasses import dataclass
{literal}
from .declaration import {base}

__all__ = [
{names},
]
'''


def module(title: str, source: str, enum: str, base: str) -> str:
    """The text of a Python module with one class per variant."""
    classes = {}
    for _, doc, item in items(block((SOURCE / source).read_text(encoding="utf-8"), f"pub enum {enum} ")):
        name = re.split(r"[\s({]", item)[0]
        if name in DIAGNOSTIC:
            continue
        payload = re.search(r"\((?:\w+::)?(\w+)\)", item)
        inner = struct_fields(block(item, name), {}) if "{" in item else fields_of(payload[1]) if payload else []
        # Keyword-only, so that required fields may come after others; in the order of the source.
        lines = [f"    {f.name}: {f.type}" + (f" = {f.default}" if f.default is not None else "") for f in inner]
        words = [f"    {doc}"] + (["", "    Parameters", "    ----------"] if inner else [])
        for f in inner:
            words += [f"    {f.name} : {f.type}", f"        {f.doc}"]
        text = '    """' + "\n".join(words).strip() + ('\n    """' if inner else '"""')
        classes[name] = "\n".join([
            "@dataclass(frozen=True, kw_only=True)", f"class {name}({base}):", text, *([""] if lines else []), *lines, ""
        ])
    body = "\n\n".join(classes[name] for name in classes)
    head = HEAD.format(
        title=title, source=f"crates/decision/src/{source}", base=base, literal="from typing import Literal\n" if "Literal[" in body else "",
        imports="from collections.abc import Mapping\n" if "Mapping[" in body else "",
        names=textwrap.fill(", ".join(f'"{name}"' for name in sorted([*classes, base])), 120, initial_indent="    ", subsequent_indent="    "),
    )
    return head + "\n\n" + body
