/* Keys of the desk and of a conversation, and the composer, whose text is never lost. */
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.closest("#compose form")) {
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
  // A message and a note are kept apart, each until it is sent.
  const field = () => document.querySelector("#compose textarea[data-keep]");
  const key = (where) => `${where.id} ${location.pathname}`;
  const bring = () => { if (field() && !field().value) field().value = sessionStorage.getItem(key(field())) || ""; };
  if (!document.getElementById("compose")) return;
  bring();
  document.body.addEventListener("input", (event) => {
    if (event.target === field()) sessionStorage.setItem(key(field()), field().value);
  });
  document.body.addEventListener("submit", (event) => {
    // Sent without htmx: the page that follows is a new one. What is refused comes back in its field.
    if (event.target.closest("#compose") && field()) sessionStorage.removeItem(key(field()));
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    const path = event.detail.requestConfig?.path || "";
    if (path.includes("/compose") && event.detail.requestConfig.verb === "get") bring();
    else if (field()) sessionStorage.setItem(key(field()), field().value);
  });
  // News that arrive while a menu is open or a choice is being made wait for the next time.
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const busy = "details[open], input:focus, select:focus, .hand-l :is(input, select):not([type=hidden]):user-valid";
    if (event.detail.target.querySelector(busy)) event.detail.shouldSwap = false;
  });
})();
