/* Keys of the page before a publication: [ and ] go change by change and show each in the drawing, Ctrl Enter publishes. */
"use strict";
(() => {
  const form = document.getElementById("publish");
  const links = () => [...document.querySelectorAll('.difft a[href^="#d-"]')];

  const placeOf = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));

  // Brings a change to the middle of the frame in which the drawing scrolls.
  function middle(place, canvas) {
    const box = place.getBoundingClientRect(), frame = canvas.getBoundingClientRect();
    canvas.scrollBy(box.x + box.width / 2 - frame.x - frame.width / 2, box.y + box.height / 2 - frame.y - frame.height / 2);
    return frame;
  }

  function show(link) {
    const place = placeOf(link), canvas = place?.closest(".canvas");
    if (!canvas) return;
    history.replaceState(null, "", link.hash);
    for (const old of document.querySelectorAll(".fluxo a.on")) old.classList.remove("on");
    place.classList.add("on");
    const frame = middle(place, canvas);
    if (frame.bottom < 60 || frame.top > innerHeight - 60) canvas.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const all = links();
    if (!all.length) return;
    const at = all.indexOf(document.activeElement.closest?.('.difft a[href^="#d-"]'));
    const next = all[(at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by + all.length) % all.length];
    next.focus({ preventScroll: true });
    show(next);
    document.querySelector(".canvas")?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('.difft a[href^="#d-"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form?.requestSubmit(form.querySelector("button.pri"));
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "[" || event.key === "]") {
      event.preventDefault();
      step(event.key === "]" ? 1 : -1);
    }
  });

  // The first look is at a change, not at the corner of a drawing that is larger than its frame.
  const first = links().map(placeOf).find((place) => place?.closest(".canvas"));
  if (first && !location.hash) middle(first, first.closest(".canvas"));
})();
