#!/usr/bin/env bash
# A wheel in a fresh environment: it is imported, decides, and brings its program along.
#   smoke.sh WHEEL [PYTHON]
set -euo pipefail
wheel=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${2:-python}" -m venv "$folder/env"
bin=$folder/env/bin
if [ -d "$folder/env/Scripts" ]; then bin=$folder/env/Scripts; fi
"$bin/python" -m pip install --quiet "$wheel"
# Nothing of this machine's toolchains is on the path.
case "$(uname)" in Linux | Darwin) PATH=$bin:/usr/bin:/bin ;; *) PATH=$bin:$PATH ;; esac
export PATH
unset COUNSEL_PROGRAM
cd "$folder"
counsel --version
python - <<'PYTHON'
import sys

import counsel

settings = counsel.Settings(advisor="a", budget=counsel.Budget(per_run=1), gate=counsel.gates.Always())
with counsel.Log("runs", arm="smoke") as log:
    controller = counsel.Controller(settings, 2, price=0.0, log=log)
    act = controller.advise(values=[[0.0, 1.0]], base=0, context="here", ask=lambda: "a1")
    controller.outcome(1.0, terminated=True)
assert counsel.audit("runs").clean
page = counsel.report("runs")
assert page.path.exists()
print("Python", sys.version.split()[0], act, page.path)
PYTHON
