/**
 * The connection to the server: one websocket that reconnects when it is lost. A connection can die
 * without a word, as when a phone changes networks; so the server is asked whether it is there, and
 * silence counts as a loss.
 */

import { ping } from "./messages.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;
/** How long the server may be silent until it is asked, at rest and after a message to it. */
const QUIET_MS = 10000;
const UNANSWERED_MS = 1000;
/** How long its answer, or a new connection, may take. */
const ANSWER_MS = 4000;
const OPENING_MS = 10000;

/** Return the language that the page asks for: the chosen one, else that of the browser. */
export function wanted() {
  return new URLSearchParams(location.search).get("lang") ?? navigator.language.split("-")[0];
}

/** Return the token of a link for watching only by which this page was opened, or null. */
export function watchToken() {
  return new URLSearchParams(location.search).get("watch");
}

/** Return an address of this server with a query, for a page that only watches too. */
export function asking(path, query = {}) {
  const watch = watchToken();
  return `${path}?${new URLSearchParams({ ...query, ...(watch && { watch }) })}`;
}

/** Return the address of the game's socket, in the page's language. */
export function socketAddress() {
  const game = new URLSearchParams(location.search).get("game");
  return `${socket()}${asking("/ws", { lang: wanted(), ...(game && { game }) })}`;
}

/** Return the address of this page's socket, with a query. */
export function toolAddress(query = {}) {
  return `${socket()}/ws?${new URLSearchParams(query)}`;
}

function socket() {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}`;
}

/** Return the socket that was opened before this script came, once, or open one. */
function opened(address) {
  const { socket, heard = [] } = globalThis.early ?? {};
  globalThis.early = null;
  return socket?.readyState <= WebSocket.OPEN ? { socket, heard } : { socket: new WebSocket(address), heard: [] };
}

export class Link {
  #address;
  #onMessage;
  #onChange;
  #socket = null;
  #wait = FIRST_WAIT_MS;
  #again = 0;
  #watch = 0;
  #asked = false;

  /**
   * @param address function that returns the address, asked at every attempt
   * @param onMessage called with each message of the server, decoded
   * @param onChange called with true when the server is first heard, with false when it is lost
   */
  constructor(address, onMessage, onChange) {
    this.#address = address;
    this.#onMessage = onMessage;
    this.#onChange = onChange;
    document.addEventListener("visibilitychange", () => this.#ask());
    for (const event of ["online", "pageshow"]) addEventListener(event, () => this.#ask());
  }

  /** Open the link, and open it again whenever it is lost. */
  open() {
    const { socket, heard } = opened(this.#address());
    this.#socket = socket;
    this.#asked = false;
    this.#after(OPENING_MS, () => this.#lose());
    let greeted = false;
    const take = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#heard();
      if (!greeted) {
        greeted = true;
        this.#wait = FIRST_WAIT_MS;
        this.#onChange(true);
      }
      const message = JSON.parse(data);
      if (message.type !== "pong") this.#onMessage(message);
    };
    socket.onmessage = take;
    // The page is still being made.
    queueMicrotask(() => heard.forEach((data) => take({ data })));
    socket.addEventListener("close", () => {
      if (socket !== this.#socket) return;
      clearTimeout(this.#watch);
      this.#onChange(false);
      this.#again = setTimeout(() => this.open(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
    });
  }

  /** Reconnect: the server decides only then what this device may do. */
  reopen() {
    clearTimeout(this.#again);
    const old = this.#socket;
    this.open();
    old?.close();
  }

  /** Send a message, or drop it while the link is lost; return whether it went. */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    if (!this.#asked) this.#after(UNANSWERED_MS, () => this.#ask());
    return true;
  }

  #heard() {
    this.#asked = false;
    this.#after(QUIET_MS, () => this.#ask());
  }

  /** Ask whether the server is there; a page that is not seen asks when it is seen again. */
  #ask() {
    if (this.#asked || document.hidden || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(ping()));
    this.#asked = true;
    this.#after(ANSWER_MS, () => this.#lose());
  }

  #lose() {
    this.#onChange(false);
    this.reopen();
  }

  #after(wait, act) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(act, wait);
  }
}
