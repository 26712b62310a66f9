"""The files of a run, to be held against those of another."""

from __future__ import annotations

from pathlib import Path


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in sorted(root.rglob("*.*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(root)): path.read_bytes() for path in found}
