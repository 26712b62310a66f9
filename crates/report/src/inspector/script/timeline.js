  // An episode at a glance: a mark for each step.
  function strip(episode, id) {
    const steps = episode.s, wide = 1000, pitch = wide / steps.length, x = (at) => (at + 0.5) * pitch;
    const svg = draw("svg", { viewBox: `0 0 ${wide} 84`, preserveAspectRatio: "none", role: "img", "aria-label": `Timeline of ${steps.length} steps${id ? "" : ", played on"}`,
      click: (event) => { const box = svg.getBoundingClientRect(); go({ step: Math.min(steps.length - 1, Math.floor(((event.clientX - box.left) / box.width) * steps.length)) }); } });
    const r = Math.min(5, Math.max(1.2, pitch * 0.4));
    const over = steps.map(({ g }) => g[2] - g[3]).map((over) => (Number.isFinite(over) ? over : null)), most = Math.max(1e-9, ...over.map((v) => Math.abs(v ?? 0)));
    const gains = Math.max(1e-9, ...steps.map((step) => Math.abs(step.r))), calls = steps.map((step) => (step.q.length > 15 ? null : +step.q)), all = Math.max(1, ...calls.map((q) => q ?? 0));
    svg.append(draw("rect", { id: id || null, "data-steps": steps.length, y: 0, height: 84, width: Math.max(pitch, 3), x: 0, class: "t-now" }), draw("line", { x1: 0, x2: wide, y1: 38, y2: 38, class: "axis" }));
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
    return svg;
  }

  function timeline(episode) {
    const other = forkHere(), most = Math.max(episode.s.length, other ? other.data.s.length : 0);
    const slide = make("input", { type: "range", min: 0, max: most - 1, value: at.step, id: "slide", "aria-label": "Step", input: (event) => go({ step: +event.target.value }) });
    $("timeline").replaceChildren(strip(episode, "now"), ...(other ? [make("p", { class: "soft" }, `Played on from step ${other.step}:`), strip(other.data, "")] : []), slide, make("div", { class: "soft legend" }, "● followed  × rejected  ◇ no call left  · silent; bars: score − threshold around zero; line: calls left; below: rewards"));
  }
