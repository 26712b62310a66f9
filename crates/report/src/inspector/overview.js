"use strict";
// The pages above the cells: what the server says now takes the place of what it said before, once a second. State: the search, and
// for each study the arm that is opened beside the others.
(() => {
  const live = document.getElementById("live"), search = document.getElementById("search"), heard = document.getElementById("heard");
  const beside = new Map();
  let said = live.innerHTML;

  // What the reader chose, on the part of the page that is new.
  function dress() {
    const wanted = search?.value.trim().toLowerCase() ?? "";
    for (const section of live.querySelectorAll("section")) {
      const name = section.dataset.study, select = section.querySelector("select.beside");
      let found = 0;
      for (const row of section.querySelectorAll("tr[data-arm]")) {
        row.hidden = !`${name} ${row.dataset.arm}`.toLowerCase().includes(wanted);
        found += !row.hidden;
      }
      section.hidden = found === 0;
      if (!select) continue;
      select.value = beside.get(name) ?? "";
      select.onchange = () => { beside.set(name, select.value); dress(); };
      const links = [...section.querySelectorAll("a.cell")], there = new Set(links.map((link) => (link.dataset.own ??= link.getAttribute("href"))));
      for (const link of links) {
        const [, study, arm, seed] = link.dataset.own.split("/"), twin = `/${study}/${select.value}/${seed}`;
        const isPair = select.value !== "" && select.value !== arm && there.has(twin);
        link.setAttribute("href", isPair ? `/${study}/${arm}+${select.value}/${seed}` : link.dataset.own);
      }
    }
  }

  async function listen() {
    try {
      if (!document.hidden) {
        const answer = await fetch(location.pathname);
        if (!answer.ok) throw new Error(String(answer.status));
        const page = new DOMParser().parseFromString(await answer.text(), "text/html"), now = page.getElementById("live").innerHTML;
        if (now !== said) {
          const focus = document.activeElement, place = [...live.querySelectorAll("a, select, summary, [tabindex]")].indexOf(focus);
          const shut = new Set([...live.querySelectorAll("section:has(details:not([open]))")].map((section) => section.dataset.study));
          const scrolled = [...live.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
          live.replaceChildren(...document.importNode(page.getElementById("live"), true).childNodes);
          live.querySelectorAll("section").forEach((section) => { if (shut.has(section.dataset.study)) section.querySelector("details")?.removeAttribute("open"); });
          live.querySelectorAll(".scroll").forEach((part, at) => { part.scrollLeft = scrolled[at] ?? 0; });
          said = now;
          dress();
          const same = [...live.querySelectorAll("a, select, summary, [tabindex]")].find((other) => focus?.dataset?.own ? other.dataset.own === focus.dataset.own : false);
          if (place >= 0) (same ?? live.querySelectorAll("a, select, summary, [tabindex]")[place])?.focus();
        }
        heard.textContent = "";
      }
    } catch { heard.textContent = "The server does not answer; what is shown is what it said last."; }
    setTimeout(listen, 1000);
  }

  search?.addEventListener("input", dress);
  dress();
  setTimeout(listen, 1000);
})();
