/* What a person changes while an answer is on its way is not overwritten by it, and not forgotten: it is sent after it. */
"use strict";
(() => {
  const PLACES = "#panel, .set-main";
  const FIELDS = ":is(input, textarea, select)[id]:not([type=hidden], [type=file])";
  const SAVES = 'form[hx-trigger^="change"]';
  const text = (field) => !field.matches("select, [type=checkbox], [type=radio]");
  const now = (field) => (field.matches("[type=checkbox]") ? field.checked : field.value);
  function served(field) {
    if (field.matches("[type=checkbox]")) return field.defaultChecked;
    if (field.matches("select")) return (field.querySelector("option[selected]") ?? field.options[0])?.value;
    return field.defaultValue;
  }
  const PASSING = ["_csrf", "seen", "revision", "view", "sel"];
  // What a field is of: a field with the same id may belong to another thing after the answer.
  function home(field) {
    const hidden = [...(field.form?.querySelectorAll("input[type=hidden]") ?? [])].filter((one) => !PASSING.includes(one.name));
    return [field.form?.getAttribute("action"), ...hidden.map((one) => `${one.name}=${one.value}`)].join(" ");
  }
  let kept = [];

  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { elt: sent, parameters } = event.detail.requestConfig ?? {};
    const refused = event.detail.xhr.status === 422;
    kept = [];
    for (const field of document.querySelectorAll(PLACES.split(", ").map((place) => `${place} ${FIELDS}`).join(", "))) {
      const secret = field.type === "password";
      let keep = now(field) !== served(field);
      // Of what was sent the answer knows best, but for what was typed since, and for secrets, which never come back.
      if (sent?.contains(field)) keep = secret ? refused : field === document.activeElement && text(field) && now(field) !== parameters?.[field.name];
      if (keep) kept.push([field.id, home(field), now(field), field]);
    }
  });

  document.body.addEventListener("htmx:afterSettle", () => {
    for (const [id, place, value, was] of kept) {
      const field = document.getElementById(id);
      if (field === was) continue; // it was not replaced: what stands in it by now was typed after
      if (!field || home(field) !== place || now(field) === value) continue; // another thing is shown by now, or it was left alone
      if (field.matches("[type=checkbox]")) field.checked = value; else field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true })); // what counts and shows it follows
      if (!field.closest(SAVES)) continue;
      const send = () => { if (now(field) === value) htmx.trigger(field.form, "submit"); };
      // Who still types sends it by leaving; the browser tells only of changes after ours.
      if (field === document.activeElement && text(field)) field.addEventListener("blur", send, { once: true });
      else send();
    }
    kept = [];
  });
})();
