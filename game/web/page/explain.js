/**
 * Explanations of numbers where they stand: a button that says on request what it shows. It knows
 * no game.
 */

import { button, closing, dialog, html, write } from "./dom.js";
import { fill, t } from "./words.js";

/** Make a button that shows something and explains it; `kind` is its class. */
export function explained(kind, ...inside) {
  return button({ class: `${kind} explains` }, ({ currentTarget: { dataset } }) =>
    explain(dataset.what, dataset.about), ...inside);
}

/** Say what a button of `explained` shows; with nothing to explain it cannot be pressed. */
export function describe(shown, what, about) {
  Object.assign(shown.dataset, { what, about });
  shown.disabled = !about;
  shown.title = what;
  shown.setAttribute("aria-label", about ? t("page.about", { what }) : what);
}

/** Explain something in a small dialog. */
function explain(what, about) {
  const shown = dialog("about", "page.about", html("p", {}, about), closing());
  fill(shown);
  write(shown.firstChild, what);
  shown.addEventListener("close", () => shown.remove());
  shown.addEventListener("click", (event) => event.target === shown && shown.close());
  shown.showModal();
}
