/* Tells in this browser that somebody needs a person: only when asked to, and with a first name at most. */
"use strict";
(() => {
  const KEY = "notify", SEEN = "notify-seen";
  const usable = "Notification" in window && window.isSecureContext;
  const on = () => usable && localStorage.getItem(KEY) === "on" && Notification.permission === "granted";
  const desk = document.getElementById("live");

  // Who needs somebody: the list beside a conversation says it; on the desk it is what a card looks like.
  const needy = () => [
    ...[...document.querySelectorAll("[data-needs]")].map((one) => ({ id: one.dataset.needs, first: one.dataset.first, to: one.href })),
    ...[...document.querySelectorAll("[data-in]:is(.askc, .failc, .late)")].map((card) => {
      const [first] = (card.querySelector("b bdi")?.textContent || "").split(" ");
      const tone = ["askc", "failc", "late"].find((name) => card.classList.contains(name));
      return { id: `${card.id}-${tone}`, first: /^\p{L}+$/u.test(first) ? first : "", to: card.querySelector("a").href };
    }),
  ];

  const show = () => {
    const button = document.getElementById("notify");
    if (!button || !usable) return;
    button.hidden = false;
    const words = on() ? button.dataset.on : button.dataset.off;
    button.setAttribute("aria-pressed", on());
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  const tell = () => {
    const button = document.getElementById("notify"), now = needy();
    const known = new Set(JSON.parse(sessionStorage.getItem(SEEN + location.pathname) || "null") || now.map((one) => one.id));
    for (const one of now) {
      if (!button || known.has(one.id) || !on() || (!document.hidden && document.hasFocus())) continue;
      const body = one.first ? button.dataset.words.replace("{name}", one.first) : button.dataset.nobody;
      try {
        const notice = new Notification(button.dataset.title, { body, tag: one.id });
        notice.onclick = () => { window.focus(); location.href = one.to; };
      } catch { /* a browser that only takes notices of service workers */ }
    }
    sessionStorage.setItem(SEEN + location.pathname, JSON.stringify(now.map((one) => one.id)));
  };

  document.addEventListener("click", async (event) => {
    if (!event.target.closest("#notify")) return;
    if (on()) localStorage.setItem(KEY, "off");
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
    show();
  });
  document.body.addEventListener("htmx:afterSettle", () => { show(); tell(); });
  // The desk puts in what its own stream tells; what comes at once is told at once.
  let soon;
  if (desk) new MutationObserver(() => { clearTimeout(soon); soon = setTimeout(tell, 200); }).observe(desk, { childList: true, subtree: true });
  show();
  tell();
})();
