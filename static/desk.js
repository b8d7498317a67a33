/* Keys of the desk and of a conversation, and the composer, whose text is never lost. */
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("#words")) {
    event.target.form.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  if (document.body.dataset.letters === "off") return;
  const step = { j: [1, 0], k: [-1, 0], l: [0, 1], h: [0, -1] }[event.key];
  if (!step) return;
  const columns = [...document.querySelectorAll("[data-col]")]
    .map((column) => [...column.querySelectorAll("a[href^='/conversations/']")]).filter((column) => column.length);
  if (!columns.length) return;
  const x = columns.findIndex((column) => column.includes(document.activeElement));
  const y = x < 0 ? -1 : columns[x].indexOf(document.activeElement);
  const column = columns[Math.min(columns.length - 1, Math.max(0, x + step[1]))] || columns[0];
  column[Math.min(column.length - 1, Math.max(0, y + step[0]))].focus();
  event.preventDefault();
});

(() => {
  const key = `words ${location.pathname}`;
  const words = () => document.getElementById("words");
  if (!words()) return;
  if (!words().value) words().value = sessionStorage.getItem(key) || "";
  document.body.addEventListener("input", (event) => {
    if (event.target === words()) sessionStorage.setItem(key, words().value);
  });
  document.body.addEventListener("submit", (event) => {
    // Sent without htmx: the page that follows is a new one. What is refused comes back in its field.
    if (event.target.id === "compose") sessionStorage.removeItem(key);
  });
  document.body.addEventListener("htmx:afterSwap", () => sessionStorage.setItem(key, words()?.value || ""));
  // News that arrive while a menu is open or a choice is being made wait for the next time.
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.detail.target.querySelector("details[open], input:focus")) event.detail.shouldSwap = false;
  });
})();
