/* The table of the editor as a spreadsheet: arrow keys from square to square, Enter opens, Del clears, Ctrl C and V copy. */
"use strict";
(() => {
  const COPIED = "square";
  const table = () => document.querySelector(".mx");
  const rows = () => [...table().tBodies[0].rows].map((row) => [...row.querySelectorAll("th, td[data-cell]")]);
  const here = () => document.activeElement?.closest?.(".mx :is(td[data-cell], th[scope=row])");
  const place = (square) => square.dataset.cell.slice(2).split(":").map(encodeURIComponent).join("/");
  let held = "";

  // One tab stop; the links inside are reached through their square.
  function stop(square) {
    if (!table()) return;
    table().setAttribute("role", "grid");
    const all = rows().flat(), one = square || all.find((cell) => cell.querySelector("[aria-current]")) || all[1] || all[0];
    for (const cell of all) {
      cell.tabIndex = cell === one ? 0 : -1;
      for (const link of cell.querySelectorAll("a")) link.tabIndex = -1;
    }
    for (const cell of all) cell.classList.toggle("copied", cell.dataset.cell === sessionStorage.getItem(COPIED));
  }

  function move(square, down, right) {
    const all = rows(), y = all.findIndex((row) => row.includes(square)), x = all[y].indexOf(square);
    const row = all[Math.max(0, Math.min(all.length - 1, y + down))];
    const to = row[Math.max(0, Math.min(row.length - 1, x + right))];
    stop(to);
    to.focus();
    to.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function open(square) {
    const link = square.querySelector("a");
    whenPanelSettles(() => document.getElementById("panel-title")?.focus());
    if (link) link.click();
    else htmx.ajax("GET", `${location.pathname}/cells/${place(square)}${location.search}`, { target: "#panel", swap: "innerHTML" });
  }

  const post = (square, what, values) => htmx.ajax("POST", `${location.pathname}/cells/${place(square)}/${what}`, {
    target: "#panel", swap: "innerHTML", values: { view: new URLSearchParams(location.search).get("view") || "table", ...values },
  });
  const canEdit = () => "edit" in table().dataset;

  document.addEventListener("keydown", (event) => {
    const square = here();
    if (!square || event.altKey) return;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -1e4], End: [0, 1e4] };
    const own = square.dataset.cell, held = sessionStorage.getItem(COPIED);
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "c" && own && !String(getSelection())) { sessionStorage.setItem(COPIED, own); stop(square); }
      else if (event.key === "v" && own && held && canEdit()) post(square, "paste", { copied: held });
      else return;
    } else if (steps[event.key]) move(square, ...steps[event.key]);
    else if (event.key === "Enter" || event.key === "F2") open(square);
    else if (event.key === "Delete" && own && canEdit()) post(square, "clear", {});
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("focusin", () => { const square = here(); if (square) stop(square); });
  document.body.addEventListener("htmx:beforeSwap", () => { held = here()?.dataset.cell || (document.activeElement.closest("#panel") ? held : ""); });
  document.body.addEventListener("htmx:afterSettle", () => {
    if (!table()) return;
    const square = held && document.querySelector(`.mx td[data-cell="${CSS.escape(held)}"]`);
    stop(square || here());
    if (square && document.activeElement === document.body) square.focus({ preventScroll: true });
  });
  stop(null);
})();
