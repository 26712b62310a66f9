/** The client against a real sidecar, whose address is the first argument. Ends with an error where something is not as it must be. */

import { connect, SidecarError } from "./counsel.js";

declare const process: { argv: string[]; exit(code: number): never };

function must(holds: boolean, what: string): void {
  if (!holds) {
    console.error(what);
    process.exit(1);
  }
}

const url = process.argv[2] ?? "";
const controller = connect(url, { policy: "p", run: "typescript" });

// A step that runs again under its key is decided once.
const first = await controller.decide({ context: "room 1", base: "left", key: "node-1" });
const again = await controller.decide({ context: "room 1", base: "left", key: "node-1" });
if (first.kind === "ask") {
  must(again.kind === "ask" && again.ask.permit === first.ask.permit && again.ask.replayed, "the same key was decided twice");
  const done = await controller.resume(first.ask, "right");
  must(done.kind === "act" && done.act.asked, "a question was resumed and did not end");
  const settled = await controller.decide({ context: "room 1", base: "left", key: "node-1" });
  must(settled.kind === "act" && settled.act.asked, "a settled question is asked again");
} else {
  must(JSON.stringify(first) === JSON.stringify(again), "the same key was decided twice");
}
await controller.outcome(1, { terminated: true });

let asked = 0;
let right = 0;
for (let step = 0; step < 12; step++) {
  const act = await controller.advise({
    context: `room ${step % 3}`,
    base: "left",
    confidence: 0.5,
    ask: async () => {
      asked += 1;
      return "right";
    },
  });
  right += act.action === "right" ? 1 : 0;
  must((await controller.explain(act.decision)) !== undefined, "a decision is not explained");
  await controller.outcome(act.action === "right" ? 1 : 0, { terminated: true });
}
must(asked > 0 && right > 0, `${asked} questions, ${right} good actions: nothing was bought`);
must(asked < 12, "every step was paid for, though rooms come back");

// An advisor that fails is paid for, and its error goes on.
let failed = false;
try {
  for (let room = 0; room < 50; room++) {
    await controller.advise({ context: `new room ${room}`, base: "left", ask: () => Promise.reject(new Error("gone")) });
    await controller.outcome(0, { terminated: true });
  }
} catch (error) {
  failed = error instanceof Error && error.message === "gone";
}
const budget = await controller.budget();
const calls = budget["calls"] as { limit: number; spent: number; open: number };
must(calls.open === 0 && calls.spent <= calls.limit, `the budget stands at ${JSON.stringify(calls)}`);
must(!failed || calls.spent > asked, "a lost question was not paid for");

let refused: unknown;
try {
  await connect(url, { policy: "nobody" }).decide({ base: "left" });
} catch (error) {
  refused = error;
}
must(refused instanceof SidecarError && refused.status === 404, "an unknown policy is not refused");
try {
  await connect("http://127.0.0.1:9", { policy: "p", timeOutMs: 2000 }).budget();
} catch (error) {
  refused = error;
}
must(refused instanceof SidecarError && refused.message.includes("counsel serve"), "a dead sidecar is not named");
console.log(`${asked} of 12 steps were paid for, ${right} took the good action`);
