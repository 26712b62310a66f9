#!/usr/bin/env python3
"""Hooks of a coding agent before `counsel serve`. Needs Python 3.10 and nothing else.

    counsel_hook.py guard      before and after an advisor tool of the client: it runs where its answer is worth the price
    counsel_hook.py nudge      after any tool: brings advice to an executor that fails and does not ask

The hook's JSON is read from standard input, and its decision written to standard output. Settings are variables:

    COUNSEL_URL       where `counsel serve` listens                    http://127.0.0.1:8787
    COUNSEL_POLICY    the policy that decides                          coding
    COUNSEL_TOKEN     the token that the server asks for               none
    COUNSEL_FAILURES  failures in a row after which advice is due      2
    COUNSEL_DOWN      what the guard says if nobody answers            deny, or allow

The policy has the actions "own" and "advice". A tool call is one decision, known by its `tool_use_id`, so a hook that runs twice pays
once. An advisor tool that fails is paid for all the same.
"""

import hashlib
import http.client
import json
import os
import pathlib
import sys
import tempfile
import urllib.error
import urllib.request

URL = os.environ.get("COUNSEL_URL", "http://127.0.0.1:8787").rstrip("/")
POLICY = os.environ.get("COUNSEL_POLICY", "coding")
TOKEN = os.environ.get("COUNSEL_TOKEN", "")
DOWN = os.environ.get("COUNSEL_DOWN", "deny")
# The most characters of a failure that are passed on.
LONGEST = 4000


class Refused(Exception):
    """The sidecar refuses; `kind` is the last part of its problem's type."""

    def __init__(self, problem):
        super().__init__(problem.get("detail") or problem.get("title") or "the sidecar refuses")
        self.kind = str(problem.get("type", "")).rsplit(":", 1)[-1]


def call(path, body=None, key=None):
    headers = {"Content-Type": "application/json"}
    headers |= {} if key is None else {"Idempotency-Key": key}
    headers |= {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    data = None if body is None else json.dumps(body).encode()
    # What is on this machine is not reached through a proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(URL + path, data, headers), timeout=90) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        try:
            problem = json.loads(error.read())
        except ValueError:
            problem = {}
        raise Refused(problem) from None


def name(text):
    """A text as a name that any path may hold."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in str(text))[:60]
    return plain or "none"


def said(event, **fields):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, **fields}}))


def decided(hook):
    """The decision on a call of the advisor tool. The same call is decided once, whichever hook asks."""
    known = json.dumps(hook.get("tool_input", {}), sort_keys=True)
    context = hashlib.sha256(known.encode()).hexdigest()[:24]
    body = {"policy": POLICY, "run": name(hook.get("session_id")), "context": {"key": context}, "fallback": {"action": "own"}}
    return call("/v1/decisions", body, f"hook-{name(hook.get('session_id'))}-{name(hook.get('tool_use_id'))}")


def guard(hook):
    event = hook.get("hook_event_name")
    turn = decided(hook)
    if event == "PreToolUse":
        if turn["verdict"] == "ask":
            said(event, permissionDecision="allow", permissionDecisionReason=f"worth its price: {turn.get('because', turn['reason'])}")
        else:
            why = turn.get("because") or turn["reason"]
            said(event, permissionDecision="deny", permissionDecisionReason=f"Advice is not worth its price here: {why}. Go on with your own plan.")
    elif turn["verdict"] == "ask" and event in ("PostToolUse", "PostToolUseFailure"):
        reply = {"text": "advice"} if event == "PostToolUse" else {"lost": True}
        judged = call(f"/v1/decisions/{turn['decision']}/resume", {"permit": turn["permit"]["id"], "reply": reply})
        may = "may act: follow it" if judged["verdict"] == "execute" else "does not act: keep to your own plan"
        why = judged.get("because") or judged["reason"]
        report = f"Report how it went: POST {URL}/v1/decisions/{turn['decision']}/outcome, or report_outcome with {turn['decision']}."
        said(event, additionalContext=f"The advice {may} ({why}). {report}")


def nudge(hook):
    event = hook.get("hook_event_name")
    session = hashlib.sha256(str(hook.get("session_id")).encode()).hexdigest()[:16]
    file = pathlib.Path(tempfile.gettempdir()) / f"counsel-hook-{session}"
    if event == "PostToolUse":
        file.unlink(missing_ok=True)
        return
    if event != "PostToolUseFailure":
        return
    due = os.environ.get("COUNSEL_FAILURES", "2")
    if not due.isdigit() or int(due) == 0:
        raise ValueError(f"COUNSEL_FAILURES is {due!r}; set it to 1 or more")
    failures = count(file)
    if failures % int(due):
        return
    tool, error = hook.get("tool_name", "a tool"), str(hook.get("error", ""))[-LONGEST:]
    used = json.dumps(hook.get("tool_input", {}))[:LONGEST]
    question = f"The tool {tool} failed {failures} times in a row.\nLast input: {used}\nLast error: {error}\nWhat should be done next?"
    try:
        key = f"nudge-{name(hook.get('session_id'))}-{name(hook.get('tool_use_id'))}"
        told = call("/v1/ask", {"policy": POLICY, "run": name(hook.get("session_id")), "question": question}, key)
    except Refused as refused:
        if refused.kind != "no-endpoint":
            raise
        calls = call(f"/v1/budgets/{POLICY}")["calls"]
        left = None if calls["limit"] is None else calls["limit"] - calls["spent"] - calls["open"]
        if left is None or left > 0:
            spare = "calls" if left is None else f"{left} calls"
            said(event, additionalContext=f"Ask now: {tool} failed {failures} times in a row, and {spare} of advice are left. Call the advisor tool.")
        return
    if told["asked"] and told.get("advice"):
        may = "It may act." if told["may_act"] else f"It may not act: {told['reason']}."
        report = f"Report how it went with decision {told['decision_id']}."
        said(event, additionalContext=f"Advice on the failures of {tool}: {told['advice']}\n{may} {report}")


def count(file):
    """One more failure in a row. The file is this user's own, and no link is followed."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "r+") as held:
        known = held.read(20)
        failures = (int(known) if known.isdigit() else 0) + 1
        held.seek(0)
        held.truncate()
        held.write(str(failures))
    return failures


def main():
    role = {"guard": guard, "nudge": nudge}.get(sys.argv[1] if len(sys.argv) == 2 else "")
    if role is None:
        print("pass one word: guard or nudge", file=sys.stderr)
        return 1
    try:
        hook = json.load(sys.stdin)
    except ValueError:
        print("standard input is no JSON; this is run by a coding agent as a hook", file=sys.stderr)
        # Of a guard, 2 says that the call may not go on.
        return 2 if role is guard else 1
    try:
        role(hook)
    except (Refused, OSError, ValueError, KeyError, http.client.HTTPException) as fault:
        if role is guard and hook.get("hook_event_name") == "PreToolUse":
            reason = f"The gate at {URL} cannot decide ({fault}). Start it with `counsel serve`, or set COUNSEL_DOWN=allow."
            said("PreToolUse", permissionDecision="allow" if DOWN == "allow" else "deny", permissionDecisionReason=reason)
        else:
            # Nothing is lost to the executor, so it is not held up.
            print(f"counsel: {fault}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
