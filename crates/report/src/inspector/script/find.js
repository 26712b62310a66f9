  // What matters: filters over all cells of the page, with counts, and the dearest mistakes.
  const FILTERS = [["asked", (outcome) => outcome === "f" || outcome === "r"],
    ...head.matters.map((name, bit) => [name, (_, mark) => (PLACES.indexOf(mark) >> bit) % 2 === 1])];
  const COUNTS = FILTERS.map(([, meets]) => cells.reduce((sum, { episodes }) => sum + episodes.reduce((sum, [, , , outcomes, , , marks]) =>
    sum + [...outcomes].filter((outcome, step) => meets(outcome, marks[step])).length, 0), 0));
  let chosen = 0;

  // The next decision, or the one before, that the filter lets through; the cells of the page follow each other.
  function search(way, [name, meets]) {
    for (let cell = at.cell; cell >= 0 && cell < cells.length; cell += way) {
      const { episodes } = cells[cell], here = cell === at.cell;
      for (let episode = here ? at.episode : way > 0 ? 0 : episodes.length - 1; episode >= 0 && episode < episodes.length; episode += way) {
        const [, , , outcomes, , , marks] = episodes[episode], inside = here && episode === at.episode;
        for (let step = inside ? at.step + way : way > 0 ? 0 : outcomes.length - 1; step >= 0 && step < outcomes.length; step += way) {
          if (meets(outcomes[step], marks[step])) return here ? { episode, step } : { cell, beside: -1, episode, step };
        }
      }
    }
    say(`No ${way > 0 ? "further" : "earlier"} step is: ${name}.`);
    return null;
  }

  function choose(filter, way) {
    chosen = filter;
    if ($("filter")) $("filter").value = filter;
    go(search(way, FILTERS[filter]));
  }

  function finder() {
    const options = FILTERS.map(([name], filter) => make("option", { value: filter, selected: filter === chosen }, `${name} (${COUNTS[filter]})${filter ? " · key " + filter : ""}`));
    const dearest = head.dearest.map(([cell, step, cost, matter]) => make("li", {}, make("a", { href: `#${cells[cell].key}@${step}` }, `${cells[cell].key}@${step}`), ` ${head.matters[matter]}, ${+cost.toPrecision(4)}`));
    $("find").replaceChildren(make("label", { for: "filter" }, "find"), make("select", { id: "filter", change: (event) => { chosen = +event.target.value; } }, ...options),
      make("button", { type: "button", title: "key n", click: () => choose(chosen, 1) }, "next (n)"), make("button", { type: "button", title: "key p", click: () => choose(chosen, -1) }, "before (p)"),
      dearest.length ? make("details", { id: "dearest" }, make("summary", {}, `The ${dearest.length} dearest mistakes`), make("ol", {}, ...dearest)) : make("span", { class: "soft" }, "No mistake has a known cost."));
  }
