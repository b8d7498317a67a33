/* Keys of every page: they act only outside text fields, and only on what the page shows as a button or a link. */
"use strict";
(() => {
  const first = (selector) => document.querySelector(selector);
  const letters = () => document.body.dataset.letters !== "off";
  let going = -Infinity; // when G was pressed: the next letter says where to

  function press(event, selector) {
    const button = first(selector);
    if (!button) return;
    event.preventDefault();
    if (button.matches("textarea, input, select")) button.focus();
    else button.click();
  }

  // The list of keys, over the page.
  async function list(event) {
    const dialog = document.getElementById("keys");
    if (!dialog || !window.htmx) return;
    event.preventDefault();
    await htmx.ajax("GET", "/shortcuts", { target: dialog, swap: "innerHTML" });
    if (!dialog.open) dialog.showModal();
  }

  // The next problem of the list, or the one before; hidden ones are passed over.
  function problem(event) {
    const dock = first("#problems > details");
    if (!dock) return;
    event.preventDefault();
    dock.open = true;
    const picks = [...dock.querySelectorAll(".pick")].filter((pick) => pick.getClientRects().length);
    const at = picks.findIndex((pick) => pick.closest("[aria-current]"));
    const next = picks[(at < 0 ? (event.shiftKey ? picks.length - 1 : 0) : at + (event.shiftKey ? -1 : 1) + picks.length) % picks.length];
    if (!next) return;
    for (const pick of picks) pick.closest(".prob").removeAttribute("aria-current");
    next.closest(".prob").setAttribute("aria-current", "true"); // who presses again does not wait for the answer
    next.scrollIntoView({ block: "nearest" });
    next.click();
  }

  function next(event) {
    const views = [...document.querySelectorAll("#views > a")];
    if (!views.length) return;
    event.preventDefault();
    views[(views.findIndex((view) => view.hasAttribute("aria-current")) + 1) % views.length].click();
  }

  function filter(event) {
    const field = first("[data-filter], main input[type=search]:not(dialog *)");
    if (!field) { press(event, "[data-search]"); return; }
    event.preventDefault();
    field.focus();
  }

  function escape() {
    const list = document.getElementById("keys");
    if (list?.open) return; // the dialog closes by itself
    const close = first("#panel [data-close]");
    if (!close) return;
    htmx.process(close); // a panel that came a moment ago is not taken up yet, and its link would load the whole page
    close.click();
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "Escape") { escape(); return; }
    if (first("dialog[open]")) return;
    if (event.key === "F8") { problem(event); return; }
    const letter = event.key.length === 1;
    if (letter && !letters()) return;
    const name = letter ? event.key.toLowerCase() : event.key;
    const gone = performance.now() - going < 1500;
    going = -Infinity;
    if (gone && letter) { press(event, `[data-go="${CSS.escape(name)}"]`); return; }
    if (name === "g") going = performance.now();
    else if (name === "?") list(event);
    else if (name === "/") filter(event);
    else if (name === "v" && first("#views")) next(event);
    else {
      const shifted = event.shiftKey && `[data-key="shift+${CSS.escape(name)}"]`;
      press(event, shifted && first(shifted) ? shifted : `[data-key="${CSS.escape(name)}"]`);
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]") && !event.ctrlKey && !event.metaKey) list(event);
    else if (event.target.matches("dialog[open]")) event.target.close(); // beside it
  });
})();
