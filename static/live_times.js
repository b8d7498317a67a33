/* How long a card stands and how long its silence has still to go, told again as time passes. */
"use strict";
(() => {
  // As web/desk_words.py (brief) says it.
  const brief = (ms) => {
    const past = Math.max(0, ms), m = Math.floor(past / 60000), h = Math.floor(m / 60), d = Math.floor(h / 24);
    if (m < 1) return `${Math.floor(past / 1000)} s`;
    if (h < 1) return `${m} min`;
    if (h < 12) return m % 60 ? `${h} h ${String(m % 60).padStart(2, "0")}` : `${h} h`;
    return d >= 2 || past % 86400000 === 0 ? `${d} d` : `${h} h`;
  };
  const seen = new WeakMap(); // a number of the page -> when it was first seen
  const tick = () => {
    for (const part of document.querySelectorAll("#live [data-age], #live [data-left]")) {
      if (!seen.has(part)) { seen.set(part, Date.now()); continue; }
      const past = Date.now() - seen.get(part), { age, left } = part.dataset;
      const words = age ? brief(Number(age) + past) : brief(Number(left) - past);
      if (part.textContent !== words) part.textContent = words;
    }
  };
  tick();
  setInterval(tick, 5000);
})();
