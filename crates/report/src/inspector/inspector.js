"use strict";
// The decision inspector. All words are set as text, never as markup. State: which cell, which cell beside it, which episode, which step in it.
(async () => {
  const $ = (id) => document.getElementById(id);
  const make = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const draw = (name, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  function fill(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(key, value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  const head = await unpack($("head").content.textContent);
  const cells = head.cells;
  const packed = document.querySelectorAll("template.chunk");
  const loaded = new Map();

  // One episode of a cell: its data, unpacked when first wanted. Few chunks are kept.
  async function episodeOf(cell, place) {
    const [number, chunk] = cell.episodes[place];
    const key = head.source === "page" ? chunk : cell.key + "@" + number;
    if (!loaded.has(key)) {
      const text = head.source === "page" ? packed[chunk].content.textContent : await served(cell, number);
      if (loaded.size > 8) loaded.delete(loaded.keys().next().value);
      loaded.set(key, await unpack(text));
    }
    const { t, e } = loaded.get(key);
    const found = e.find((episode) => episode.n === number);
    for (const field of ["w", "v"]) {
      found.s.forEach((step, at) => { if (step[field] === undefined && at > 0) step[field] = found.s[at - 1][field]; });
    }
    return { ...found, patterns: t };
  }

  async function served(cell, number) {
    const answer = await fetch("/episode/" + [cell.study, cell.arm, cell.seed, number].map(encodeURIComponent).join("/"));
    if (!answer.ok) throw new Error(await answer.text());
    return answer.text();
  }

  const at = { cell: 0, beside: -1, episode: 0, step: 0, hindsight: false };
  let shown = null; // the episode's data, and that of the cell beside it

  const numbersOf = (step) => (step.numbers ??= step.x.split(" "));
  function explanation(episode, step) {
    let next = 0;
    const numbers = numbersOf(step);
    return step.l.map((line) => episode.patterns[line].replace(/\u0001/g, () => numbers[next++]));
  }

  const OUTCOME = { s: ["silent", "soft"], u: ["no call left", "open"], f: ["asked and followed", "good"], r: ["asked and rejected", "bad"] };
  const VERDICT = { e: ["acts", "good"], u: ["unusable", "open"], c: ["not certified", "bad"], n: ["not improving", "bad"], v: ["too uncertain", "bad"], i: ["impossible", "bad"] };
  const word = (cell, action) => cell.words[action] ?? "a" + action;
  const real = (value) => (typeof value === "string" ? Number(value.replace("inf", "Infinity")) : value);
  const number = (value) => (typeof value === "string" ? value.replace("inf", "infinite") : value.toFixed(6));

  // The world, tile by tile: a mark and a hue, in capitals where the agent sees the cell.
  function picture(rows, label) {
    const lines = rows.split("\n");
    const side = Math.max(...lines.map((line) => line.length / 2)), size = Math.max(8, Math.min(28, Math.floor(200 / Math.max(side, lines.length, 1))));
    const svg = draw("svg", { viewBox: `0 0 ${side * size} ${lines.length * size}`, width: side * size, role: "img", "aria-label": label });
    lines.forEach((line, y) => {
      for (let x = 0; 2 * x < line.length; x += 1) tile(svg, line[2 * x], line[2 * x + 1], x * size, y * size, size);
    });
    return svg;
  }

  const GROUND = " ~#T!citdf";
  function tile(svg, mark, letter, x, y, size) {
    const hue = letter.toLowerCase(), seen = letter !== hue, [cx, cy, r] = [x + size / 2, y + size / 2, size * 0.34];
    const ground = mark === "?" ? "cell dark" : GROUND.includes(mark) && hue !== "w" ? "h-" + hue : seen ? "cell lit" : "cell";
    svg.append(draw("rect", { x, y, width: size - 0.5, height: size - 0.5, class: ground, "fill-opacity": mark === "#" || seen || mark === "?" ? 1 : 0.75 }));
    const path = (d, extra = "") => svg.append(draw("path", { d, class: "h-" + hue + " " + extra }));
    const turn = ">v<^".indexOf(mark);
    if (turn >= 0) {
      svg.append(draw("path", { d: `M${r} 0L${-r} ${r * 0.8}L${-r} ${-r * 0.8}Z`, class: "h-r", transform: `translate(${cx} ${cy}) rotate(${turn * 90})` }));
    } else if (mark === "O") svg.append(draw("circle", { cx, cy, r, class: "h-" + hue }));
    else if (mark === "B") path(`M${cx - r} ${cy - r}h${2 * r}v${2 * r}h${-2 * r}Z`, "line s-" + hue);
    else if (mark === "K") {
      svg.append(draw("circle", { cx, cy: cy - r / 2, r: r / 2.2, class: "line s-" + hue }));
      path(`M${cx} ${cy}v${r}m0 ${-r * 0.1}h${r * 0.6}m${-r * 0.6} ${-r * 0.45}h${r * 0.5}`, "line s-" + hue);
    }
    else if (mark === "D" || mark === "L" || mark === "_") {
      const w = size * 0.8, o = size * 0.1;
      svg.append(draw("rect", { x: x + o, y: y + o, width: mark === "_" ? w / 5 : w, height: w, class: (mark === "D" ? "line s-" : "h-") + hue }));
      if (mark !== "_") svg.append(draw("circle", { cx: x + size * 0.72, cy, r: size * 0.08, class: mark === "D" ? "h-" + hue : "h-w" }));
    } else if (mark !== " " && mark !== "#" && mark !== "?") {
      const own = hue !== "w" && !GROUND.includes(mark);
      if (own) svg.append(draw("circle", { cx, cy, r: size * 0.42, class: "h-" + hue }));
      svg.append(draw("text", { x: cx, y: cy + 4, class: "tile" + (own || "ebgn".includes(hue) ? " pale" : "") }, mark));
    }
  }

  function sightCard(episode, step) {
    const card = make("div", { class: "card sight" });
    if (episode.why) return card.append(make("h2", {}, "World"), make("p", { class: "bad" }, "No picture: " + episode.why + ".")), card;
    if (step.t) card.append(make("p", {}, step.t));
    if (step.w) card.append(make("div", {}, make("h2", {}, "World"), picture(step.w, "The world; cells that the agent sees are lit")));
    if (step.v) card.append(make("div", {}, make("h2", {}, "What the agent sees"), picture(step.v, "What the agent sees")));
    card.append(make("p", { class: "soft" }, "Replayed: rewards and contexts agree with the log."));
    return card;
  }

  function rowsCard(cell, step) {
    if (step.e) return advisorsCard(cell, step);
    const numbers = numbersOf(step), dots = step.d.split(" "), [low, high] = step.ax, width = 104, count = dots.length;
    const place = (value) => 4 + ((value - low) / (high - low || 1)) * (width - 8);
    const tags = (action) => [[step.b, "fallback"], [step.o, "a⁰"], [step.h, "kept"], [step.y, "advised"], [step.m, "executed"]]
      .filter(([named]) => named === action).map(([, tag]) => make("span", { class: "tag " + (tag === "executed" ? "good" : tag === "advised" ? "open" : "soft") }, tag));
    const leads = (response) => {
      const [told, colour] = VERDICT[step.pv[response]];
      return make("td", {}, "→ " + word(cell, step.pa[response]) + " ", make("span", { class: colour }, told));
    };
    const share = (text) => make("td", { class: "n" }, text + " %");
    const body = make("tbody");
    for (let action = 0; action < count; action += 1) {
      const [mean, lower, upper, chance] = numbers.slice(step.z + 4 * action, step.z + 4 * action + 4);
      const svg = draw("svg", { width, height: 18, viewBox: `0 0 ${width} 18`, role: "img", "aria-label": `mean ${mean}, bounds ${lower} to ${upper}, ${dots[action].length} samples` },
        draw("title", {}, `mean ${mean}, bounds [${lower}, ${upper}]`), draw("line", { x1: 4, x2: width - 4, y1: 9, y2: 9, class: "axis" }), draw("line", { x1: place(+lower), x2: place(+upper), y1: 9, y2: 9, class: "bound" }));
      for (const dot of dots[action]) svg.append(draw("circle", { cx: 4 + (PLACES.indexOf(dot) / 63) * (width - 8), cy: 9, r: 3, class: "dot" }));
      svg.append(draw("line", { x1: place(+mean), x2: place(+mean), y1: 2, y2: 16, class: "mean" }));
      body.append(make("tr", { class: step.m === action ? "done" : null }, make("td", {}, word(cell, action), ...tags(action)), make("td", {}, svg),
        make("td", { class: "n" }, mean, named(step.k?.[action])), make("td", { class: "n soft small" }, `[${lower}, ${upper}]`), share(chance), leads(action)));
    }
    body.append(make("tr", {}, make("td", { class: "soft" }, "(unusable)", ...tags(-1)), make("td", {}), make("td", {}), make("td", {}), share(numbers[step.z + 4 * count]), leads(count)));
    const headings = ["action", "values", "mean before an answer", "bounds", "predicted", "d(y)"].map((text, at) => make("th", { scope: "col", title: at === 1 ? `samples, bounds and mean, from ${low} to ${high}` : null }, text));
    return make("div", { class: "card rows", tabindex: 0, role: "region", "aria-label": "Actions" }, make("table", {}, make("thead", {}, make("tr", {}, ...headings)), body));
  }
  // Who can answer a request, and who did.
  function advisorsCard(cell, step) {
    const row = ([reward, hope, cost, chance], advisor) => make("tr", { class: step.m === advisor ? "done" : null },
      make("td", {}, word(cell, advisor), ...(step.m === advisor ? [make("span", { class: "tag good" }, "answered")] : [])),
      ...[reward.toFixed(4), hope.toFixed(4), cost.toPrecision(4), chance.toFixed(3)].map((text) => make("td", { class: "n" }, text)));
    const headings = ["advisor", "expected reward", "in hope", "cost", "probability"].map((text) => make("th", { scope: "col" }, text));
    return make("div", { class: "card rows", tabindex: 0, role: "region", "aria-label": "Advisors" }, make("table", {}, make("thead", {}, make("tr", {}, ...headings)), make("tbody", {}, ...step.e.map(row))));
  }
  // The value of an action once an answer names it, where that is another one.
  const named = (worth) => worth ? make("div", { class: "small", title: "value once an answer names it" }, `named: ${worth[0].toFixed(4)}`, worth[1] ? ` (credit ${worth[1].toFixed(4)})` : "") : null;
  const PLACES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  function gateCard(cell, step) {
    const [estimate, radius, score, threshold, price] = step.g;
    const [told, colour] = OUTCOME[step.c];
    const sum = cell.gate === "predictive" ? [`estimate ${number(estimate)} − radius ${number(radius)} = `] : [];
    const wants = real(score) >= real(threshold) ? "≥" : "<";
    const line = make("p", { class: "mono" }, ...sum, `score ${number(score)} ${wants} threshold ${number(threshold)}`);
    return make("div", { class: "card" }, make("h2", {}, "Gate: " + cell.gate), make("p", {}, make("strong", { class: colour }, told)), line,
      make("dl", {}, make("dt", {}, "price"), make("dd", {}, number(price)), make("dt", {}, "calls left"), make("dd", {}, step.q.length > 15 ? "unlimited" : step.q)));
  }

  function answerCard(cell, step) {
    const card = make("div", { class: "card" }, make("h2", {}, "Answer of " + cell.advisor));
    if (!step.a) return card.append(make("p", { class: "soft" }, "Nobody was asked.")), card;
    const { prompt, reply, source, cert } = step.a;
    if (prompt) card.append(make("details", {}, make("summary", {}, "Prompt"), make("pre", { tabindex: 0, "aria-label": "Prompt" }, prompt)));
    card.append(make("p", { class: "soft" }, `Reply (${source})`), make("pre", { class: "reply", tabindex: 0, "aria-label": "Reply" }, visible(reply) || "(empty)"));
    cert.forEach((line) => card.append(make("p", { class: "mono" }, line)));
    return card;
  }
  // Characters that change what follows are written out; a browser shows the others as they are.
  const visible = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");

  function happenedCard(cell, step) {
    const facts = [["executed", word(cell, step.m)], ["reward", String(step.r)]];
    if (at.hindsight) facts.push(...step.hs.filter(([name]) => name !== "reward").map(([name, value]) => [name === "right_action" ? "right action" : name, name === "right_action" ? word(cell, +value) : value]));
    const list = make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    return make("div", { class: "card" }, make("h2", {}, at.hindsight ? "What happened, and hindsight" : "What happened"), list);
  }

  function panel(cell, episode, step) {
    const title = make("p", { class: "title" }, `${cell.key} · step ${step.n} (episode ${episode.n}, step ${step.j} of it)`);
    const lines = explanation(episode, step).filter((line) => at.hindsight || !line.startsWith("  in hindsight"));
    const foot = make("details", { open: true }, make("summary", {}, "counsel explain"), make("pre", { class: "whole explain", tabindex: 0, "aria-label": "Explanation" }, lines.join("\n") + "\n"));
    return make("section", { class: "panel", "aria-label": cell.key }, title, sightCard(episode, step), make("div", {}, rowsCard(cell, step), foot),
      make("div", { class: "last" }, gateCard(cell, step), answerCard(cell, step), happenedCard(cell, step)));
  }

  function timeline(episode) {
    const steps = episode.s, wide = 1000, pitch = wide / steps.length, x = (at) => (at + 0.5) * pitch;
    const svg = draw("svg", { viewBox: `0 0 ${wide} 84`, preserveAspectRatio: "none", role: "img", "aria-label": `Timeline of ${steps.length} steps`,
      click: (event) => { const box = svg.getBoundingClientRect(); go({ step: Math.min(steps.length - 1, Math.floor(((event.clientX - box.left) / box.width) * steps.length)) }); } });
    const r = Math.min(5, Math.max(1.2, pitch * 0.4));
    const over = steps.map(({ g }) => g[2] - g[3]).map((over) => (Number.isFinite(over) ? over : null)), most = Math.max(1e-9, ...over.map((v) => Math.abs(v ?? 0)));
    const gains = Math.max(1e-9, ...steps.map((step) => Math.abs(step.r))), calls = steps.map((step) => (step.q.length > 15 ? null : +step.q)), all = Math.max(1, ...calls.map((q) => q ?? 0));
    svg.append(draw("rect", { id: "now", y: 0, height: 84, width: Math.max(pitch, 3), x: 0, class: "t-now" }), draw("line", { x1: 0, x2: wide, y1: 38, y2: 38, class: "axis" }));
    steps.forEach((step, at) => {
      const mark = step.c === "f" ? draw("circle", { cx: x(at), cy: 10, r, class: "t-f" })
        : step.c === "r" ? draw("path", { d: `M${x(at) - r} ${10 - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`, class: "t-r" })
        : step.c === "u" ? draw("path", { d: `M${x(at)} ${10 - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z`, class: "t-u" })
        : draw("rect", { x: x(at) - r / 3, y: 9, width: (2 * r) / 3, height: 2, class: "t-s" });
      mark.append(draw("title", {}, `step ${step.n}: ${OUTCOME[step.c][0]}`));
      svg.append(mark);
      if (over[at] !== null) {
        const tall = (Math.abs(over[at]) / most) * 16;
        svg.append(draw("rect", { x: x(at) - pitch * 0.3, width: pitch * 0.6, y: over[at] >= 0 ? 38 - tall : 38, height: Math.max(tall, 0.5), class: over[at] >= 0 ? "over" : "under" }));
      }
      if (step.r !== 0) { const tall = Math.max(2, (Math.abs(step.r) / gains) * 14); svg.append(draw("rect", { x: x(at) - pitch * 0.25, width: pitch * 0.5, y: 80 - tall, height: tall, class: step.r > 0 ? "gain" : "loss" })); }
    });
    if (calls.every((q) => q !== null)) svg.append(draw("polyline", { points: calls.map((q, at) => `${x(at)},${64 - (q / all) * 8}`).join(" "), class: "calls" }));
    const slide = make("input", { type: "range", min: 0, max: steps.length - 1, value: at.step, id: "slide", "aria-label": "Step", input: (event) => go({ step: +event.target.value }) });
    $("timeline").replaceChildren(svg, slide, make("div", { class: "soft" }, "● followed  × rejected  ◇ no call left  · silent; bars: score − threshold around zero; line: calls left; below: rewards"));
  }

  // The first step at which the two did something else, from this cell's first episode on.
  function divergence() {
    const [one, other] = [cells[at.cell], cells[at.beside]];
    for (let place = 0; place < one.episodes.length; place += 1) {
      const [n, , , outcomes, executed] = one.episodes[place];
      const twin = other.episodes.find((episode) => episode[0] === n);
      if (!twin) continue;
      const asks = (letter) => letter === "f" || letter === "r";
      for (let step = 0; step < Math.max(executed.length, twin[4].length); step += 1) {
        if (executed[step] !== twin[4][step] || asks(outcomes[step]) !== asks(twin[3][step])) return { episode: place, step: Math.min(step, executed.length - 1) };
      }
    }
    return null;
  }

  // The next step from here on, this one left out, whose outcome is one of these letters.
  function next(letters) {
    const { episodes } = cells[at.cell];
    for (let place = at.episode; place < episodes.length; place += 1) {
      const from = place === at.episode ? at.step + 1 : 0;
      const found = [...episodes[place][3]].findIndex((letter, step) => step >= from && letters.includes(letter));
      if (found >= 0) return { episode: place, step: found };
    }
    return null;
  }

  function move(by) {
    const { episodes } = cells[at.cell];
    let [episode, step] = [at.episode, at.step + by];
    if (step < 0) { if (episode === 0) return; episode -= 1; step = episodes[episode][3].length - 1; }
    if (step >= episodes[episode][3].length) { if (episode + 1 >= episodes.length) return; episode += 1; step = 0; }
    go({ episode, step });
  }

  const commands = {
    j: ["next step", () => move(1)], k: ["step before", () => move(-1)],
    a: ["next asked", () => go(next("fr"))], r: ["next rejected", () => go(next("r"))],
    "[": ["episode before", () => at.episode > 0 && go({ episode: at.episode - 1, step: 0 })],
    "]": ["next episode", () => at.episode + 1 < cells[at.cell].episodes.length && go({ episode: at.episode + 1, step: 0 })],
    h: ["hindsight", () => go({ hindsight: !at.hindsight })],
    d: ["first divergence", () => at.beside >= 0 && go(divergence())],
  };

  const permalink = () => "#" + cells[at.cell].key + "@" + (cells[at.cell].episodes[at.episode][2] + at.step) + (at.beside >= 0 ? "+" + cells[at.beside].key : "");

  function bar() {
    const cell = cells[at.cell];
    const option = (text, value, chosen) => make("option", { value, selected: chosen }, text);
    const pick = (label, id, options, chosen) => [make("label", { for: id }, label), make("select", { id, change: (event) => chosen(+event.target.value) }, ...options)];
    const beside = cells.map((other, place) => [other, place]).filter(([other, place]) => place !== at.cell && other.study === cell.study && other.seed === cell.seed);
    const agree = cell.agreeing === cell.decisions;
    const buttons = Object.entries(commands).filter(([key]) => key !== "d" || at.beside >= 0)
      .map(([key, [name, act]]) => make("button", { type: "button", click: act, title: `key ${key}`, "aria-pressed": key === "h" ? String(at.hindsight) : null }, `${name} (${key})`));
    $("bar").replaceChildren(
      ...pick("cell", "cell", cells.map((c, place) => option(c.key, place, place === at.cell)), (place) => go({ cell: place, beside: -1, episode: 0, step: 0 })),
      ...(beside.length ? pick("beside", "beside", [option("none", -1, at.beside < 0), ...beside.map(([c, place]) => option(c.key, place, place === at.beside))], (place) => go({ beside: place })) : []),
      ...pick("episode", "episode", cell.episodes.map(([n, , , outcomes, , gain], place) => option(`${n} (${outcomes.length} steps, ${[...outcomes].filter((c) => c === "f" || c === "r").length} calls, return ${+gain.toFixed(4)})`, place, place === at.episode)), (place) => go({ episode: place, step: 0 })),
      make("span", { class: "badge good", title: "digest of the manifest " + cell.seal }, "sealed"),
      make("span", { class: "badge " + (agree ? "good" : "bad") }, `audit: ${cell.agreeing} of ${cell.decisions} agree`), ...buttons);
  }

  // Goes somewhere: the place is set first, then the data are fetched, so a slow episode never shows under a wrong name.
  let turn = 0;
  async function go(change) {
    if (!change) return;
    const before = { ...at };
    Object.assign(at, change);
    const episodes = cells[at.cell].episodes;
    at.episode = Math.max(0, Math.min(at.episode, episodes.length - 1));
    at.step = Math.max(0, Math.min(at.step, episodes[at.episode][3].length - 1));
    const mine = (turn += 1);
    const other = at.beside >= 0 ? cells[at.beside] : null;
    if (!shown || before.cell !== at.cell || before.episode !== at.episode || before.beside !== at.beside) {
      try {
        const twin = other ? other.episodes.findIndex(([n]) => n === episodes[at.episode][0]) : -1;
        const data = [await episodeOf(cells[at.cell], at.episode), twin >= 0 ? await episodeOf(other, twin) : null];
        if (mine !== turn) return;
        shown = data;
      } catch (error) {
        $("panels").replaceChildren(make("p", { class: "bad", role: "alert" }, String(error)));
        return;
      }
      bar();
      timeline(shown[0]);
    } else if (before.hindsight !== at.hindsight) bar();
    render(other);
  }

  function render(other) {
    const [episode, twin] = shown, step = episode.s[at.step];
    const panels = [panel(cells[at.cell], episode, step)];
    if (other) panels.push(twin && twin.s[at.step] ? panel(other, twin, twin.s[at.step]) : make("p", { class: "soft" }, `${other.key} has no such step.`));
    $("panels").className = other ? "two" : "";
    $("panels").replaceChildren(...panels);
    const pitch = 1000 / episode.s.length;
    $("now").setAttribute("x", (at.step + 0.5) * pitch - Math.max(pitch, 3) / 2);
    $("slide").value = at.step;
    const link = permalink();
    if (location.hash !== link) history.replaceState(null, "", link);
    $("foot").replaceChildren(make("p", {}, "Link to this step: ", make("a", { href: link, id: "permalink" }, link)));
    document.body.dataset.ready = link;
  }

  // A link names a cell, the decision's number in it, and the cell beside it.
  function linked() {
    let text = location.hash.slice(1);
    try { text = decodeURIComponent(text); } catch { /* it is taken as it stands */ }
    const [own, beside] = text.split("+"), [key, number] = (own ?? "").split("@");
    const cell = cells.findIndex((c) => c.key === key);
    if (cell < 0) return { cell: 0, beside: -1, episode: 0, step: 0 };
    const step = +number || 0, { episodes } = cells[cell];
    const found = episodes.findIndex(([, , first, outcomes]) => step >= first && step < first + outcomes.length);
    const episode = Math.max(found, 0);
    return { cell, beside: cells.findIndex((c) => c.key === beside && c.key !== key), episode, step: found < 0 ? 0 : step - episodes[episode][2] };
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const command = commands[event.key];
    if (command) { event.preventDefault(); command[1](); }
  });
  addEventListener("hashchange", () => { if (location.hash !== permalink()) go(linked()); });
  await go(linked());
})();
