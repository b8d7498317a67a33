/* The list of flows and the page of an export: a choice acts at once, "/" leads to the filter, an address is copied. */
"use strict";
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});
document.addEventListener("keydown", (event) => {
  const filter = document.getElementById("q");
  if (event.key !== "/" || !filter || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  filter.focus();
  filter.select();
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages that are not served over TLS have no clipboard of their own
  }
  const words = button.querySelector("span");
  words.textContent = button.dataset.copied;
});
