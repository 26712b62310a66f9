"""A Ray cluster of two nodes, one of which is killed: the same bytes as a local run, and never one paid call too many."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")

import counsel  # noqa: E402
import counsel.ray  # noqa: E402
from bytes_of import files  # noqa: E402
from counsel import studies  # noqa: E402

STUDIES = ("lock", "query-count")
SEEDS = "0..3"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    if "COUNSEL_PROGRAM" not in os.environ:
        pytest.skip("COUNSEL_PROGRAM names no program; build it by `cargo build -p counsel-cli`")
    return files(studies.reproduce(*STUDIES, seeds=SEEDS, out=tmp_path_factory.mktemp("local"), jobs=2))


@pytest.fixture()
def cluster() -> Iterator[Any]:
    # Paths of sockets must be short.
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as folder:
        os.environ |= {"RAY_TMPDIR": folder, "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
        from ray.cluster_utils import Cluster

        store = 80 * 2**20
        head = {"num_cpus": 1, "object_store_memory": store, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        cluster.second = cluster.add_node(num_cpus=1, object_store_memory=store)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        cluster.wait_for_nodes()
        yield cluster
        ray.shutdown()
        cluster.shutdown()


def test_two_nodes_write_the_bytes_of_a_local_run(cluster: Any, local: dict[str, bytes], tmp_path: Path) -> None:
    ran = counsel.ray.reproduce(*STUDIES, seeds=SEEDS, out=tmp_path)
    assert ran == sum(name.endswith(".parquet") for name in local)
    assert files(tmp_path) == local
    assert counsel.ray.reproduce(*STUDIES, seeds=SEEDS, out=tmp_path) == 0, "all is there"
    assert "(100.0000 %)" in str(counsel.audit(tmp_path))


def test_a_node_that_is_killed_is_made_up_for(
    cluster: Any, local: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "slow"
    slow.write_text(f'#!/bin/sh\n[ "$1" = reproduce ] && sleep 2\nexec {os.environ["COUNSEL_PROGRAM"]} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setattr(counsel.ray, "_cells", _slowly(str(slow), counsel.ray._cells))
    import threading

    threading.Timer(1.5, lambda: cluster.remove_node(cluster.second, allow_graceful=False)).start()
    counsel.ray.reproduce(*STUDIES, seeds=SEEDS, out=tmp_path / "runs")
    assert len(ray.nodes()) == 2 and sum(node["Alive"] for node in ray.nodes()) == 1
    assert files(tmp_path / "runs") == local


def _slowly(program: str, task: Any) -> Any:
    """The task with a program that takes its time, so that a node can be killed meanwhile."""

    def cells(*arguments: Any) -> Any:
        os.environ["COUNSEL_PROGRAM"] = program
        return task(*arguments)

    return cells


def test_one_ledger_serves_all_nodes_and_never_overspends(cluster: Any, tmp_path: Path) -> None:
    ledger = counsel.ray.Ledger(tmp_path / "calls.jsonl", limit=25)

    @ray.remote(num_cpus=0.2, max_retries=0, scheduling_strategy="SPREAD")
    def advised(ledger: counsel.ray.Ledger, number: int) -> int:
        sent = 0
        for _ in range(10):
            try:
                with ledger.reserve(model="m"):
                    sent += 1
                    if number == 0:
                        os._exit(1)
                    time.sleep(0.01)
            except counsel.BudgetError:
                break
        return sent

    tasks = [advised.remote(ledger, number) for number in range(6)]
    sent = 0
    for task in tasks:
        try:
            sent += ray.get(task)
        except ray.exceptions.RayError:
            sent += 1
    assert sent == 25 == ledger.spent
    assert counsel.Ledger(tmp_path / "calls.jsonl", limit=30).spent == 25, "the file says the same"


def test_submitit_runs_shards(local: dict[str, bytes], tmp_path: Path) -> None:
    submitit = pytest.importorskip("submitit")
    executor = submitit.AutoExecutor(folder=str(tmp_path / "jobs" / "%j"), cluster="local")
    executor.update_parameters(timeout_min=5)

    def part(number: int) -> str:
        out = tmp_path / f"part-{number}"
        return str(studies.run_shard(*STUDIES, seeds=SEEDS, shard=number, shards=3, out=out))

    parts = [job.result() for job in executor.map_array(part, range(3))]
    studies.merge(tmp_path / "runs", *parts)
    assert files(tmp_path / "runs") == local
