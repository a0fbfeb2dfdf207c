/**
 * The choice of the language: the available ones, and the page's present one. The choice is stored
 * in the page's address, which reloading keeps.
 */

import { byId, html } from "./dom.js";

export class Language {
  /** @param reopen called when the page needs all words in another language */
  constructor(reopen) {
    byId("language").addEventListener("change", (event) => {
      const here = new URL(location.href);
      here.searchParams.set("lang", event.target.value);
      history.replaceState(null, "", here);
      reopen();
    });
  }

  /** Offer the languages of a message, a record of code to name, of which one is spoken. */
  offer({ langs, lang }) {
    document.documentElement.lang = lang;
    const select = byId("language");
    select.disabled = false;
    // An open list would close if its entries were rebuilt.
    const offered = JSON.stringify(langs);
    if (select.dataset.offered !== offered) {
      select.dataset.offered = offered;
      select.replaceChildren(...Object.entries(langs).map(([code, name]) =>
        html("option", { value: code, lang: code }, name)));
    }
    select.value = lang;
  }
}
