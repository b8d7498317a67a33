/* The box of the search: over the page, with the keyboard all the way. */
"use strict";
(() => {
  const dialog = document.getElementById("search");
  if (!dialog) return;
  const rows = () => [...dialog.querySelectorAll(".hit-row:not([hidden])")];
  const field = () => dialog.querySelector("input[type=search]");
  // A command without an address of its own presses the button of the page that does it; without that button it is not offered.
  const button = (key) => document.querySelector(`[data-chord="${key}"]:not([disabled])`);
  function offer() {
    for (const row of dialog.querySelectorAll("[data-press]")) row.hidden = !button(row.dataset.press);
  }

  let chosen = false; // Enter was pressed before there was an answer to what is written: its first row is taken when it comes

  // The field is there from the start: what is typed while the answer is on its way goes into it.
  function open() {
    if (dialog.open) return;
    chosen = false;
    field().value = "";
    dialog.showModal();
    field().focus();
    field().dispatchEvent(new Event("input", { bubbles: true }));
  }

  function take() {
    const found = dialog.querySelector("#search-r");
    chosen = found.dataset.asked !== field().value.trim();
    if (!chosen) rows()[0]?.click();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-press]");
    if (pressed) { dialog.close(); button(pressed.dataset.press)?.click(); }
    else if (event.target.closest("[data-search]") && !event.ctrlKey && !event.metaKey) { event.preventDefault(); open(); }
    else if (event.target.closest("#search a[href='/shortcuts']")) { event.preventDefault(); dialog.close(); document.querySelector("[data-keys]").click(); }
  });
  dialog.addEventListener("keydown", (event) => {
    const list = rows(), at = list.indexOf(document.activeElement);
    if (event.key === "ArrowDown") (list[at + 1] || list[0])?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? list[at - 1] : field())?.focus();
    else if (event.key === "Escape") { document.activeElement.blur(); dialog.close(); } // a field alone would only be emptied
    else if (event.key === "Enter" && at < 0) take();
    else { if (event.key.length === 1 && at >= 0 && !event.ctrlKey && !event.metaKey) field().focus(); return; }
    event.preventDefault();
  });
  dialog.addEventListener("htmx:afterSettle", () => {
    offer();
    if (chosen) take();
  });
})();
