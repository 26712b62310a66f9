"""What a run looks like: its report, its figures, its decisions in a browser, and what a gate would have done on a log of one's own.

The ``counsel`` program draws them; the released wheel brings it along.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from .declaration import plain
from .errors import RefusedError
from .studies import _check, _run, program

__all__ = ["Figures", "Page", "View", "figures", "report", "shadow", "view"]

#: A notebook shows no page beyond this.
_LARGEST = 16 << 20


@dataclass(frozen=True)
class Page:
    """A page for a browser, at ``path``; a notebook shows it. ``text`` is what was said beside it, where that is anything."""

    path: Path
    text: str = ""

    def __str__(self) -> str:
        return self.text or str(self.path)

    def _repr_html_(self) -> str:
        import html

        if self.path.stat().st_size > _LARGEST:
            return f"<p>{html.escape(str(self.path))} is too large for a notebook; open it in a browser.</p>"
        text = html.escape(self.path.read_text(encoding="utf-8"), quote=True)
        # The page is shown in a frame without the rights of the notebook.
        return f'<iframe sandbox="allow-scripts" srcdoc="{text}" style="width:100%;height:36em;border:1px solid #8888"></iframe>'


class Figures(dict[str, str]):
    """Figures by name, as SVG; a notebook shows them."""

    def _repr_html_(self) -> str:
        return "\n".join(self.values())


def report(folder: str | Path, *, out: str | Path | None = None, studies: Sequence[str] = (), cells: Sequence[str] = ()) -> Page:
    """A run in one page: tables, figures and settings; or, with ``cells``, the decisions of these cells.

    Parameters
    ----------
    folder : path
        The folder of the run.
    out : path, optional
        The file; ``report.html`` in the folder, or ``decisions.html`` with ``cells``.
    studies, cells : sequence of str
        Only these studies; or the decisions of these cells, ``STUDY/ARM/SEED``.
    """
    words = [str(folder)]
    for option, names in (("--study", studies), ("--cell", cells)):
        for name in names:
            words += [option, name]
    said = _run("report", *words, *(() if out is None else ("--out", str(out))))
    return Page(Path(said.strip().splitlines()[-1]))


def figures(folder: str | Path, *, studies: Sequence[str] = ()) -> Figures:
    """The figures of a run, from its logs alone: learning curves, and calls against returns.

    Parameters
    ----------
    folder : path
        The folder of the run.
    studies : sequence of str
        Only these studies.
    """
    words = [word for name in studies for word in ("--study", name)]
    with tempfile.TemporaryDirectory() as out:
        said = _run("figures", str(folder), *words, "--out", out)
        return Figures((Path(line).stem, Path(line).read_text(encoding="utf-8")) for line in said.splitlines())


class View:
    """The decisions of a run, served to this machine's browser alone until it is closed.

    Parameters
    ----------
    folder : path
        The folder of the run.
    port : int
        The port; 0 takes one that is free.
    """

    def __init__(self, folder: str | Path, port: int = 0) -> None:
        command = [program(), "view", str(folder), "--port", str(port)]
        self._complaints = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._complaints, encoding="utf-8")
        assert self._running.stdout is not None
        found = next((word for line in self._running.stdout for word in line.split() if word.startswith("http://")), None)
        if found is None:
            code = self._running.wait()
            self._complaints.seek(0)
            complaints = self._complaints.read()
            self.close()
            _check(command[1:], code or 1, complaints)
        #: Its address.
        self.url = str(found)

    def close(self) -> None:
        """Ends the server."""
        if self._running.poll() is None:
            self._running.terminate()
            self._running.wait()
        if self._running.stdout is not None:
            self._running.stdout.close()
        self._complaints.close()

    def __enter__(self) -> View:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"View({self.url!r})"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank" rel="noreferrer">{self.url}</a>'


def view(folder: str | Path, *, port: int = 0) -> View:
    """Serve the decisions of a run to this machine's browser; ``close()`` ends it.

    Parameters
    ----------
    folder : path
        The folder of the run.
    port : int
        The port; 0 takes one that is free.
    """
    return View(folder, port)


def shadow(
    log: Any, *, header: Mapping[str, Any] | None = None, prices: Sequence[float] = (), alpha: float = 0.1, tolerance: float = 1.0,
    out: str | Path | None = None,
) -> Page:
    """What the gate would have done on a log of advice that was paid for, before it is switched on; docs/SHADOW.md has its columns.

    Parameters
    ----------
    log : path, or polars or pandas frame
        The log: JSONL, CSV or Parquet, which hold their header; or a frame.
    header : mapping, optional
        What a frame cannot say of itself: ``{"words": ["left", "right"]}``, and ``return_range`` and the others of that page.
    prices : sequence of float
        Prices of a call to try; those of the log without it.
    alpha, tolerance : float
        The share of calls whose estimate may miss by more than the radius, and how much worse than the best a certified action may be.
    out : path, optional
        Where the page is written; beside the log without it, or in the present folder for a frame.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(log, (str, Path)):
            if header is not None:
                raise RefusedError(f"`header` came beside {log}, and a file has its own; write it there, or pass a frame")
            path = Path(log)
            target = Path(out) if out is not None else path.with_suffix(".shadow.html")
        else:
            path, target = _written(log, header, Path(folder)), Path(out) if out is not None else Path("shadow.html")
        words = ["--price", ",".join(map(str, prices))] if prices else []
        said = _run("shadow", str(path), *words, "--alpha", str(alpha), "--tolerance", str(tolerance), "--out", str(target))
    return Page(target, said)


def _written(frame: Any, header: Mapping[str, Any] | None, folder: Path) -> Path:
    """A frame as a file with a header."""
    if not hasattr(frame, "to_dicts") and not hasattr(frame, "to_dict"):
        raise RefusedError(f"the log is {type(frame).__name__}; pass the path of a file, or a polars or pandas frame")
    if header is None or "words" not in header:
        raise RefusedError('a frame has no header; pass header={"words": [...]}, the names of the actions in their order')
    rows = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
    path = folder / "log.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for line in ({"format": "counsel-shadow/1"} | dict(header), *rows):
            # What is absent in a row is left out of it.
            known = {name: plain(value) for name, value in line.items() if value is not None and value == value}
            file.write(json.dumps(known) + "\n")
    return path
