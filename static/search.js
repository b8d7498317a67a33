/* The box of the search: over the page, with the keyboard all the way. */
"use strict";
(() => {
  const dialog = document.getElementById("search");
  if (!dialog) return;
  const rows = () => [...dialog.querySelectorAll(".hit-row:not([hidden])")];
  const field = () => dialog.querySelector("input[type=search]");
  // A command without an address of its own presses the button of the page that does it; without that button it is not offered.
  const button = (key) => document.querySelector(`[data-chord="${key}"]:not([disabled]), .ed-bar a[href*="/${key}"]`);
  function offer() {
    for (const row of dialog.querySelectorAll("[data-press]")) row.hidden = !button(row.dataset.press);
  }

  async function open() {
    if (dialog.open) return;
    await htmx.ajax("GET", dialog.dataset.from, { target: dialog, swap: "innerHTML" });
    dialog.showModal();
    offer();
    field()?.focus();
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
    else if (event.key === "Enter" && at < 0) list[0]?.click();
    else { if (event.key.length === 1 && at >= 0 && !event.ctrlKey && !event.metaKey) field().focus(); return; }
    event.preventDefault();
  });
  dialog.addEventListener("htmx:afterSettle", offer);
})();
