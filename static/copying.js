/* Several states at once: Ctrl or Shift and a click (or X) in the drawing or the table choose one more; the panel holds the choice. */
"use strict";
(() => {
  const form = () => document.getElementById("copying");
  const picked = () => [...(form()?.querySelectorAll("input[name=state]:checked") || [])].map((box) => box.value);
  const base = location.pathname;

  function mark() {
    const names = new Set(picked());
    for (const link of document.querySelectorAll("#canvas a[data-sel^='s:']")) {
      link.closest(".node")?.classList.toggle("picked", names.has(link.dataset.sel.slice(2)));
    }
    for (const head of document.querySelectorAll(".mx th[data-state]")) head.classList.toggle("picked", names.has(head.dataset.state));
  }
  function shown(names) {
    const wanted = new URLSearchParams(location.search);
    wanted.set("sel", `copying:${names.join(",")}`);
    history.replaceState(history.state, "", `${base}?${wanted.toString().replaceAll("%3A", ":").replaceAll("%2C", ",")}`);
  }
  function choose(names) {
    const view = new URLSearchParams(location.search).get("view") || "diagram";
    shown(names);
    htmx.ajax("GET", `${base}/copying?view=${view}&states=${encodeURIComponent(names.join(","))}`, { target: "#panel" });
  }
  // What the panel shows is the first of several.
  function toggle(name) {
    const sel = new URLSearchParams(location.search).get("sel") || "";
    const before = form() ? picked() : sel.startsWith("s:") ? [sel.slice(2)] : [];
    choose(before.includes(name) ? before.filter((one) => one !== name) : [...before, name]);
  }
  function named(target) {
    const node = target.closest?.("#canvas .node");
    const link = target.closest?.("#canvas a[data-sel^='s:']") || node?.querySelector("a[data-sel^='s:']");
    if (target.closest?.("#canvas a[data-sel^='t:']")) return "";
    return link ? link.dataset.sel.slice(2) : target.closest?.(".mx th[data-state]")?.dataset.state || "";
  }

  document.addEventListener("click", (event) => {
    if (!(event.ctrlKey || event.metaKey || event.shiftKey)) return;
    const name = named(event.target);
    if (!name) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    toggle(name);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "x" || event.ctrlKey || event.metaKey || event.altKey || document.body.dataset.letters === "off") return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const name = named(document.activeElement);
    if (name) { event.preventDefault(); toggle(name); }
  });
  document.addEventListener("change", (event) => {
    if (event.target.closest("#copying")) choose(picked());
  });
  document.body.addEventListener("htmx:afterSettle", mark);
  mark();
})();
