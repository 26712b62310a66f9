"""A Ray cluster of two nodes, one of which is killed: the same bytes as a local run, and never one paid call too many."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


def test_a_study_and_transcripts_of_ones_own_are_found_by_every_task(
    cluster: Any, local: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = subprocess.run([studies.program(), "study", "new", "babyai-repeat"], capture_output=True, text=True, check=True)
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(written.stdout)
    repository = Path(__file__).parents[5]
    Path("recorded").symlink_to(repository / "transcripts")
    named: dict[str, Any] = {"seeds": "0..1", "set": {"moments": 20}, "transcripts": "recorded"}
    counsel.ray.reproduce("mine.toml", out="ray", **named)
    assert files(Path("ray")) == files(studies.reproduce("mine.toml", out="local", **named))


class Endpoint(ThreadingHTTPServer):
    """An endpoint on loopback, which says the same to the same question, and takes a key."""

    daemon_threads = True

    def __init__(self, pause: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.pause = pause
        self.asked: list[str] = []
        self.keys: set[str | None] = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Answers(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append(body)
        self.server.keys.add(self.headers["Authorization"])
        time.sleep(self.server.pause)
        said = ("left", "right", "forward")[len(body) % 3]
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        whole = json.dumps({"model": json.loads(body)["model"], "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(whole)))
        self.end_headers()
        self.wfile.write(whole)

    def log_message(self, *_: object) -> None:
        pass


#: Six cells a seed and 20 questions in each of two tasks, of a model that nobody has recorded.
ASKING: dict[str, Any] = {"set": {"moments": 20}, "seeds": "0..3", "advisor": "m/plain/generate"}


@pytest.fixture()
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-known-to-one-process")
    return "Bearer sk-known-to-one-process"


def test_live_answers_are_paid_for_once_and_leave_the_bytes_of_a_local_run(
    cluster: Any, local: dict[str, bytes], key: str, tmp_path: Path
) -> None:
    endpoint = Endpoint()
    live = studies.Live(endpoint.url, budget=10_000, ledger=tmp_path / "calls.jsonl")
    ran = counsel.ray.reproduce("babyai-repeat", out=tmp_path / "ray", live=live, **ASKING)
    assert ran == 24 and endpoint.keys == {key}
    paid = len(endpoint.asked)
    assert paid == len(set(endpoint.asked)) == counsel.Ledger(tmp_path / "calls.jsonl", limit=10_000).spent
    # A local run with the same answers in its folder asks nothing, and writes the same.
    shutil.copytree(tmp_path / "ray" / "answers", tmp_path / "local" / "answers")
    studies.reproduce("babyai-repeat", out=tmp_path / "local", live=studies.Live(endpoint.url, budget=1), jobs=2, **ASKING)
    assert len(endpoint.asked) == paid
    assert files(tmp_path / "ray") == files(tmp_path / "local")
    assert "(100.0000 %)" in str(counsel.audit(tmp_path / "ray"))
    assert counsel.ray.reproduce("babyai-repeat", out=tmp_path / "ray", live=live, **ASKING) == 0, "all is there"
    # One that asks for itself from the beginning asks the same.
    other = Endpoint()
    studies.reproduce("babyai-repeat", out=tmp_path / "own", live=studies.Live(other.url, budget=10_000), **ASKING)
    assert sorted(other.asked) == sorted(endpoint.asked)


def test_a_spent_budget_ends_a_live_run_and_the_next_goes_on(
    cluster: Any, local: dict[str, bytes], key: str, tmp_path: Path
) -> None:
    endpoint, out = Endpoint(), tmp_path / "runs"
    with pytest.raises(studies.ProgramError, match=r"of 24 cells are unfinished: .*the budget of 7 calls is spent"):
        counsel.ray.reproduce("babyai-repeat", out=out, live=studies.Live(endpoint.url, budget=7), **ASKING)
    assert len(endpoint.asked) == 7
    counsel.ray.reproduce("babyai-repeat", out=out, live=studies.Live(endpoint.url, budget=10_000), **ASKING)
    assert len(endpoint.asked) == len(set(endpoint.asked)), "an answer that was there was paid for again"
    assert sum(name.endswith(".parquet") for name in files(out)) == 24
    written = b"".join(files(out).values())
    assert b"sk-known" not in written


def test_a_killed_node_costs_no_call_twice_and_is_not_made_up_for_in_silence(
    cluster: Any, local: dict[str, bytes], key: str, tmp_path: Path
) -> None:
    endpoint, out = Endpoint(pause=0.05), tmp_path / "runs"
    live = studies.Live(endpoint.url, budget=10_000, ledger=tmp_path / "calls.jsonl")

    def kill() -> None:
        while len(endpoint.asked) < 10:
            time.sleep(0.01)
        cluster.remove_node(cluster.second, allow_graceful=False)

    threading.Thread(target=kill).start()
    with pytest.raises(studies.ProgramError, match=r"cells are unfinished: a task was lost"):
        counsel.ray.reproduce("babyai-repeat", out=out, live=live, **ASKING)
    left = studies.due("babyai-repeat", out=out, live=live, **ASKING)
    assert 0 < len(left) < 24
    assert counsel.ray.reproduce("babyai-repeat", out=out, live=live, **ASKING) == len(left)
    assert len(endpoint.asked) == len(set(endpoint.asked)) == counsel.Ledger(live.ledger or "", limit=10_000).spent


def test_a_process_that_asks_and_is_killed_loses_no_paid_answer(
    cluster: Any, local: dict[str, bytes], key: str, tmp_path: Path
) -> None:
    endpoint, out = Endpoint(pause=0.02), tmp_path / "runs"
    live = studies.Live(endpoint.url, budget=10_000)

    def kill() -> None:
        while len(endpoint.asked) < 15:
            time.sleep(0.01)
        # It is stopped first, so that a question is on its way that it never reads.
        for signal in ("-STOP", "-KILL"):
            subprocess.run(["pkill", signal, "-f", f"advisor serve --base-url {endpoint.url}"], check=True)
            time.sleep(0.5)

    threading.Thread(target=kill).start()
    with pytest.raises(counsel.StateError, match="the process that asks live models failed: it ended with -9"):
        counsel.ray.reproduce("babyai-repeat", out=out, live=live, at_once=1, **ASKING)
    counsel.ray.reproduce("babyai-repeat", out=out, live=live, at_once=1, **ASKING)
    twice = len(endpoint.asked) - len(set(endpoint.asked))
    assert twice <= 1, "only what was under way when it was killed can be asked again"
    assert sum(name.endswith(".parquet") for name in files(out)) == 24


def test_a_process_that_cannot_ask_says_why(cluster: Any, local: dict[str, bytes], tmp_path: Path) -> None:
    live = studies.Live("http://127.0.0.1:9", budget=5, key_env="NO_SUCH_KEY")
    with pytest.raises(studies.ProgramError, match="NO_SUCH_KEY"):
        counsel.ray.reproduce("babyai-repeat", out=tmp_path, live=live, **ASKING)


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
