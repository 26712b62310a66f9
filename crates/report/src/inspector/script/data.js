// The data of the page and the words in which it speaks. All files of this folder make one script. Words are set as text, never as
// markup. State: which cell, which cell beside it, which episode, which step in it.
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

  async function inflated(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
  const unpack = async (text) => JSON.parse(new TextDecoder().decode(await inflated(text)));

  const head = await unpack($("head").content.textContent);
  const cells = head.cells;
  const packed = document.querySelectorAll("template.chunk");
  const isServed = head.source === "server";
  const loaded = new Map();

  // One episode of a cell: its data, unpacked when first wanted. Few chunks are kept.
  async function episodeOf(cell, place) {
    const [number, chunk] = cell.episodes[place];
    const key = isServed ? cell.key + "@" + number : chunk;
    if (!loaded.has(key)) {
      const text = isServed ? await served(cell, number) : packed[chunk].content.textContent;
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
  // What an action is called at this step: a world may have other actions at each.
  const word = (cell, action, step) => (step?.nm ?? cell.words)[action] ?? "a" + action;
  // What the page says to whoever does not see it change.
  const say = (text) => { $("status").textContent = text; };
  const real = (value) => (typeof value === "string" ? Number(value.replace("inf", "Infinity")) : value);
  const number = (value) => (typeof value === "string" ? value.replace("inf", "infinite") : value.toFixed(6));
