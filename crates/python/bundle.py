"""Puts the `counsel` program into a wheel, where pip installs it beside Python; says what the result is, by its digest.

    python bundle.py WHEEL PROGRAM

The wheel is written again whole: the same wheel and the same program give the same bytes. A program that needs a newer glibc than the
wheel's tag promises is refused.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

#: All entries have one date, so that the bytes do not depend on the day.
DATE = (1980, 1, 1, 0, 0, 0)


def glibc(program: bytes) -> tuple[int, int]:
    """The newest version of glibc that a program names."""
    found = [(int(major), int(minor)) for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", program)]
    return max(found, default=(0, 0))


def promised(wheel: Path) -> tuple[int, int] | None:
    """The glibc that the tag of a wheel names, or None for a wheel of another system."""
    found = re.findall(r"manylinux_(\d+)_(\d+)", wheel.name)
    return max((int(major), int(minor)) for major, minor in found) if found else None


def bundle(wheel: Path, program: Path) -> None:
    """Writes the wheel again with the program in its scripts."""
    content = program.read_bytes()
    tag, needed = promised(wheel), glibc(content)
    if tag is not None and needed > tag:
        sys.exit(f"error: {program} needs glibc {needed[0]}.{needed[1]}, and {wheel.name} promises {tag[0]}.{tag[1]}; build it by cargo xtask wheel")
    with zipfile.ZipFile(wheel) as archive:
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    record = next(name for name in entries if name.endswith(".dist-info/RECORD"))
    script = f"{record.removesuffix('.dist-info/RECORD')}.data/scripts/{program.name}"
    lines = [line for line in entries[record].decode().splitlines() if not line.startswith((record, script))]
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    entries[script] = content
    entries[record] = "\n".join([*lines, f"{script},sha256={digest},{len(content)}", f"{record},,", ""]).encode()
    whole = wheel.with_suffix(".whole")
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = (0o100755 if name == script else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    whole.replace(wheel)
    print(f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  {wheel.name}")


if __name__ == "__main__":
    bundle(Path(sys.argv[1]), Path(sys.argv[2]))
