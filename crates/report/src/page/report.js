"use strict";
// Tables of a report: sorted by a heading, filtered by arm, with the columns that the reader chooses. Without this script every row and,
// by the box above a table, every column is there all the same. Words are only ever set as text.
for (const tools of document.querySelectorAll(".tools")) {
  const table = document.querySelector(`[data-table="${tools.dataset.of}"] table`), every = tools.querySelector(".every");
  const heads = [...table.tHead.rows[0].cells], bodies = [...table.tBodies];
  const rows = bodies.map((body) => [...body.rows].filter((row) => !row.classList.contains("shared")));
  const make = (name, words) => Object.assign(document.createElement(name), { textContent: words ?? "" });

  // Sorting: within the groups of rows; by the number of an entry where it has one, and else by its words.
  const weight = (cell) => cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  const compare = (one, other) => {
    const [a, b] = [weight(one), weight(other)];
    if (a !== null && b !== null) return a - b;
    if (a !== null || b !== null) return a === null ? 1 : -1;
    return one.textContent.localeCompare(other.textContent);
  };
  heads.forEach((head, at) => {
    const button = make("button", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const next = { none: head.classList.contains("number") ? "descending" : "ascending", ascending: "descending", descending: "ascending" };
      const order = next[head.getAttribute("aria-sort") ?? "none"];
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      bodies.forEach((body, group) => {
        const empty = (row) => weight(row.cells[at]) === null && row.cells[at].textContent === "—";
        // What does not exist comes last in either direction.
        rows[group].sort((one, other) => empty(one) - empty(other) || sign * compare(one.cells[at], other.cells[at]));
        body.append(...rows[group]);
      });
    });
  });

  // Filtering: every word must be in the name of the arm or in the line above its group.
  const filter = tools.querySelector(".filter"), heard = tools.querySelector(".heard");
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    bodies.forEach((body, group) => {
      const above = body.querySelector(".shared")?.textContent ?? "";
      let any = false;
      for (const row of rows[group]) {
        const words = `${above} ${row.cells[0].textContent}`.toLowerCase();
        row.hidden = !wanted.every((word) => words.includes(word));
        any ||= !row.hidden;
        shown += !row.hidden;
      }
      body.hidden = !any;
    });
    heard.textContent = wanted.length ? `${shown} of ${rows.flat().length} rows` : "";
  });

  // The columns: the box shows all of them, the list any choice.
  const chooser = tools.querySelector(".chooser"), boxes = [];
  const apply = () => {
    table.classList.add("chosen");
    for (const row of table.rows) {
      if (row.classList.contains("shared")) continue;
      boxes.forEach((box, at) => { row.cells[at].hidden = !box.checked; });
    }
  };
  heads.forEach((head, at) => {
    const [label, box] = [make("label"), make("input")];
    box.type = "checkbox";
    box.checked = !head.classList.contains("more");
    // What names the rows stays.
    box.disabled = at === 0;
    box.addEventListener("change", apply);
    boxes.push(box);
    label.append(box, ` ${head.textContent}`);
    chooser.append(label);
  });
  every?.addEventListener("change", () => {
    boxes.forEach((box, at) => { box.checked = every.checked || !heads[at].classList.contains("more"); });
    apply();
  });
  tools.querySelectorAll("[hidden]").forEach((part) => { part.hidden = false; });
}
// On paper everything is unfolded.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach((details) => { details.open = true; });
});
addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));
