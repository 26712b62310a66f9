#!/usr/bin/env bash
# The program as an archive, with licences, its digest and a bill of materials, in target/archives. Run it after `cargo xtask wheel`.
#   archive.sh TRIPLE [PYTHON]
set -euo pipefail
cd "$(dirname "$0")/../.."
triple=$1
python=${2:-python}
program=target/$triple/release/counsel
if [ -f "$program.exe" ]; then program=$program.exe; fi
version=$("$python" - <<'PYTHON'
import re
print(re.search(r'^version = "(.*)"', open("Cargo.toml").read(), re.MULTILINE)[1])
PYTHON
)
mkdir -p target/archives
"$python" .github/scripts/bill.py "$triple" counsel-cli > "target/archives/counsel-$version-$triple.cdx.json"
"$python" .github/scripts/pack.py "target/archives/counsel-$version-$triple.zip" "$program" README.md LICENSE-MIT LICENSE-APACHE
cd target/archives
"$python" - "counsel-$version-$triple" <<'PYTHON'
import hashlib, pathlib, sys
lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(pathlib.Path().glob(sys.argv[1] + ".*")) if path.suffix != ".sha256"]
pathlib.Path(sys.argv[1] + ".sha256").write_text("".join(lines))
print("".join(lines), end="")
PYTHON
