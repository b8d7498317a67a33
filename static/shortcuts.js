/* Single letters of the editor: they act only outside text fields, and only on what the page shows as a button. */
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "Escape") {
    document.querySelector("#panel [data-close]")?.click();
    return;
  }
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = document.querySelector(`[data-key="${CSS.escape(name)}"]`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});
