  // A run that is played on under another setting, by the server that sent this page: the same world, learner and advisor. The episode in
  // which it leaves the log is drawn beside the real one. A page that was sent has no server, and says so where the log ends.
  let fork = null;

  // The fork, where the page is in its episode.
  const forkHere = () => (fork && at.beside < 0 && fork.place === at.cell && fork.number === cells[at.cell].episodes[at.episode][0] ? fork : null);

  async function playOn(place, step, change, flip) {
    const cell = cells[place], where = cell.episodes.findIndex(([, , first, outcomes]) => step >= first && step < first + outcomes.length);
    $("fork").replaceChildren(make("p", { role: "status" }, `Playing the run again up to step ${step}, and on from there. That takes as long as the cell took.`));
    try {
      const answer = await fetch("/fork/" + [cell.study, cell.arm, cell.seed, step, JSON.stringify(change)].map(encodeURIComponent).join("/"));
      if (!answer.ok) throw new Error(await answer.text());
      const told = await unpack(await answer.text()), episode = told.e[0];
      for (const field of ["w", "v"]) episode.s.forEach((one, next) => { if (one[field] === undefined && next > 0) one[field] = episode.s[next - 1][field]; });
      fork = { place, step, flip, number: episode.n, data: { ...episode, patterns: told.t }, episode: told.episode, run: told.run };
    } catch (error) {
      return $("fork").replaceChildren(make("p", { class: "bad", role: "alert" }, String(error)));
    }
    shown = null;
    await go({ cell: place, beside: -1, episode: where, step: step - cell.episodes[where][2] });
    $("fork").replaceChildren(...boughtWords());
    if ($("flipped")) $("flipped").open = false;
    $("fork").scrollIntoView();
  }

  const signed = (value) => { const rounded = +value.toFixed(4); return (rounded >= 0 ? "+" : "−") + Math.abs(rounded); };
  // What the call at the fork bought, or would have bought: the return with it minus the return without it.
  function boughtWords() {
    const { step, flip, episode: [real, other], run: [all, others] } = fork, asks = (letter) => "frq".includes(letter);
    const gained = other.gained - real.gained;
    const bought = asks(flip.was) === asks(flip.now) ? `The other act at step ${step} makes a difference of ${signed(gained)} in this episode.`
      : asks(flip.was) ? `The call at step ${step} bought ${signed(-gained)} in this episode.` : `A call at step ${step} would have bought ${signed(gained)} in this episode.`;
    const sums = (name, one, two) => `${name}: return ${+one.gained.toFixed(4)} → ${+two.gained.toFixed(4)}, calls ${one.calls} → ${two.calls}, cost ${+one.cost.toPrecision(4)} → ${+two.cost.toPrecision(4)}.`;
    return [make("p", {}, make("strong", { class: "bought" }, bought), " ", sums("This episode", real, other), " ", sums("The whole run", all, others)),
      make("button", { type: "button", click: () => { fork = null; shown = null; $("fork").replaceChildren(); go({}); } }, "Close the fork")];
  }

  // The decision of the fork beside the one that is shown.
  function forkPanel() {
    const { data, step, place } = fork, cell = { ...cells[place], key: `${cells[place].key}, played on from step ${step}` };
    return data.s[at.step] ? panel(cell, data, data.s[at.step]) : make("p", { class: "soft" }, `Played on from step ${step}, the episode ends after ${data.s.length} steps.`);
  }
