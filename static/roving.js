/* The drawing by keyboard: one tab stop, arrow keys from box to box, Tab along the arrows of a box; and what is looked at
   (with focus, or a mouse that rests) stands out with its two boxes. */
"use strict";
(() => {
  const view = document.getElementById("canvas-view");
  if (!view) return;
  const links = () => [...view.querySelectorAll("a[aria-label]")];
  const isBox = (link) => link === link.closest(".node")?.querySelector("a[aria-label]");
  const selected = () => new URLSearchParams(location.search).get("sel");
  const focused = () => (view.contains(document.activeElement) ? document.activeElement.closest("a[aria-label]") : null);
  const named = (sel) => view.querySelector(`a[aria-label][data-sel="${CSS.escape(sel || "")}"]`);
  view.parentElement.tabIndex = -1;

  function stop(link) {
    const one = link || named(selected()) || links().find(isBox);
    for (const other of links()) other.tabIndex = other === one ? 0 : -1;
  }

  const go = (link) => link?.focus({ preventScroll: true });

  // The box of an arrow's words, and its arrows after it.
  function row(link) {
    const box = isBox(link) ? link : named(link.closest(".edge")?.dataset.from) || link.closest(".node")?.querySelector("a[aria-label]");
    if (!box) return [link];
    const inside = box.closest(".node").querySelectorAll('a[aria-label]:not([data-sel^="s:"])');
    const leaving = view.querySelectorAll(`.edge[data-from="${CSS.escape(box.dataset.sel)}"] a[aria-label]`);
    return [...new Set([box, ...inside, ...leaving])];
  }

  // The nearest box in the direction of an arrow key.
  function walk(event) {
    event.preventDefault();
    const middle = (link) => { const box = link.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const from = focused();
    if (!from) { go(view.querySelector('a[aria-label][tabindex="0"]')); return; }
    const [x, y] = middle(from);
    const across = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const sign = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    let best = null, least = Infinity;
    for (const link of links().filter(isBox)) {
      const [a, b] = middle(link);
      const along = sign * (across ? a - x : b - y), aside = Math.abs(across ? b - y : a - x);
      if (link !== from && along > 4 && along + 2 * aside < least) { best = link; least = along + 2 * aside; }
    }
    go(best);
  }

  // What a key does to a thing it does to what the panel shows: that is opened first.
  function opened(link, act) {
    if (link.dataset.sel === selected()) { act(); return; }
    whenPanelSettles(act);
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
  const enter = () => document.getElementById("panel-title")?.focus();
  const remove = () => document.querySelector('#panel [data-key="Delete"]')?.click();
  function rename() {
    const place = document.querySelector("#panel details.rename") || document.getElementById("i-name")?.closest("details");
    if (!place) return;
    place.open = true;
    place.querySelector("input.in[name=value]:not([type=hidden]), #i-name")?.select();
  }

  view.parentElement.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const link = focused();
    if (event.key.startsWith("Arrow") && !event.shiftKey) walk(event);
    else if (!link) return;
    else if (event.key === "Tab") {
      const list = row(link), next = list[list.indexOf(link) + (event.shiftKey ? -1 : 1)];
      if (next) { event.preventDefault(); go(next); }
    } else if (link.dataset.sel.startsWith("p:")) return;
    else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); opened(link, event.key === "Enter" ? enter : () => {}); }
    else if (event.key === "F2") { event.preventDefault(); event.stopPropagation(); opened(link, rename); }
    else if (event.key === "Delete") { event.preventDefault(); event.stopPropagation(); opened(link, remove); }
  });

  // After a change the drawing is new: focus returns to what had it, or to what came after it.
  let held = null, panel = false;
  document.body.addEventListener("htmx:beforeSwap", () => {
    const list = links().map((link) => link.dataset.sel), at = focused()?.dataset.sel;
    if (at) held = [...list.slice(list.indexOf(at)), ...list.slice(0, list.indexOf(at)).reverse()];
    panel = !!document.activeElement.closest("#panel");
  });
  document.body.addEventListener("htmx:afterSettle", () => {
    if (held && !focused() && document.activeElement === document.body) go(held.map(named).find(Boolean));
    if (panel && document.activeElement === document.body) (document.querySelector("[data-nothing]") ? go(named(last) || view.querySelector('a[tabindex="0"]')) : enter());
    held = null;
    stop(focused());
  });

  // What is looked at: a line with its words and its two boxes.
  let timer = 0, last = "";
  function light(link) {
    clearTimeout(timer);
    for (const old of view.querySelectorAll(".lit")) old.classList.remove("lit");
    const edge = link?.closest(".edge[data-from]");
    if (!edge) return;
    const { from, to } = edge.dataset, family = edge.getAttribute("class").split(" ")[2];
    view.querySelector("svg.fluxo").classList.add("lit");
    for (const one of view.querySelectorAll(`.edge.${family}`)) if (one.dataset.from === from && one.dataset.to === to) one.classList.add("lit");
    for (const end of [from, to]) named(end)?.closest(".node").classList.add("lit");
  }
  view.addEventListener("focusin", (event) => {
    const link = event.target.closest("a[aria-label]");
    if (!link) return;
    last = link.dataset.sel;
    stop(link);
    light(link.matches(":focus-visible") ? link : null);
  });
  view.addEventListener("focusout", () => light(null));
  view.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" && event.target.closest(".edge a");
    clearTimeout(timer);
    if (link) timer = setTimeout(light, 250, link);
    else if (!focused()?.matches(":focus-visible")) light(null);
  });
  view.addEventListener("pointerleave", () => light(focused()?.matches(":focus-visible") ? focused() : null));
  stop(null);
})();
