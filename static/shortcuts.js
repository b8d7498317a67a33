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

// What a person types while an answer is on its way is not overwritten by that answer.
(() => {
  let typed = new Map();
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    typed = new Map();
    const sent = event.detail.requestConfig?.elt;
    for (const field of document.querySelectorAll("#panel input[id], #panel textarea[id]")) {
      const own = sent && sent.contains(field) && field !== document.activeElement;
      if (!own && field.value !== field.defaultValue && field.type !== "hidden") typed.set(field.id, field.value);
    }
    // The field that was sent keeps its value only when it was changed again after sending.
    const active = document.activeElement;
    const was = event.detail.requestConfig?.parameters?.[active?.name];
    if (active?.id && typed.has(active.id) && active.value === was) typed.delete(active.id);
  });
  document.body.addEventListener("htmx:afterSettle", () => {
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field && field.value !== value) field.value = value;
    }
    typed = new Map();
  });
})();
