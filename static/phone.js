/* On the test phone Enter sends, as in a chat; Shift+Enter begins a new line. */
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches("#say textarea")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
