  // The world as a picture.
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
    if (step.t) card.append(make("p", { class: "told", tabindex: 0, role: "group", "aria-label": "What the agent is told" }, step.t));
    if (step.w) card.append(make("div", {}, make("h2", {}, "World"), picture(step.w, "The world; cells that the agent sees are lit")));
    if (step.v) card.append(make("div", {}, make("h2", {}, "What the agent sees"), picture(step.v, "What the agent sees")));
    card.append(make("p", { class: "soft" }, "Replayed: rewards and contexts agree with the log."));
    return card;
  }

