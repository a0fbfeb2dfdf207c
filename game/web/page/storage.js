/**
 * What a browser stores for this page, by name: permanently on the device (`device`), or for the
 * lifetime of the tab (`tab`). A browser without storage behaves like an empty one.
 */

const PREFIX = "lifeboard.";

class Storage {
  #store;

  /** @param store function that returns the store, or throws where the browser has none */
  constructor(store) {
    this.#store = store;
  }

  /** Return a stored text, null if there is none. */
  read(name) {
    try {
      return this.#store().getItem(PREFIX + name);
    } catch {
      return null;
    }
  }

  /** Store a text, or remove it for null; return whether that succeeded. */
  write(name, text) {
    try {
      if (text === null) this.#store().removeItem(PREFIX + name);
      else this.#store().setItem(PREFIX + name, text);
      return true;
    } catch {
      return false;
    }
  }

  /** Return a stored object, null if there is none that can be read. */
  object(name) {
    try {
      return JSON.parse(this.read(name));
    } catch {
      return null;
    }
  }
}

export const device = new Storage(() => localStorage);
export const tab = new Storage(() => sessionStorage);
