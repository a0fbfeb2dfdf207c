/**
 * Explanations of numbers where they stand: a button that says on request what it shows. It knows
 * no game.
 */

import { html } from "./dom.js";
import { t } from "./words.js";

/** Make a button that shows something and explains it; `kind` is its class. */
export function explained(kind, ...inside) {
  const button = html("button", { type: "button", class: `${kind} explains` }, ...inside);
  button.addEventListener("click", () => explain(button.dataset.what, button.dataset.about));
  return button;
}

/** Say what a button of `explained` shows; with nothing to explain it cannot be pressed. */
export function describe(button, what, about) {
  Object.assign(button.dataset, { what, about });
  button.disabled = !about;
  button.title = what;
  button.setAttribute("aria-label", about ? t("page.about", { what }) : what);
}

/** Explain something in a small dialog. */
function explain(what, about) {
  const close = html("button", { value: "" }, t("page.close"));
  const dialog = html(
    "dialog", { class: "about", "aria-labelledby": "about-what" },
    html("h2", { id: "about-what" }, what), html("p", {}, about),
    html("form", { method: "dialog" }, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
