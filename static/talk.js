/* A conversation: says that it is open and whether somebody writes, and finds a ready reply by its shortcut. */
"use strict";
(() => {
  const compose = () => document.getElementById("compose");
  let typed = -Infinity; // when something was typed last
  const writing = () => Date.now() - typed < 15000;
  const look = () => { if (document.getElementById("here")) htmx.trigger("#here", "look"); };
  addEventListener("load", look);
  document.addEventListener("input", (event) => {
    if (event.target.matches("#words, #note")) {
      const began = !writing();
      typed = Date.now();
      if (began) look();
    }
    if (event.target.id === "find-reply") narrow(event.target.value);
  });
  document.body.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt.id === "here") event.detail.parameters.writing = writing() ? "yes" : "";
  });

  const narrow = (words) => {
    const wanted = words.replace(/^\//, "").toLowerCase();
    for (const button of compose().querySelectorAll(".cv-replies button"))
      button.hidden = !button.textContent.toLowerCase().includes(wanted);
  };
  // "/" at the start of an empty message offers the replies; Enter takes the first, Escape goes back to writing.
  document.addEventListener("keydown", (event) => {
    const replies = document.getElementById("replies");
    if (!replies) return;
    if (event.key === "/" && event.target.id === "words" && !event.target.value) {
      event.preventDefault();
      replies.open = true;
      const find = document.getElementById("find-reply");
      find.value = "";
      narrow("");
      find.focus();
    } else if (event.key === "Enter" && event.target.id === "find-reply") {
      event.preventDefault();
      compose().querySelector(".cv-replies button:not([hidden])")?.click();
    } else if (event.key === "Escape" && event.target.id === "find-reply") {
      replies.open = false;
      document.getElementById("words")?.focus();
    }
  });
  // What came while nothing was typed was seen before the writing began.
  document.body.addEventListener("htmx:afterSettle", () => {
    const form = document.getElementById("writing-form"), state = document.getElementById("news")?.dataset.state;
    if (form?.elements.seen && form.elements.text && !form.elements.text.value && state) form.elements.seen.value = state;
  });
  // After a reply was put in, or another tab was chosen, writing goes on there.
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.requestConfig?.path.includes("/compose")) compose()?.querySelector("#words:not([readonly]), #note, #template, #file")?.focus();
  });

  addEventListener("pagehide", () => {
    const here = document.getElementById("here");
    if (!here) return;
    const form = new FormData();
    form.append("_csrf", here.elements._csrf.value);
    navigator.sendBeacon(here.dataset.leave, form);
  });
})();
