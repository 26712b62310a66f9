"""A real Slurm controller and node on loopback, out of Debian's packages: an array of jobs, one of them requeued, has the bytes of a local
run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bytes_of import files

from counsel import studies

PACKAGES = ["slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins"]
LIBRARIES = "usr/lib/x86_64-linux-gnu"

CONFIGURATION = """ClusterName=counsel
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
PluginDir={root}/{libraries}/slurm-wlm
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobRequeue=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs a command beside a Slurm that was unpacked into a folder."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip("Slurm is unpacked from Debian's packages by apt-get, as root; run this test on such a machine")
    folder = tmp_path_factory.mktemp("slurm")
    archives, root = folder / "archives", folder / "root"
    (archives / "partial").mkdir(parents=True)
    get = ["apt-get", "-o", f"Dir::Cache::archives={archives}/", "-o", "APT::Sandbox::User=root", "install", "-y"]
    got = subprocess.run([*get, "--download-only", "--no-install-recommends", *PACKAGES], capture_output=True, text=True)
    if got.returncode != 0:
        pytest.skip(f"apt-get cannot get Slurm: {got.stderr.strip()[-300:]}; run `apt-get update` first")
    for package in archives.glob("*.deb"):
        subprocess.run(["dpkg", "-x", str(package), str(root)], check=True)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    conf = folder / "slurm.conf"
    conf.write_text(
        CONFIGURATION.format(host=socket.gethostname(), folder=folder, root=root, libraries=LIBRARIES), encoding="utf-8"
    )
    environment = os.environ | {
        "SLURM_CONF": str(conf),
        "LD_LIBRARY_PATH": f"{root}/{LIBRARIES}:{root}/{LIBRARIES}/slurm-wlm",
        "PATH": f"{root}/usr/bin:{os.environ['PATH']}",
    }
    daemons = [
        subprocess.Popen([f"{root}/usr/sbin/slurmctld-wlm", "-D"], env=environment, stderr=subprocess.DEVNULL),
        subprocess.Popen(
            [f"{root}/usr/sbin/slurmd-wlm", "-D", "-d", f"{root}/usr/sbin/slurmstepd-wlm"],
            env=environment, stderr=subprocess.DEVNULL,
        ),
    ]

    def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, cwd=cwd, timeout=300)

    for _ in range(60):
        if "idle" in run("sinfo", "-h", "-o", "%T").stdout:
            break
        time.sleep(1)
    else:
        pytest.fail(f"no node came up: {(folder / 'slurmctld.log').read_text()[-800:]}")
    yield run
    for daemon in daemons:
        daemon.terminate()
        daemon.wait(20)


def test_an_array_with_a_requeued_task_has_the_bytes_of_a_local_run(slurm: Run, tmp_path: Path) -> None:
    program = os.environ.get("COUNSEL_PROGRAM")
    if program is None:
        pytest.skip("COUNSEL_PROGRAM names no program; build it by `cargo build -p counsel-cli`")
    wanted = ("lock", "--seeds", "0..3", "--set", "arms.*.price=0.02")
    job, script = tmp_path / "job.sh", subprocess.run(
        [program, "slurm", *wanted, "--shards", "2", "--out", "runs"], capture_output=True, text=True, check=True
    ).stdout
    # The second task is slow the first time, so that it can be requeued while it runs.
    pause = '[ "$SLURM_ARRAY_TASK_ID" = 0 ] || [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || sleep 60'
    assert script.count("exec counsel ") == 1
    job.write_text(script.replace("exec counsel ", f"{pause}\nexec {program} "), encoding="utf-8")
    said = slurm("sbatch", "--parsable", str(job), cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    number = said.stdout.strip()
    for _ in range(60):
        if "RUNNING" in slurm("squeue", "-h", "-j", f"{number}_1", "-o", "%T").stdout:
            break
        time.sleep(0.5)
    again = slurm("scontrol", "requeue", f"{number}_1")
    assert again.returncode == 0, again.stderr
    for _ in range(240):
        # A task that is requeued may wait out a pause of the controller.
        slurm("scontrol", "release", f"{number}_1")
        if not slurm("squeue", "-h", "-j", number, "-o", "%T").stdout.strip():
            break
        time.sleep(1)
    studies.merge(tmp_path / "runs", *sorted((tmp_path / "runs-shards").iterdir()))
    changed = {"arms.*.price": 0.02}
    local = studies.reproduce("lock", seeds="0..3", set=changed, out=tmp_path / "local", jobs=2)
    assert files(tmp_path / "runs") == files(local)
