/* A new arrow from box to box: drawn with the mouse, or T and then the box where it leads. Nothing is saved before its event is chosen. */
"use strict";
(() => {
  const canvas = document.getElementById("canvas"), view = document.getElementById("canvas-view");
  if (!view) return;
  const told = document.getElementById("linking");
  const box = (target) => target?.closest?.("#canvas-view .node")?.querySelector('a[data-sel^="s:"]');
  const name = (link) => link.dataset.sel.slice(2);
  const FAR = 6; // pixels before a press is a drag
  let from = null, keys = null, line = null, over = null;

  async function begin(start, end) {
    const query = `from=${encodeURIComponent(name(start))}&to=${encodeURIComponent(name(end))}`;
    await htmx.ajax("GET", `${location.pathname}/transitions/new?${query}`, { target: "#panel", swap: "innerHTML" });
    history.pushState({ htmx: true }, "", `?sel=new:transition&${query}`);
    document.querySelector("#panel select[name=on]")?.focus();
  }

  function mark(link) {
    over?.classList.remove("target");
    over = link?.closest(".node") || null;
    over?.classList.add("target");
  }

  function leave() {
    line?.remove();
    mark(null);
    line = from = null;
  }

  // Before the canvas: a box is never moved, and what is drawn from it does not move the view. A finger pans.
  view.addEventListener("pointerdown", (event) => {
    const link = event.pointerType !== "touch" && event.button === 0 && !event.target.closest('[data-sel^="t:"]') && box(event.target);
    if (!link) return;
    event.linking = true;
    from = { link, x: event.clientX, y: event.clientY };
  });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!line) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
      line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      line.setAttribute("class", "rubber");
      line.innerHTML = "<line/><circle r='4'/>";
      canvas.append(line);
    }
    const own = canvas.getBoundingClientRect(), x = event.clientX - own.x, y = event.clientY - own.y;
    const set = (element, values) => { for (const [key, value] of Object.entries(values)) element.setAttribute(key, value); };
    set(line.firstChild, { x1: from.x - own.x, y1: from.y - own.y, x2: x, y2: y });
    set(line.lastChild, { cx: x, cy: y });
    mark(box(document.elementFromPoint(event.clientX, event.clientY)));
  });
  window.addEventListener("pointerup", (event) => {
    if (!from) return;
    const start = from.link, drawn = !!line, end = drawn && box(document.elementFromPoint(event.clientX, event.clientY));
    leave();
    if (!drawn) return;
    // The click that ends a drag is none.
    window.addEventListener("click", (click) => { click.preventDefault(); click.stopPropagation(); }, { capture: true, once: true });
    setTimeout(() => window.dispatchEvent(new MouseEvent("click")));
    if (end && end.dataset.sel !== start.dataset.sel) begin(start, end);
  });
  window.addEventListener("pointercancel", leave);
  canvas.addEventListener("dragstart", (event) => event.preventDefault());

  function choosing(start) {
    keys = start;
    canvas.classList.toggle("choosing", !!start);
    told.textContent = start ? told.dataset.words.replace("§", name(start)) : "";
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = view.contains(document.activeElement) ? box(document.activeElement) : null;
    if (from && event.key === "Escape") leave();
    else if (keys && event.key === "Escape") choosing(null);
    else if (keys && here && event.key === "Enter") { begin(keys, here); choosing(null); }
    else if (!keys && here && event.key.toLowerCase() === "t" && document.body.dataset.letters !== "off") choosing(here);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
})();
