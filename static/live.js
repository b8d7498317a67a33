/* The live desk: puts what the server says into the page. A column that is being used keeps its order: what changes
   there waits behind a button. Without this script the page is whole, and a reload is the update. */
"use strict";
(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const $ = (id) => document.getElementById(id);
  const waiting = new Map(); // id of a card -> the new card, or null when it is gone
  let source, heard = Date.now(), looked = 0, marks = live.dataset.marks, held = false, said = 0;

  const parsed = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).content;
  const columnOf = (name) => live.querySelector(`[data-col="${CSS.escape(name)}"]`);
  const hovers = matchMedia("(hover: hover)");
  const used = (column) => column && ((hovers.matches && column.matches(":hover")) || column.contains(document.activeElement));

  const put = (id, card) => {
    const old = $(id);
    const column = card && columnOf(card.dataset.in);
    const focused = old && old.contains(document.activeElement);
    old?.remove();
    if (!column) return;
    column.insertBefore(card, [...column.children].find((other) => other.dataset.o > card.dataset.o) || null);
    if (focused) (card.href ? card : card.querySelector("a")).focus();
  };
  const offer = (id, card) => {
    const old = $(id);
    const from = old?.parentElement;
    const to = card && columnOf(card.dataset.in);
    if (old && from === to && (used(to) || old.dataset.o === card.dataset.o)) {
      const focused = old.contains(document.activeElement);
      old.replaceWith(card);
      if (focused) (card.href ? card : card.querySelector("a")).focus();
    } else if (used(from) || used(to)) waiting.set(id, card);
    else put(id, card);
    count();
  };
  const count = () => {
    for (const button of live.querySelectorAll(".news")) {
      const name = button.nextElementSibling.dataset.col;
      const number = [...waiting.values()].filter((card) => card?.dataset.in === name).length;
      button.hidden = !number;
      button.textContent = number === 1 ? button.dataset.one : button.dataset.many.replace("{n}", number);
    }
  };
  const settle = (all) => {
    const ready = [...waiting];
    waiting.clear();
    for (const [id, card] of ready) all ? put(id, card) : offer(id, card);
    count();
  };
  const swap = (html) => {
    for (const fresh of [...parsed(html).children]) {
      const old = $(fresh.id);
      const focus = old?.contains(document.activeElement) && document.activeElement.getAttribute("href");
      old?.replaceWith(fresh);
      if (focus) fresh.querySelector(`[href="${CSS.escape(focus)}"]`)?.focus();
    }
  };

  const close = () => source?.close();
  const open = () => {
    close();
    heard = Date.now();
    source = new EventSource(`${live.dataset.stream}&cursor=${marks}`);
    const on = (name, act) => source.addEventListener(name, (event) => {
      heard = Date.now();
      if (event.lastEventId) marks = event.lastEventId;
      act(event.data);
    });
    on("card", (html) => { const card = parsed(html).firstElementChild; offer(card.id, card); });
    on("gone", (id) => offer(id, null));
    on("counts", swap);
    on("attention", swap);
    on("ping", () => {});
    on("bye", look);
  };
  // A whole look: the times of all cards, and whatever a stream could not tell.
  const look = async () => {
    close();
    looked = Date.now();
    try {
      const answer = await fetch(location.href);
      if (answer.status === 401) return location.reload();
      const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page && page.getElementById("live");
      if (!next) return;
      if (!used($("desk"))) {
        const tops = [...live.querySelectorAll("[data-col]")].map((column) => [column.dataset.col, column.scrollTop]);
        waiting.clear();
        $("desk").replaceWith(page.getElementById("desk"));
        for (const [name, top] of tops) if (columnOf(name)) columnOf(name).scrollTop = top;
        marks = next.dataset.marks;
      }
      swap(page.getElementById("att").outerHTML);
      if (!held) open();
    } catch { /* the bar says it, and the clock below tries again */ }
  };

  const pause = $("hold");
  pause.addEventListener("click", () => {
    held = !held;
    pause.setAttribute("aria-pressed", held);
    if (held) close(); else look();
  });
  live.addEventListener("click", (event) => { if (event.target.closest(".news")) settle(true); });
  $("again").addEventListener("click", look);
  document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else if (!held) look(); });
  setInterval(() => {
    settle(false);
    const quiet = Math.round((Date.now() - heard) / 1000);
    const lost = !held && !document.hidden && quiet > 20;
    live.classList.toggle("lost", lost);
    $("still").hidden = !lost;
    $("still-for").textContent = `${quiet} s`;
    $("pulse").classList.toggle("off", held || lost);
    $("ago").textContent = held ? $("ago").dataset.paused : $("ago").dataset.live;
    if (lost && Date.now() - looked > 15000) look();
    const words = $("att").dataset.said;
    if ($("said").textContent !== words && Date.now() - said > 15000) {
      said = Date.now();
      $("said").textContent = words;
    }
  }, 1000);
  open();
})();
