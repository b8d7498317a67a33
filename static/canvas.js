/* Zoom and pan of the diagram. The view is a transform outside the drawing and is kept per flow for this tab,
   so a new drawing after a change does not move it. Everything here is also possible without a mouse. */
"use strict";
(() => {
  const canvas = document.getElementById("canvas");
  const view = document.getElementById("canvas-view");
  if (!canvas || !view) return;
  const SMALLEST = 0.25, LARGEST = 3, STEP = 1.25, NUDGE = 60;
  const EDGE = canvas.clientWidth < 600 ? 120 : 72; // what lies over the drawing at its edges: buttons, legend
  const READABLE = 9 / 11; // an 11 point label drawn 9 pixels high
  const keyOf = () => `canvas:${canvas.dataset.flow}:${document.getElementById("canvas-svg")?.dataset.phase ?? ""}`;
  let key = keyOf();
  const level = document.getElementById("zoom-level");
  let at = null; // the transform, of a drawing that fits the canvas
  let kept = stored(); // the same without the canvas: the point of the drawing in its middle, and pixels a point

  function stored() {
    try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; } // a broken entry is no entry
  }

  // Pixels per point where the drawing just fits; `z` multiplies it.
  function fitted() {
    const svg = view.querySelector("svg.fluxo");
    if (!svg || !svg.viewBox.baseVal.width) return 1;
    const box = svg.viewBox.baseVal;
    return Math.min(svg.clientWidth / box.width, svg.clientHeight / box.height);
  }

  function show() {
    // The CSSOM is not an inline style: the content policy allows it.
    view.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.z})`;
    const scale = at.z * fitted(), middle = inDrawing();
    if (level) level.textContent = `${Math.round(scale * 100)}%`;
    if (!middle) return;
    kept = { x: middle.x, y: middle.y, scale };
    sessionStorage.setItem(key, JSON.stringify(kept));
  }

  // The point of the drawing that is in the middle of the canvas.
  function inDrawing() {
    const matrix = view.querySelector("svg.fluxo")?.getScreenCTM(), own = canvas.getBoundingClientRect();
    return matrix && new DOMPoint(own.x + own.width / 2, own.y + own.height / 2).matrixTransform(matrix.inverse());
  }

  // The view that was kept, in a canvas that may have another size by now.
  function restore({ x, y, scale }) {
    at = { x: 0, y: 0, z: scale / fitted() };
    view.style.transform = `scale(${at.z})`;
    const matrix = view.querySelector("svg.fluxo")?.getScreenCTM(), own = canvas.getBoundingClientRect();
    const point = matrix && new DOMPoint(x, y).matrixTransform(matrix);
    if (point) at = { ...at, x: own.x + own.width / 2 - point.x, y: own.y + own.height / 2 - point.y };
    show();
  }

  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const one = fitted();
    const z = Math.min(LARGEST / one, Math.max(Math.min(SMALLEST / one, 1), at.z * factor));
    at = { z, x: x - ((x - at.x) * z) / at.z, y: y - ((y - at.y) * z) / at.z };
    show();
  }

  // The whole drawing, but never above its own size.
  function fit() {
    const z = Math.min(1, 1 / fitted());
    at = { x: (canvas.clientWidth * (1 - z)) / 2, y: (canvas.clientHeight * (1 - z)) / 2, z };
    show();
  }

  // The first look: all of it when its words can be read, else as large as that needs, around what is selected.
  function first() {
    fit();
    const small = READABLE / (fitted() * at.z);
    if (small <= 1) return;
    const box = (chosen() || view.querySelector(".node"))?.getBoundingClientRect(), own = canvas.getBoundingClientRect();
    zoom(small, box ? box.x + box.width / 2 - own.x : 0, box ? box.y + box.height / 2 - own.y : 0);
    reveal(0);
  }

  // The box or the words of what is selected.
  function chosen() {
    const sel = new URLSearchParams(location.search).get("sel");
    return sel && view.querySelector(`a[aria-label][data-sel="${CSS.escape(sel)}"]`);
  }

  // Brings what is selected to the middle when it is farther from it than this share of the canvas: at its edge or outside.
  function reveal(share = 0.35, what = chosen()) {
    const box = what?.getBoundingClientRect(), own = canvas.getBoundingClientRect();
    if (!box) return;
    const x = own.x + own.width / 2 - box.x - box.width / 2, y = own.y + own.height / 2 - box.y - box.height / 2;
    if (Math.abs(x) > own.width * share || Math.abs(y) > own.height * share) pan(...filled(x, y));
  }

  // The same way, but no farther than the drawing reaches: a canvas that it fills is not left half empty.
  function filled(x, y) {
    const svg = view.querySelector("svg.fluxo"), { x: left, y: top, width, height } = svg.viewBox.baseVal;
    const matrix = svg.getScreenCTM(), own = canvas.getBoundingClientRect();
    const from = new DOMPoint(left, top).matrixTransform(matrix), to = new DOMPoint(left + width, top + height).matrixTransform(matrix);
    const along = (by, begin, end, low, high) => (end - begin < high - low ? by : Math.min(low + EDGE - begin, Math.max(high - EDGE - end, by)));
    return [along(x, from.x, to.x, own.left, own.right), along(y, from.y, to.y, own.top, own.bottom)];
  }
  function one() { zoom(1 / (at.z * fitted())); }
  function pan(x, y) { at = { ...at, x: at.x + x, y: at.y + y }; show(); }

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const box = canvas.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    } else pan(-event.deltaX, -event.deltaY);
  }, { passive: false });

  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    moved = 0;
    if (event.target.closest(".float") || event.linking) return; // an arrow begins here
    fingers.set(event.pointerId, event);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const gap = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const box = canvas.getBoundingClientRect();
      zoom(gap(event) / Math.max(1, gap(before)), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    } else {
      const x = event.clientX - before.clientX, y = event.clientY - before.clientY;
      moved += Math.abs(x) + Math.abs(y);
      if (moved > 4) {
        if (!canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
        canvas.classList.add("dragging");
        pan(x, y);
      }
    }
    fingers.set(event.pointerId, event);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      fingers.delete(event.pointerId);
      canvas.classList.remove("dragging");
    });
  }
  // A drag that ends on an arrow is not a click on it.
  canvas.addEventListener("click", (event) => {
    if (moved > 4) { event.preventDefault(); event.stopPropagation(); }
    moved = 0;
  }, true);

  // The whole box is its link, not its words alone.
  canvas.addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    const link = event.target.closest(".node")?.querySelector('a[data-sel^="s:"]');
    link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (!button) return;
    ({ in: () => zoom(STEP), out: () => zoom(1 / STEP), fit, one })[button.dataset.zoom]();
  });

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), 0: fit, 1: one,
      ...(event.shiftKey && {
        ArrowLeft: () => pan(NUDGE, 0), ArrowRight: () => pan(-NUDGE, 0),
        ArrowUp: () => pan(0, NUDGE), ArrowDown: () => pan(0, -NUDGE),
      }),
    };
    const act = acts[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  // Another phase of the flow is another drawing.
  document.body.addEventListener("htmx:afterSettle", () => {
    if (key === keyOf()) return;
    key = keyOf();
    kept = stored();
    begin();
  });
  view.addEventListener("focusin", (event) => { if (event.target.matches("a:focus-visible")) reveal(0.42, event.target); });
  document.addEventListener("selected", () => reveal());
  function begin() {
    if (kept?.scale) { restore(kept); reveal(); }
    else first();
  }
  begin();
  let wide = canvas.clientWidth, high = canvas.clientHeight;
  new ResizeObserver(() => {
    if (wide === canvas.clientWidth && high === canvas.clientHeight) return;
    wide = canvas.clientWidth; high = canvas.clientHeight;
    if (wide && high && kept) restore(kept);
  }).observe(canvas);
})();
