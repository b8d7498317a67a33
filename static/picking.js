/* Cards that are selected (X), and the tags of one or several of them in a dialog over the desk. */
"use strict";
(() => {
  const dialog = document.getElementById("tagging"), bar = document.getElementById("picked");
  if (!dialog || !bar) return;
  const cards = () => [...document.querySelectorAll("[data-in].picked")];

  function show() {
    const ids = cards().map((card) => card.id.slice(2));
    bar.hidden = !ids.length;
    bar.querySelector("b").textContent = ids.length === 1 ? bar.dataset.one : bar.dataset.many.replace("{n}", ids.length);
    const tags = bar.querySelector("a");
    if (tags) tags.href = `/live/tags?${ids.map((id) => `c=${id}`).join("&")}`;
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.body.dataset.letters === "off") return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    if (event.key === "Escape" && cards().length) {
      for (const card of cards()) card.classList.remove("picked");
      show();
    }
    if (event.key !== "x") return;
    const card = document.activeElement.closest("[data-in]");
    if (!card) return;
    event.preventDefault();
    card.classList.toggle("picked");
    show();
  });
  bar.querySelector("button").addEventListener("click", () => {
    for (const card of cards()) card.classList.remove("picked");
    show();
  });
  // A card that went away is not selected any more.
  new MutationObserver(show).observe(document.getElementById("desk"), { childList: true, subtree: true });

  let opener = "";
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-tagging]");
    if (!link || !window.htmx || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    opener = link.getAttribute("href");
    await htmx.ajax("GET", link.href, { target: dialog, swap: "innerHTML" });
    if (!dialog.querySelector("#tagging-b")) return;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("#tag-add").focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog && !event.target.closest("[data-close]")) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("close", () => document.querySelector(`[data-tagging][href="${CSS.escape(opener)}"]`)?.focus());
})();
