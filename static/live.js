/* The live desk: puts what the server says into the page. A column in use keeps its order; newcomers wait. */
"use strict";
(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const $ = (id) => document.getElementById(id);
  const waiting = new Map(); // id of a card -> the new card, or null when it is gone
  const WHOLE = 300000; // how old a whole look may be: what no stream tells is told by it
  let source, marks = live.dataset.marks, looked = Date.now();

  const parsed = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).content;
  const columnOf = (name) => live.querySelector(`[data-col="${CSS.escape(name)}"]`);
  const mouse = matchMedia("(hover: hover)");
  const used = (part) => part && ((mouse.matches && part.matches(":hover")) || part.contains(document.activeElement));

  // Replaces an element, or puts it in order into its column; focus comes back.
  const put = (fresh, old, column) => {
    const focus = old?.contains(document.activeElement) && document.activeElement.getAttribute("href");
    if (fresh && old?.classList.contains("picked")) fresh.classList.add("picked");
    if (column) {
      const next = [...column.children].find((other) => other !== old && other.dataset.o > fresh.dataset.o);
      column.insertBefore(fresh, next || null);
      old?.remove();
    } else if (fresh) old?.replaceWith(fresh);
    else old?.remove();
    const again = `[href="${CSS.escape(focus || "")}"]`;
    if (focus && fresh) (fresh.matches(again) ? fresh : fresh.querySelector(again))?.focus();
  };
  const place = (id, card, now) => {
    const old = $(id), from = old?.parentElement, to = card && columnOf(card.dataset.in);
    const stays = old && from === to && (used(to) || old.dataset.o === card.dataset.o);
    if (stays) put(card, old);
    else if (!now && (used(from) || used(to))) waiting.set(id, card);
    else put(to && card, old, to);
  };
  const settle = (now) => {
    const ready = [...waiting];
    waiting.clear();
    for (const [id, card] of ready) place(id, card, now);
    for (const button of live.querySelectorAll(".news")) {
      const name = button.nextElementSibling.dataset.col;
      const number = [...waiting.values()].filter((card) => card?.dataset.in === name).length;
      button.hidden = !number;
      button.textContent = number === 1 ? button.dataset.one : button.dataset.many.replace("{n}", number);
    }
  };
  const swap = (html) => { for (const fresh of [...parsed(html).children]) put(fresh, $(fresh.id)); };

  // The drawing with new counts, looked at from where it was.
  const redraw = (html) => {
    const old = $("drawing"), seen = old?.querySelector(".live-svg"), fresh = parsed(html).firstElementChild;
    if (!old || old.contains(document.activeElement) && document.activeElement !== seen) return;
    const at = seen && [seen.scrollLeft, seen.scrollTop], focus = seen === document.activeElement;
    old.replaceWith(fresh);
    const now = fresh.querySelector(".live-svg");
    if (at && now) now.scrollTo(...at);
    if (focus) now?.focus();
  };

  const open = () => {
    source?.close();
    if (document.hidden || live.dataset.held) return;
    source = new EventSource(`${live.dataset.stream}&cursor=${marks}`);
    const on = (name, act) => source.addEventListener(name, (event) => {
      live.dataset.heard = Date.now();
      marks = event.lastEventId || marks;
      act?.(event.data);
    });
    on("card", (html) => { const card = parsed(html).firstElementChild; place(card.id, card); });
    on("gone", (id) => place(id, null));
    on("counts", swap);
    on("attention", swap);
    on("drawing", redraw);
    on("ping");
    on("bye", (why) => (why === "look" || Date.now() - looked > WHOLE ? look() : open()));
  };
  // A whole look, for what no stream tells: the time that passes.
  const look = async () => {
    source?.close();
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.status === 401) location.reload();
    if (!answer?.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
    if (next?.dataset.version !== live.dataset.version) return location.reload();
    const cards = [...next.querySelectorAll("[data-in]")], ids = cards.map((card) => card.id);
    marks = next.dataset.marks;
    looked = Date.now();
    for (const card of cards) place(card.id, card);
    for (const old of [...live.querySelectorAll("[data-in]")]) if (!ids.includes(old.id)) place(old.id, null);
    for (const part of [...next.querySelectorAll(".bcol-t, b[id], #att, #down")]) put(part, $(part.id));
    if (next.querySelector("#drawing")) redraw(next.querySelector("#drawing").outerHTML);
    open();
  };
  live.addEventListener("look", look);
  live.addEventListener("click", (event) => { if (event.target.closest(".news")) settle(true); });
  document.addEventListener("visibilitychange", () => (document.hidden ? source?.close() : look()));
  setInterval(settle, 1000, false);
  // The first look at a drawing that is larger than its frame is at a box, not at an empty corner.
  const frame = live.querySelector(".live-svg"), box = frame?.querySelector(".node")?.getBoundingClientRect();
  if (box) {
    const own = frame.getBoundingClientRect();
    frame.scrollBy(Math.max(0, box.right + 24 - own.right, box.x + box.width / 2 - own.x - own.width / 2), Math.max(0, box.bottom + 24 - own.bottom));
  }
  open();
})();
