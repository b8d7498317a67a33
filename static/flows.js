/* The list of flows and the page of an export: a choice acts at once. */
"use strict";
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});
