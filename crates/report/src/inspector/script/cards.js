  // The cards of one decision: the plain sentence, the gate, the answer, the actions, what happened.
  function rowsCard(cell, step) {
    if (step.e) return advisorsCard(cell, step);
    const numbers = numbersOf(step), dots = step.d.split(" "), [low, high] = step.ax, width = 104, count = dots.length;
    const place = (value) => 4 + ((value - low) / (high - low || 1)) * (width - 8);
    const tags = (action) => [[step.b, "fallback"], [step.o, "a⁰"], [step.h, "kept"], [step.y, "advised"], [step.m, "executed"]]
      .filter(([named]) => named === action).map(([, tag]) => make("span", { class: "tag " + (tag === "executed" ? "good" : tag === "advised" ? "open" : "soft") }, tag));
    const leads = (response) => {
      const [told, colour] = VERDICT[step.pv[response]];
      return make("td", { class: "leads" }, "→ " + word(cell, step.pa[response], step) + " ", make("span", { class: colour }, told));
    };
    const share = (text) => make("td", { class: "n" }, text + " %");
    const body = make("tbody");
    for (let action = 0; action < count; action += 1) {
      const [mean, lower, upper, chance] = numbers.slice(step.z + 4 * action, step.z + 4 * action + 4);
      const svg = draw("svg", { width, height: 18, viewBox: `0 0 ${width} 18`, role: "img", "aria-label": `mean ${mean}, bounds ${lower} to ${upper}, ${dots[action].length} samples` },
        draw("title", {}, `mean ${mean}, bounds [${lower}, ${upper}]`), draw("line", { x1: 4, x2: width - 4, y1: 9, y2: 9, class: "axis" }), draw("line", { x1: place(+lower), x2: place(+upper), y1: 9, y2: 9, class: "bound" }));
      for (const dot of dots[action]) svg.append(draw("circle", { cx: 4 + (PLACES.indexOf(dot) / 63) * (width - 8), cy: 9, r: 3, class: "dot" }));
      svg.append(draw("line", { x1: place(+mean), x2: place(+mean), y1: 2, y2: 16, class: "mean" }));
      body.append(make("tr", { class: step.m === action ? "done" : null }, make("td", {}, word(cell, action, step), ...tags(action)), leads(action), share(chance),
        make("td", { class: "n" }, mean), ...(step.k ? [named(step.k[action])] : []), make("td", {}, svg), make("td", { class: "n soft small" }, `[${lower}, ${upper}]`)));
    }
    const rest = Array.from({ length: step.k ? 4 : 3 }, () => make("td"));
    body.append(make("tr", {}, make("td", { class: "soft" }, "(unusable)", ...tags(-1)), leads(count), share(numbers[step.z + 4 * count]), ...rest));
    const headings = [["action"], ["if it is named, d(y)"], ["predicted"], ["mean before an answer"], ...(step.k ? [["mean once named (credit)", "the value by which an answer that names it is judged, and what the advisor's word adds to it"]] : []),
      ["values", `samples, bounds and mean, from ${low} to ${high}`], ["bounds"]].map(([text, title]) => make("th", { scope: "col", title: title ?? null }, text));
    return make("div", { class: "card rows", tabindex: 0, role: "group", "aria-label": "Actions" }, make("table", {}, make("thead", {}, make("tr", {}, ...headings)), body));
  }
  // Who can answer a request, and who did.
  function advisorsCard(cell, step) {
    const row = ([reward, hope, cost, chance], advisor) => make("tr", { class: step.m === advisor ? "done" : null },
      make("td", {}, word(cell, advisor), ...(step.m === advisor ? [make("span", { class: "tag good" }, "answered")] : [])),
      ...[reward.toFixed(4), hope.toFixed(4), cost.toPrecision(4), chance.toFixed(3)].map((text) => make("td", { class: "n" }, text)));
    const headings = ["advisor", "expected reward", "in hope", "cost", "probability"].map((text) => make("th", { scope: "col" }, text));
    return make("div", { class: "card rows", tabindex: 0, role: "group", "aria-label": "Advisors" }, make("table", {}, make("thead", {}, make("tr", {}, ...headings)), make("tbody", {}, ...step.e.map(row))));
  }
  // The value of an action once an answer names it, where that is another one.
  const named = (worth) => make("td", { class: "n" }, worth ? worth[0].toFixed(4) + (worth[1] ? ` (${worth[1] > 0 ? "+" : ""}${worth[1].toFixed(4)})` : "") : "the same");
  const PLACES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const listed = (facts) => make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

  function gateCard(cell, step) {
    const [estimate, radius, score, threshold, price] = step.g;
    const [told, colour] = OUTCOME[step.c];
    const sum = cell.gate === "predictive" ? [`estimate ${number(estimate)} − radius ${number(radius)} = `] : [];
    const wants = real(score) >= real(threshold) ? "≥" : "<";
    const line = make("p", { class: "mono" }, ...sum, `score ${number(score)} ${wants} threshold ${number(threshold)}`);
    return make("div", { class: "card gate" }, make("h2", {}, "Gate: " + cell.gate), make("p", {}, make("strong", { class: colour }, told)), line,
      listed([["price", number(price)], ["calls left", step.q.length > 15 ? "unlimited" : step.q]]));
  }

  function answerCard(cell, step) {
    const card = make("div", { class: "card answer" }, make("h2", {}, "Answer of " + cell.advisor));
    if (!step.a) return card.append(make("p", { class: "soft" }, "Nobody was asked.")), card;
    const { prompt, reply, source, cert, tokens, ms } = step.a;
    card.append(make("p", { class: "soft" }, `Reply (${source})`), make("pre", { class: "reply", tabindex: 0, "aria-label": "Reply" }, visible(reply) || "(empty)"));
    const spent = [["price of the call", number(step.g[4])]];
    if (tokens) spent.push(["tokens", `${tokens[0] ?? "not counted"} sent, ${tokens[1] ?? "not counted"} received`]);
    if (ms !== undefined) spent.push(["latency", `${+ms.toFixed(1)} ms`]);
    card.append(listed(spent));
    cert.forEach((line) => card.append(make("p", { class: "mono" }, line)));
    if (prompt) card.append(make("details", {}, make("summary", {}, "Prompt"), make("pre", { tabindex: 0, "aria-label": "Prompt" }, prompt)));
    return card;
  }
  // Characters that change what follows are written out; a browser shows the others as they are.
  const visible = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");

  function happenedCard(cell, step) {
    const facts = [["executed", word(cell, step.m, step)], ["reward", String(step.r)]];
    if (step.co !== undefined) facts.push(["money", step.co.toPrecision(4)]);
    if (at.hindsight) facts.push(...step.hs.filter(([name]) => name !== "reward").map(([name, value]) => [name === "right_action" ? "right action" : name, name === "right_action" ? word(cell, +value, step) : value]));
    return make("div", { class: "card" }, make("h2", {}, at.hindsight ? "What happened, and hindsight" : "What happened"), listed(facts));
  }

  function panel(cell, episode, step) {
    const title = make("p", { class: "title" }, `${cell.key} · step ${step.n} (episode ${episode.n}, step ${step.j} of it)`);
    const lines = explanation(episode, step).filter((line) => at.hindsight || !line.startsWith("  in hindsight"));
    const said = make("p", { class: "said" }, lines[2].replace(/^In short: /, ""));
    const text = make("details", { class: "text", open: true }, make("summary", {}, "counsel explain"), make("pre", { class: "whole explain", tabindex: 0, "aria-label": "Explanation" }, lines.join("\n") + "\n"));
    const decided = step.e ? [happenedCard(cell, step)] : [gateCard(cell, step), answerCard(cell, step), happenedCard(cell, step)];
    return make("section", { class: "panel" + (step.w || step.v ? "" : " worded"), "aria-label": cell.key }, title, said, sightCard(episode, step),
      make("div", { class: "decided" }, ...decided), rowsCard(cell, step), text);
  }
