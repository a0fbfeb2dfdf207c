/**
 * The connection to the server: one websocket that reconnects when it is lost. Must not know any
 * message; those belong to messages.js.
 */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;

/** Return the address of this page's socket, with a query. */
export function socketAddress(query = {}) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws?${new URLSearchParams(query)}`;
}

export class Link {
  #address;
  #onMessage;
  #onChange;
  #socket = null;
  #wait = FIRST_WAIT_MS;
  #again = 0;

  /**
   * @param address function that returns the address, asked at every attempt
   * @param onMessage called with each message of the server, decoded
   * @param onChange called with true when the link opens, with false when it is lost
   */
  constructor(address, onMessage, onChange) {
    this.#address = address;
    this.#onMessage = onMessage;
    this.#onChange = onChange;
  }

  /** Open the link, and open it again whenever it is lost. */
  open() {
    const socket = new WebSocket(this.#address());
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (socket !== this.#socket) return;
      this.#wait = FIRST_WAIT_MS;
      this.#onChange(true);
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#onMessage(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket !== this.#socket) return;
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
    return true;
  }
}
