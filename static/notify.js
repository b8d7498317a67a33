/* Tells in this browser that somebody needs a person: only when asked to, and with a first name at most. */
"use strict";
(() => {
  const KEY = "notify", SEEN = "notify-seen";
  const usable = "Notification" in window && window.isSecureContext;
  const on = () => usable && localStorage.getItem(KEY) === "on" && Notification.permission === "granted";
  const marks = () => [...document.querySelectorAll("[data-needs]")].map((one) => one.dataset.needs);

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
    const known = new Set(JSON.parse(sessionStorage.getItem(SEEN) || "null") || marks());
    const button = document.getElementById("notify");
    for (const one of document.querySelectorAll("[data-needs]")) {
      if (known.has(one.dataset.needs) || !on() || (!document.hidden && document.hasFocus())) continue;
      const first = one.dataset.first;
      const body = first ? button.dataset.words.replace("{name}", first) : button.dataset.nobody;
      try {
        const notice = new Notification(button.dataset.title, { body, tag: one.dataset.needs });
        notice.onclick = () => { window.focus(); location.href = one.href; };
      } catch { /* a browser that only takes notices of service workers */ }
    }
    sessionStorage.setItem(SEEN, JSON.stringify(marks()));
  };

  document.addEventListener("click", async (event) => {
    if (!event.target.closest("#notify")) return;
    if (on()) localStorage.setItem(KEY, "off");
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
    show();
  });
  document.body.addEventListener("htmx:afterSettle", () => { show(); tell(); });
  show();
  tell();
})();
