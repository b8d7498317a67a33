/* Keys of the editor's own buttons: undo, redo, copy, paste, rename; what only a page can know: not saved, counted, left. */
"use strict";
(() => {
  const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");
  const button = (name) => document.querySelector(`[data-chord="${name}"]:not([disabled])`);

  document.addEventListener("keydown", (event) => {
    if (typing(event.target) || event.altKey) return;
    if (event.key === "F2") {
      rename(event);
      return;
    }
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    const name = key === "z" && event.shiftKey ? "Z" : key;
    // What is marked with the mouse is what a person wants to copy.
    if (name === "c" && String(getSelection())) return;
    const found = "zZcv".includes(name) && name.length === 1 ? button(name) : null;
    if (found) {
      event.preventDefault();
      found.click();
    }
  });

  // The name is behind a pencil: a double click on it, or F2, opens the field.
  function rename(event) {
    const place = document.querySelector("#panel details.rename");
    if (!place) return;
    event.preventDefault();
    place.open = true;
    const field = place.querySelector("input.in");
    field.focus();
    field.select();
  }
  let renaming = "";
  document.addEventListener("dblclick", (event) => {
    const name = event.target.closest("#panel-title, #canvas a[data-sel^='s:']");
    if (!name) return;
    if (name.id === "panel-title") rename(event);
    else renaming = name.dataset.sel;
    if (renaming && new URLSearchParams(location.search).get("sel") === renaming) rename(event);
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (!renaming || new URLSearchParams(location.search).get("sel") !== renaming) return;
    renaming = "";
    rename(event);
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.("details.rename") && event.target.open) event.target.querySelector("input.in")?.focus();
  }, true);

  // Characters as WhatsApp counts them, which is how a browser counts them too.
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form.field");
    if (!form || !event.target.matches("textarea, input.in")) return;
    const index = [...form.querySelectorAll("textarea.in, input.in")].indexOf(event.target);
    const room = form.querySelector(`.room[data-index="${index}"]`);
    if (!room) return;
    room.querySelector(".n").textContent = event.target.value.length;
    room.classList.toggle("over", event.target.value.length > Number(room.dataset.limit));
  });
})();
