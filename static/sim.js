/* The simulator: after each step the drawing is scrolled to where the conversation stands, and writing goes on. */
"use strict";
(() => {
  const follow = () => {
    const canvas = document.getElementById("sim-canvas");
    const here = canvas && canvas.querySelector(".node.cur");
    if (!here) return;
    const box = here.getBoundingClientRect(), frame = canvas.getBoundingClientRect();
    canvas.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    canvas.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
  };
  document.addEventListener("DOMContentLoaded", follow);
  document.addEventListener("htmx:afterSwap", follow);
})();
