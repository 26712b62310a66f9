"""A zip archive of files by their names alone. The same files give the same bytes.

pack.py ARCHIVE PROGRAM FILE ...
"""

import sys
import zipfile
from pathlib import Path

archive, program, *files = map(Path, sys.argv[1:])
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for path in (program, *files):
        entry = zipfile.ZipInfo(path.name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100755 if path == program else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        packed.writestr(entry, path.read_bytes())
