/**
 * What a browser keeps for this page, by name: for ever on the device (`device`), or as long as
 * this tab is there (`tab`). A browser that keeps nothing is as good as one that has kept nothing.
 */

const PREFIX = "lifeboard.";

class Kept {
  #store;

  /** @param store function that returns the store, or throws where the browser has none */
  constructor(store) {
    this.#store = store;
  }

  /** Return a kept text, null if there is none. */
  read(name) {
    try {
      return this.#store().getItem(PREFIX + name);
    } catch {
      return null;
    }
  }

  /** Keep a text, or nothing for null; return whether it is kept. */
  write(name, text) {
    try {
      if (text === null) this.#store().removeItem(PREFIX + name);
      else this.#store().setItem(PREFIX + name, text);
      return true;
    } catch {
      return false;
    }
  }

  /** Return a kept object, null if there is none that can be read. */
  object(name) {
    try {
      return JSON.parse(this.read(name));
    } catch {
      return null;
    }
  }
}

export const device = new Kept(() => localStorage);
export const tab = new Kept(() => sessionStorage);
