/**
 * The texts of the page: the server sends them by key, this module puts them in place. It has no
 * sentence of its own and knows no language.
 */

let words = {};

/** Take the texts of one language, a record of key to text. */
export function learn(texts) {
  words = texts;
}

/** Return the text of a key with its {names} filled in; the key itself where it has no text. */
export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/** Fill every element under root that names its text in data-words or data-words-label. */
export function fill(root) {
  for (const element of root.querySelectorAll("[data-words]")) {
    element.textContent = t(element.dataset.words);
  }
  for (const element of root.querySelectorAll("[data-words-label]")) {
    const text = t(element.dataset.wordsLabel);
    element.setAttribute("aria-label", text);
    // A button with a picture says to a mouse too what it does.
    if (element.matches("button")) element.title = text;
  }
}
