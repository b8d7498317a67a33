/* Keys of the editor's own buttons: undo, redo, copy, paste, rename; what only a page can know: not saved, counted, left. */
"use strict";
(() => {
  const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");
  const button = (name) => document.querySelector(`[data-chord="${name}"]:not([disabled])`);

  document.addEventListener("keydown", (event) => {
    if (typing(event.target) || event.altKey) return;
    if (event.key === "F2") {
      rename(event);
      return;
    }
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    const name = key === "z" && event.shiftKey ? "Z" : key;
    // What is marked with the mouse is what a person wants to copy.
    if (name === "c" && String(getSelection())) return;
    const found = "zZcv".includes(name) && name.length === 1 ? button(name) : null;
    if (found) {
      event.preventDefault();
      found.click();
    }
  });

  // The name is behind a pencil: a double click on it, or F2, opens the field.
  function rename(event) {
    const place = document.querySelector("#panel details.rename");
    if (!place) return;
    event.preventDefault();
    place.open = true;
    const field = place.querySelector("input.in");
    field.focus();
    field.select();
  }
  let renaming = "";
  // The second click of two asks nothing again: its answer would close what the first one opened.
  document.addEventListener("click", (event) => {
    if (event.detail < 2 || !event.target.closest("#canvas a[data-sel]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("dblclick", (event) => {
    const name = event.target.closest("#panel-title, #canvas a[data-sel^='s:']");
    if (!name) return;
    if (name.id === "panel-title") rename(event);
    else renaming = name.dataset.sel;
    if (renaming && new URLSearchParams(location.search).get("sel") === renaming) rename(event);
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "panel" || !renaming || new URLSearchParams(location.search).get("sel") !== renaming) return;
    renaming = "";
    rename(event);
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.("details.rename") && event.target.open) event.target.querySelector("input.in")?.focus();
  }, true);

  // Characters as WhatsApp counts them, which is how a browser counts them too.
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form.field");
    if (!form || !event.target.matches("textarea, input.in")) return;
    const index = [...form.querySelectorAll("textarea.in, input.in")].indexOf(event.target);
    const room = form.querySelector(`.room[data-index="${index}"]`);
    if (!room) return;
    room.querySelector(".n").textContent = event.target.value.length;
    room.classList.toggle("over", event.target.value.length > Number(room.dataset.limit));
  });

  // What could not be sent stays in its field, is said, and is sent again: by a button, and as soon as the line is back.
  const unsaved = () => [...document.querySelectorAll("form[data-unsaved]")];
  function again() {
    for (const form of unsaved()) htmx.trigger(form, "submit");
  }
  function failed(event) {
    const form = event.detail.elt.closest?.("form");
    if (!form?.closest("#panel")) return;
    form.dataset.unsaved = "";
    const state = document.getElementById("save-state");
    if (!state) return;
    state.textContent = state.dataset.unsaved;
    state.classList.add("unsaved");
    const toast = document.querySelector("#toasts .toast[role=alert]:not(:has(button))");
    if (!toast) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "linkish", textContent: state.dataset.retry });
    button.addEventListener("click", again);
    toast.append(button);
  }
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, failed);
  document.addEventListener("htmx:responseError", (event) => { if (event.detail.xhr.status >= 500) failed(event); });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.id === "presence" && document.hidden) event.preventDefault();
    if (event.detail.elt.matches?.("form[data-unsaved]")) delete event.detail.elt.dataset.unsaved;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful || unsaved().length || event.detail.elt.id === "presence") return;
    document.getElementById("save-state")?.classList.remove("unsaved");
    for (const toast of document.querySelectorAll("#toasts .toast[role=alert]:has(button)")) toast.remove();
  });
  addEventListener("online", again);
  addEventListener("beforeunload", (event) => { if (unsaved().length) event.preventDefault(); });

  // Whoever leaves the page, or looks at another one, is not editing here any more.
  function left() {
    const place = document.getElementById("presence")?.dataset.leave;
    if (!place) return;
    const headers = JSON.parse(document.body.getAttribute("hx-headers") || "{}");
    fetch(place, { method: "POST", keepalive: true, headers }).catch(() => {}); // it is forgotten after a minute anyway
  }
  addEventListener("pagehide", left);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) left();
    else htmx.ajax("POST", document.getElementById("presence")?.getAttribute("hx-post"), { target: "#presence", swap: "outerHTML" });
  });
})();
