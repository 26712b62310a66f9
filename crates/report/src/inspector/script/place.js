  // Where the page is, and how it gets somewhere else.
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

  function move(by) {
    const { episodes } = cells[at.cell];
    let [episode, step] = [at.episode, at.step + by];
    if (step < 0) { if (episode === 0) return say("This is the first step."); episode -= 1; step = episodes[episode][3].length - 1; }
    if (step >= episodes[episode][3].length) { if (episode + 1 >= episodes.length) return say("This is the last step."); episode += 1; step = 0; }
    go({ episode, step });
  }

  const commands = {
    j: ["next step", () => move(1)], k: ["step before", () => move(-1)],
    a: ["next asked", () => go(search(1, ["asked", FILTERS[0][1]]))], r: ["next rejected", () => go(search(1, ["rejected", (outcome) => outcome === "r"]))],
    "[": ["episode before", () => at.episode > 0 && go({ episode: at.episode - 1, step: 0 })],
    "]": ["next episode", () => at.episode + 1 < cells[at.cell].episodes.length && go({ episode: at.episode + 1, step: 0 })],
    h: ["hindsight", () => go({ hindsight: !at.hindsight })],
    d: ["first divergence", () => at.beside >= 0 && go(divergence())],
  };

  const permalink = () => "#" + cells[at.cell].key + "@" + (cells[at.cell].episodes[at.episode][2] + at.step) + (at.beside >= 0 ? "+" + cells[at.beside].key : "");

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "TEXTAREA"].includes(event.target.tagName) || event.target.type === "number") return;
    const matter = +event.key;
    const act = commands[event.key]?.[1] ?? { n: () => choose(chosen, 1), p: () => choose(chosen, -1) }[event.key] ?? (matter >= 1 && matter < FILTERS.length ? () => choose(matter, 1) : null);
    if (act) { event.preventDefault(); act(); }
  });

  const twins = (place) => cells.map((other, at) => [other, at]).filter(([other, at]) => at !== place && other.study === cells[place].study && other.seed === cells[place].seed);

  // What is above the decisions. Whatever had the focus has it again.
  function bar() {
    const cell = cells[at.cell], focus = document.activeElement?.id;
    const option = (text, value, chosen) => make("option", { value, selected: chosen }, text);
    const pick = (label, id, options, chosen) => make("span", { class: "pick" }, make("label", { for: id }, label), make("select", { id, change: (event) => chosen(+event.target.value) }, ...options));
    const beside = twins(at.cell), agree = cell.agreeing === cell.decisions;
    const way = isServed ? [["All cells", "/"], ["Report", "/report/" + cell.study], ["What matters in the study", "/find/" + cell.study]].map(([text, href]) => make("a", { href }, text)) : [];
    const buttons = Object.entries(commands).filter(([key]) => key !== "d" || at.beside >= 0)
      .map(([key, [name, act]]) => make("button", { type: "button", id: "key-" + key, click: act, title: `key ${key}`, "aria-pressed": key === "h" ? String(at.hindsight) : null }, `${name} (${key})`));
    $("bar").replaceChildren(...way,
      pick("cell", "cell", cells.map((c, place) => option(c.key, place, place === at.cell)), (place) => go({ cell: place, beside: -1, episode: 0, step: 0 })),
      ...(beside.length ? [pick("beside", "beside", [option("none", -1, at.beside < 0), ...beside.map(([c, place]) => option(c.key, place, place === at.beside))], (place) => go({ beside: place }))] : []),
      pick("episode", "episode", cell.episodes.map(([n, , , outcomes, , gain], place) => option(`${n} (${outcomes.length} steps, ${[...outcomes].filter((c) => c === "f" || c === "r").length} calls, return ${+gain.toFixed(4)})`, place, place === at.episode)), (place) => go({ episode: place, step: 0 })),
      make("span", {}, make("span", { class: "badge good", title: "digest of the manifest " + cell.seal }, "sealed"), " ",
        make("span", { class: "badge " + (agree ? "good" : "bad") }, `audit: ${cell.agreeing} of ${cell.decisions} agree`)));
    $("keys").replaceChildren(...buttons);
    if (focus) $(focus)?.focus();
  }

  // Goes somewhere: the place is set first, then the data are fetched, so a slow episode never shows under a wrong name.
  let turn = 0, sliderCell = -1;
  async function go(change) {
    if (!change) return;
    const before = { ...at };
    Object.assign(at, change);
    const episodes = cells[at.cell].episodes;
    at.episode = Math.max(0, Math.min(at.episode, episodes.length - 1));
    const last = Math.max(episodes[at.episode][3].length, forkHere() ? fork.data.s.length : 0) - 1;
    at.step = Math.max(0, Math.min(at.step, last));
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
      if (sliderCell !== at.cell) { sliderCell = at.cell; sliders(); }
      timeline(shown[0]);
    } else if (before.hindsight !== at.hindsight) bar();
    render(other);
  }

  function render(other) {
    const [episode, twin] = shown, step = episode.s[Math.min(at.step, episode.s.length - 1)], isOver = at.step >= episode.s.length;
    const panels = [isOver ? make("p", { class: "soft" }, `The episode ended after ${episode.s.length} steps.`) : panel(cells[at.cell], episode, step)];
    if (!other && forkHere()) panels.push(forkPanel());
    if (other) panels.push(twin && twin.s[at.step] ? panel(other, twin, twin.s[at.step]) : make("p", { class: "soft" }, `${other.key} has no such step.`));
    $("panels").className = panels.length > 1 ? "two" : "";
    $("panels").replaceChildren(...panels);
    for (const now of $("timeline").querySelectorAll(".t-now")) {
      const pitch = 1000 / now.dataset.steps;
      now.setAttribute("x", (at.step + 0.5) * pitch - Math.max(pitch, 3) / 2);
    }
    $("slide").value = at.step;
    const link = permalink();
    if (location.hash !== link) history.replaceState(null, "", link);
    $("foot").replaceChildren(make("p", {}, "Link to this step: ", make("a", { href: link, id: "permalink" }, link)));
    say(`Step ${step.n}: ${OUTCOME[step.c][0]}.`);
    document.body.dataset.ready = link;
  }

  // A link names a cell, the decision's number in it, and the cell beside it.
  function linked() {
    let text = location.hash.slice(1);
    try { text = decodeURIComponent(text); } catch { /* it is taken as it stands */ }
    const [own, beside] = text.split("+"), [key, number] = (own ?? "").split("@");
    const cell = cells.findIndex((c) => c.key === key);
    // Without a link the first cell is shown, and where there are two arms of its seed, the other beside it.
    if (cell < 0) return { cell: 0, beside: cells.length === 2 ? twins(0)[0]?.[1] ?? -1 : -1, episode: 0, step: 0 };
    const step = +number || 0, { episodes } = cells[cell];
    const found = episodes.findIndex(([, , first, outcomes]) => step >= first && step < first + outcomes.length);
    const episode = Math.max(found, 0);
    return { cell, beside: cells.findIndex((c) => c.key === beside && c.key !== key), episode, step: found < 0 ? 0 : step - episodes[episode][2] };
  }

  addEventListener("hashchange", () => { if (location.hash !== permalink()) go(linked()); });
  $("tools").open = matchMedia("(min-width: 48rem)").matches;
  finder();
  await go(linked());
