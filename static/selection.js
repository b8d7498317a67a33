/* What the panel shows is marked in the drawing, the table and the list of rules at once; after a change the server draws it anew. */
"use strict";
(() => {
  const selected = () => new URLSearchParams(location.search).get("sel") || "";
  let last = selected();

  function mark(sel) {
    for (const old of document.querySelectorAll(".fluxo .sel, .fluxo .on")) old.classList.remove("sel", "on");
    for (const old of document.querySelectorAll(":is(.cell, .rule)[aria-current]")) old.removeAttribute("aria-current");
    for (const link of document.querySelectorAll(`[data-sel="${CSS.escape(sel)}"]`)) {
      if (link.matches(".cell, .rule")) link.setAttribute("aria-current", "true");
      else if (sel.startsWith("s:")) link.closest(".node")?.classList.add("sel");
      else { link.classList.add("on"); link.closest(".edge")?.classList.add("sel"); }
    }
    // The grey of the rest belongs to the problem that was being looked at.
    const quiet = document.querySelector(".fluxo.quiet");
    if (quiet && !quiet.querySelector(".err.sel, .err .on")) quiet.classList.remove("quiet");
  }

  document.body.addEventListener("htmx:afterSettle", () => {
    const sel = selected();
    mark(sel);
    if (sel !== last) document.dispatchEvent(new CustomEvent("selected"));
    last = sel;
  });
  mark(last);
  document.querySelector(":is(.cell, .rule)[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
})();
