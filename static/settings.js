/* Settings: copying an address, and secrets that were typed and survive the answer that corrects another field. */
"use strict";
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
  const before = words.textContent;
  words.textContent = button.dataset.copied;
  setTimeout(() => { words.textContent = before; }, 2000);
});

(() => {
  let typed = new Map();
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    typed = new Map();
    if (event.detail.xhr.status !== 422) return;
    for (const field of document.querySelectorAll("#connection input[type=password]")) typed.set(field.id, field.value);
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field && value) field.value = value;
    }
    typed = new Map();
  });
})();
