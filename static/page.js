/* Runs before the body is painted: marks that scripts work, and keeps small manners that every page shares. */
"use strict";
document.documentElement.classList.add("has-js");

document.addEventListener("DOMContentLoaded", () => {
  // What htmx could not send is said, and what was typed stays.
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(name, () => {
      const toasts = document.getElementById("toasts");
      toasts.replaceChildren(document.getElementById("offline").content.cloneNode(true));
    });
  }
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const button = event.detail.elt.closest("button");
    if (button) button.setAttribute("aria-busy", "true");
  });
  document.body.addEventListener("htmx:afterRequest", (event) => {
    const button = event.detail.elt.closest("button");
    if (button) button.removeAttribute("aria-busy");
  });
});

// A toast goes away by itself, but not while somebody reads it by keyboard or mouse.
setInterval(() => {
  for (const toast of document.querySelectorAll(".toast:not([role=alert])")) {
    if (toast.matches(":hover, :focus-within")) continue;
    const age = Number(toast.dataset.age || 0) + 1;
    toast.dataset.age = age;
    if (age >= 10) toast.remove();
  }
}, 1000);

// Theme and language come back to what is shown now, which links of htmx may have changed since the page was made.
document.addEventListener("submit", (event) => {
  const back = event.target.elements.back;
  if (back) back.value = location.pathname + location.search;
});

// An open menu closes on Escape and on a click elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// An address is copied by its button.
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

// The session ended while somebody typed: they sign in in another tab and come back to what is still there. The page then
// gets the token of the new session, if it is the same person's.
const written = () => [...document.querySelectorAll("main :is(textarea, input:not([type=hidden], [type=checkbox], [type=radio]))")]
  .some((field) => field.value !== field.defaultValue);
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status !== 401 || event.detail.requestConfig.verb !== "get") return;
  // It only looked: where nothing was typed the page asks by itself, else it is told once.
  if (!written()) location.reload();
  if (document.querySelector(".toast[data-ended]")) event.detail.shouldSwap = false;
});
async function again() {
  const told = document.querySelector(".toast[data-ended]");
  if (!told || document.hidden) return;
  const answer = await fetch("/session/mine").catch(() => null);
  if (!answer?.ok) return;
  const { account, csrf } = await answer.json();
  if (String(account) !== document.body.dataset.account) return location.reload();
  document.body.setAttribute("hx-headers", JSON.stringify({ "x-csrf-token": csrf }));
  for (const field of document.querySelectorAll("input[name=_csrf]")) field.value = csrf;
  told.removeAttribute("data-ended");
  told.setAttribute("role", "status");
  told.replaceChildren(told.querySelector("template[data-again]").content.cloneNode(true));
}
addEventListener("focus", again);
document.addEventListener("visibilitychange", again);
