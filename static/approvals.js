/* Keys of what waits for approval (J K choose, Y approves, E edits, N rejects), and news that never take away what is typed. */
"use strict";
(() => {
  const QUIET = 1000; // after a decision a second Y means the one before it, not the next message
  let decided = -Infinity;
  let chosen = 0;
  const cards = () => [...document.querySelectorAll(".apr[id]")];
  const current = () => {
    const all = cards();
    return document.activeElement?.closest(".apr[id]") || all[Math.min(chosen, all.length - 1)];
  };

  function choose(step) {
    const all = cards();
    if (!all.length) return;
    const at = all.indexOf(document.activeElement?.closest(".apr[id]"));
    chosen = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step));
    all[chosen].focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.body.dataset.letters === "off") return;
    if (event.target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if ((key === "j" || key === "k") && document.getElementById("queue")) {
      event.preventDefault();
      choose(key === "j" ? 1 : -1);
      return;
    }
    const card = current();
    const part = { y: ".apr-yes", e: "[data-edit] > summary", n: "[data-reject] > summary" }[key];
    const button = part && card?.querySelector(part);
    if (!button?.getClientRects().length || event.repeat) return;
    event.preventDefault();
    if (key === "y" && performance.now() - decided < QUIET) return;
    button.click();
  });

  // What was opened is written in at once.
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".apr-more[open]")) event.target.querySelector("textarea, input:not([type=hidden])")?.focus();
  }, true);

  document.addEventListener("submit", (event) => {
    if (event.target.closest(".apr")) decided = performance.now();
  }, true);
  document.addEventListener("DOMContentLoaded", () => {
    document.body.addEventListener("htmx:beforeRequest", (event) => {
      const queue = event.detail.elt;
      // The list asks for news by itself: not while somebody writes in it, and not behind a hidden tab.
      if (queue.id === "queue" && (queue.querySelector(".apr-more[open]") || document.hidden)) event.preventDefault();
    });
    document.body.addEventListener("htmx:afterSettle", (event) => {
      if (event.detail.target.id !== "queue" && !document.getElementById("queue")) return;
      if (document.activeElement === document.body) cards()[Math.min(chosen, cards().length - 1)]?.focus({ preventScroll: true });
    });
  });
})();
