/* Says whether the desk is live: the mark, the pause button, the bar when nothing was heard, and the totals aloud. */
"use strict";
(() => {
  const live = document.getElementById("live");
  if (!live) return;
  const $ = (id) => document.getElementById(id);
  const look = () => { tried = Date.now(); live.dispatchEvent(new Event("look")); };
  let tried = 0, said = 0;
  live.dataset.heard = Date.now();

  $("hold")?.addEventListener("click", () => {
    const held = !live.dataset.held;
    if (held) live.dataset.held = "yes"; else delete live.dataset.held;
    live.dataset.heard = Date.now();
    $("hold").setAttribute("aria-pressed", held);
    look();
  });
  $("again")?.addEventListener("click", look);
  document.addEventListener("visibilitychange", () => { live.dataset.heard = Date.now(); });

  setInterval(() => {
    const quiet = Math.round((Date.now() - live.dataset.heard) / 1000);
    const held = Boolean(live.dataset.held);
    const lost = !held && !document.hidden && quiet > 20;
    live.classList.toggle("lost", lost);
    $("still").hidden = !lost;
    $("still-for").textContent = `${quiet} s`;
    $("pulse").classList.toggle("off", held || lost);
    $("ago").textContent = held ? $("ago").dataset.paused : $("ago").dataset.live;
    if (lost && Date.now() - tried > 15000) look();
    $("still-next").textContent = `${Math.max(0, Math.ceil((tried + 15000 - Date.now()) / 1000))} s`;
    const words = $("att").dataset.said; // at most one announcement each 15 s
    if ($("said") && $("said").textContent !== words && Date.now() - said > 15000) {
      said = Date.now();
      $("said").textContent = words;
    }
  }, 1000);
})();
