/* Settings: as many fields for examples as a text has values. */
"use strict";
(() => {
  // A template: an example is asked for each value that its text has, and no more.
  function shown() {
    const group = document.querySelector("[data-examples-of]");
    if (!group) return;
    const text = document.getElementById(group.dataset.examplesOf).value;
    const most = Math.max(0, ...Array.from(text.matchAll(/\{\{\s*(\d+)\s*\}\}/g), (gap) => Number(gap[1])));
    group.hidden = most === 0;
    for (const [n, field] of group.querySelectorAll(".field").entries()) field.hidden = n >= most;
  }
  document.addEventListener("input", (event) => { if (event.target.matches("textarea")) shown(); });
  document.addEventListener("DOMContentLoaded", shown);
  document.addEventListener("htmx:afterSettle", shown);
})();
