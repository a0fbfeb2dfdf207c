/**
 * The choice of the language: which languages there are, and which one the page speaks.
 * A chosen one is kept in the page's own address, where reloading finds it.
 */

import { byId, html } from "./dom.js";

const NAME = "lang";

/** Return the language that the page asks for: the chosen one, else that of the browser. */
export function wanted() {
  const chosen = new URLSearchParams(location.search).get(NAME);
  return chosen ?? navigator.language.split("-")[0];
}

export class Language {
  /** @param send function that takes a message for the server */
  constructor(send) {
    byId("language").addEventListener("change", (event) => {
      const here = new URL(location.href);
      here.searchParams.set(NAME, event.target.value);
      history.replaceState(null, "", here);
      send({ do: "language", lang: event.target.value });
    });
  }

  /** Offer the languages of a message, a record of code to name, of which one is spoken. */
  offer({ langs, lang }) {
    document.documentElement.lang = lang;
    const select = byId("language");
    select.disabled = false;
    // An open list would close if its entries were made anew.
    const offered = JSON.stringify(langs);
    if (select.dataset.offered !== offered) {
      select.dataset.offered = offered;
      select.replaceChildren(...Object.entries(langs).map(([code, name]) =>
        html("option", { value: code, lang: code }, name)));
    }
    select.value = lang;
  }
}
