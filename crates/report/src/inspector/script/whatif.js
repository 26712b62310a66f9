  // What would have been decided under other settings. The program's own engine, compiled for this page, makes every decision of a cell
  // again where the run really was. Nothing is decided in this file. The engine reads a question and writes an answer, and has no other way out.
  const SLIDERS = [
    ["price", "price of a call ×", () => [-2, 2, 0.05, 0], (at) => 10 ** at], ["radius", "radius ×", () => [0, 4, 0.05, 1], (at) => at],
    ["tolerance", "tolerance", ({ execution }) => { const of = execution.certified ?? execution.unscreened; return of && [0, 2 * of.tolerance + 0.5, 0.005, of.tolerance]; }, (at) => at],
    ["trust", "trust in the advisor's word ×", () => [0, 4, 0.05, 1], (at) => at],
    ["bankroll", "what advice may lose", ({ bankroll }) => bankroll && [0, 4 * bankroll.start + 1, 0.01, bankroll.start], (at) => at],
    ["budget", "budget of calls", ({ budget }, calls) => { const most = budget.per_run ?? budget.per_episode; return most != null && [0, Math.max(2 * Math.min(most, calls + 50), 10), 1, most]; }, (at) => at],
  ];
  let engine = null, asked = 0;
  const books = new Map(), moved = new Map();

  // What the engine may do: read what it is asked, say its answer, and end.
  function answered(module, question) {
    let read = 0, memory = null;
    const told = [], view = () => new DataView(memory.buffer);
    const each = (list, count, use) => { for (let at = 0; at < count; at += 1) use(view().getUint32(list + 8 * at, true), view().getUint32(list + 8 * at + 4, true)); };
    const system = {
      fd_read: (_, list, count, done) => {
        const before = read;
        each(list, count, (start, length) => {
          const part = question.subarray(read, read + length);
          new Uint8Array(memory.buffer, start).set(part);
          read += part.length;
        });
        view().setUint32(done, read - before, true);
        return 0;
      },
      fd_write: (_, list, count, done) => {
        let written = 0;
        each(list, count, (start, length) => { told.push(new Uint8Array(memory.buffer, start, length).slice()); written += length; });
        view().setUint32(done, written, true);
        return 0;
      },
      environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
      environ_get: () => 0,
      proc_exit: (code) => { throw new Error(`the engine ended with ${code}`); },
    };
    const program = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system });
    memory = program.exports.memory;
    program.exports._start();
    const answer = JSON.parse(told.map((part) => new TextDecoder().decode(part)).join(""));
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  async function bookOf(cell, place) {
    if (!books.has(place)) {
      const text = isServed ? await fetch("/book/" + [cell.study, cell.arm, cell.seed].map(encodeURIComponent).join("/")).then(async (answer) => {
        if (!answer.ok) throw new Error(await answer.text());
        return answer.text();
      }) : document.querySelectorAll("template.book")[place].content.textContent;
      books.set(place, await inflated(text));
    }
    return books.get(place);
  }

  // The answer to a change of the settings of a cell, as the engine gives it.
  async function whatIf(place, change) {
    engine ??= await WebAssembly.compile(await inflated($("engine").content.textContent));
    const book = await bookOf(cells[place], place), line = new TextEncoder().encode(JSON.stringify(change) + "\n");
    const question = new Uint8Array(line.length + book.length);
    question.set(line);
    question.set(book, line.length);
    return answered(engine, question);
  }

  const NOW = { s: "is silent", u: "cannot pay", f: "asks and follows the answer", r: "asks and rejects the answer", q: "asks; nobody knows what it would have heard" };
  async function reckon() {
    const mine = (asked += 1), cell = cells[at.cell], change = Object.fromEntries([...moved].map(([name, value]) => [name, name === "budget" ? Math.round(value) : value]));
    let told;
    try { told = await whatIf(at.cell, change); } catch (error) { return $("flips").replaceChildren(make("p", { class: "bad" }, String(error))); }
    if (mine !== asked) return;
    const { flips, before, after, leaves } = told, count = (is) => flips.filter(is).length, asks = (letter) => "frq".includes(letter);
    const sums = `${flips.length} of ${cell.decisions} decisions flip: ${count((f) => asks(f.now) && !asks(f.was))} ask that did not, ${count((f) => asks(f.was) && !asks(f.now))} no longer ask, ${count((f) => f.does !== null && f.does !== f.did)} act otherwise.`;
    const spent = `Calls ${before.calls} → ${after.calls}, cost ${+before.cost.toPrecision(6)} → ${+after.cost.toPrecision(6)}.`;
    const end = leaves === null ? "The run would have gone the same way." : `From step ${leaves} on the run would have gone another way: every decision is weighed where the run really was, and what a flip leads to is in no log. ${isServed ? "" : "This page ends here: it was sent, and has no world. `counsel view` plays the run on from that step."}`;
    const rows = flips.slice(0, 40).map((flip) => make("li", {}, make("a", { href: `#${cell.key}@${flip.step}` }, `step ${flip.step}`), ` ${OUTCOME[flip.was][0]} → ${NOW[flip.now]}${flip.does !== null && flip.does !== flip.did ? `; does ${word(cell, flip.does)} instead of ${word(cell, flip.did)}` : ""}`));
    const on = isServed && leaves !== null ? make("button", { type: "button", id: "play-on", click: () => playOn(at.cell, leaves, change, flips.find((flip) => flip.step === leaves)) }, `Play on from step ${leaves}`) : "";
    Object.assign($("flips").dataset, { asked: JSON.stringify(change), told: JSON.stringify(told) });
    $("flips").replaceChildren(make("p", {}, make("strong", {}, sums), " ", spent, " ", end), on, make("details", { open: true, id: "flipped" }, make("summary", {}, "The decisions that flip"), make("ol", {}, ...rows)), flips.length > 40 ? make("p", { class: "soft" }, `and ${flips.length - 40} more`) : "");
  }

  function sliders() {
    const cell = cells[at.cell], rows = [];
    moved.clear();
    asked += 1;
    if (cell.no_book) return $("sliders").replaceChildren(make("p", { class: "soft" }, cell.no_book));
    for (const [name, label, range, value] of SLIDERS) {
      const ends = range(cell.settings, cell.calls);
      if (!ends) continue;
      const [min, max, step, start] = ends, shown = make("output", { for: "if-" + name }, String(+value(start).toPrecision(4)));
      const input = make("input", { type: "range", id: "if-" + name, min, max, step: "any", value: start, input: () => {
        moved.set(name, value(+input.value));
        shown.textContent = String(name === "budget" ? Math.round(+input.value) : +value(+input.value).toPrecision(4));
        reckon();
      } });
      input.step = step;
      input.value = start;
      rows.push(make("label", { for: "if-" + name }, label), input, shown);
    }
    $("sliders").replaceChildren(...rows, make("button", { type: "button", click: () => { sliders(); $("flips").replaceChildren(); } }, "as it was"));
    $("flips").replaceChildren();
  }
