/* What the panel shows is marked in the drawing, the table and the list of rules at once; after a change the server draws it anew. */
"use strict";
// Once the panel has been filled anew; other parts of the page come and go meanwhile.
function whenPanelSettles(act) {
  const heard = (event) => {
    if (event.detail.target?.id !== "panel") return;
    document.body.removeEventListener("htmx:afterSettle", heard);
    act();
  };
  document.body.addEventListener("htmx:afterSettle", heard);
}
(() => {
  const selected = () => new URLSearchParams(location.search).get("sel") || "";
  let last = selected();

  function mark(sel) {
    for (const old of document.querySelectorAll(".fluxo .sel, .fluxo .on")) old.classList.remove("sel", "on");
    for (const old of document.querySelectorAll(":is(.cell, .rule, .prob)[aria-current]")) old.removeAttribute("aria-current");
    for (const link of document.querySelectorAll(`[data-sel="${CSS.escape(sel)}"]`)) {
      if (link.matches(".pick")) link.closest(".prob").setAttribute("aria-current", "true");
      else if (link.matches(".cell, .rule")) link.setAttribute("aria-current", "true");
      else if (sel.startsWith("s:")) link.closest(".node")?.classList.add("sel");
      else { link.classList.add("on"); link.closest(".edge")?.classList.add("sel"); }
    }
    // The grey of the rest belongs to the problem that was being looked at.
    const quiet = document.querySelector(".fluxo.quiet");
    if (quiet && !sel.startsWith("p:") && !quiet.querySelector(".err.sel, .err .on")) quiet.classList.remove("quiet");
  }

  // What is laid over the drawing, and its phase, stay in the address whatever is selected.
  document.body.addEventListener("htmx:beforeHistoryUpdate", (event) => {
    const { history } = event.detail, [path, query] = history.path.split("?");
    const wanted = new URLSearchParams(query), now = new URLSearchParams(location.search);
    const phase = document.getElementById("canvas-svg")?.dataset.phase;
    if (now.has("show") && !wanted.has("show")) wanted.set("show", now.get("show"));
    if (phase && !wanted.has("phase")) wanted.set("phase", phase);
    history.path = `${path}?${wanted.toString().replaceAll("%3A", ":")}`;
  });

  document.body.addEventListener("htmx:afterSettle", () => {
    const sel = selected();
    mark(sel);
    if (sel !== last) document.dispatchEvent(new CustomEvent("selected"));
    last = sel;
  });
  mark(last);
  document.querySelector(":is(.cell, .rule)[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
})();
