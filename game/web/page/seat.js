/**
 * The seat of this page: which player's faces it may show. An invitation in the page's address is
 * exchanged for a key, which the device stores; from then on the address only names the side. A
 * page whose address names no side offers the seats whose keys the device has. What a seat shows
 * can be hidden from people nearby. The server decides about seats.
 */

import { button, byId, memory, repicture, unfold, write } from "./dom.js";
import { device, tab } from "./storage.js";
import { leaveSeat, returnToSeat, takeSeat } from "./messages.js";
import { confirmButton } from "./confirm_button.js";
import { t } from "./words.js";

const HIDDEN = "hidden";
/** The phases whose message names no face that only this page has. */
const SAME_FOR_ALL = ["arrange", "show", "confirm"];
/** No game has more sides. */
const MOST_SIDES = 9;
const keyOf = (player) => `side.${player}`;
const nameOf = (player) => `side.${player}.name`;

function asked() {
  const told = new URLSearchParams(location.hash.slice(1));
  const player = Number(told.get("side"));
  return { invite: told.get("invite"), player: player > 0 ? player : 0 };
}

export class Seat {
  #send;
  #changed;
  #left;
  #there = false;
  #knocked = false;
  #asking = false;
  #wanted = 0;
  #keys = new Map();
  #isNew = memory();
  #state = null;

  /** The number of the player whose seat this page has, or null. */
  player = null;

  /** Whether the player's secrets are hidden at the moment. */
  hidden = tab.read(HIDDEN) !== null;

  /**
   * @param send function that takes a message for the server, also without control
   * @param changed called when what is shown is to be hidden, or is not any more
   * @param left called when the seat that this page had is not this device's any more
   */
  constructor(send, changed, left) {
    this.#send = send;
    this.#changed = changed;
    this.#left = left;
    byId("seat-hide").addEventListener("click", () => this.#hide(!this.hidden));
    unfold(byId("seat-more"));
    confirmButton(byId("seat-stand"), () => t("page.seat_stand"), () => this.#send(leaveSeat()),
      () => (this.#returns ? t("page.confirm") : t("page.seat_no_return")));
    byId("seat-wrong-close").addEventListener("click", () => this.#complain(""));
    window.addEventListener("hashchange", () => {
      const { invite, player } = asked();
      if (this.#there && (invite || (player && player !== this.player))) this.#knock();
      else if (!invite && !player && this.player !== null) this.#name(this.player);
    });
  }

  /** Take whether the game hides pieces; request the seat, once per link. */
  greet({ hidden = false, replay }) {
    this.#there = hidden && replay === null;
    byId("seat").before(byId("seat-trouble"), byId("seat-return"));
    write(byId("seat-stand"), t("page.seat_stand"));
    if (this.#there && !this.#knocked) this.#knock();
    this.#draw();
  }

  /** Request the seat on a locked page, if the game has any: it unlocks the page too. */
  lock({ seats = false }) {
    this.#there = seats;
    // The reason for a refusal must be visible on a locked page.
    byId("pin-card").append(byId("seat-trouble"), byId("seat-return"));
    if (this.#there && !this.#knocked) this.#knock();
    this.#draw();
  }

  /** Take that the connection was lost or is new, as after a PIN: a new one requests the seat again. */
  connected() {
    this.#knocked = this.#asking = false;
  }

  #knock() {
    const { invite, player } = asked();
    this.#wanted = player;
    if (invite) this.#ask(takeSeat(invite));
    else if (player) this.#comeBack(player);
  }

  #comeBack(player) {
    const key = device.read(keyOf(player)) ?? this.#keys.get(player);
    this.#wanted = player;
    if (key) {
      this.#keys.set(player, key);
      this.#ask(returnToSeat(player, key));
    } else {
      this.#wanted = 0;
      this.#leave(t("page.seat_no_key"));
    }
  }

  #ask(message) {
    this.#knocked = this.#asking = this.#send(message);
    this.#draw();
  }

  /**
   * Take a Seat message.
   * @param message the seat that this page has now, or why it has none, and whose key is void
   */
  take({ player, key, error, void: lost = null }) {
    this.#asking = false;
    if (lost !== null) this.#forget(lost);
    if (player === null) {
      this.#leave(error ?? "");
      return;
    }
    this.player = player;
    if (key) this.#keys.set(player, key);
    const own = this.#keys.get(player);
    const kept = own === undefined || device.write(keyOf(player), own);
    this.#name(player);
    this.#complain(error ?? (kept ? "" : t("page.seat_not_kept")));
    this.#draw();
  }

  #forget(player) {
    // Another tab may have taken the seat again.
    if (device.read(keyOf(player)) === this.#keys.get(player)) {
      device.write(keyOf(player), null);
      device.write(nameOf(player), null);
    }
    this.#keys.delete(player);
    if (this.#wanted === player) this.#wanted = 0;
    if (this.player === player || this.player === null) this.#left();
  }

  #leave(why) {
    // A key that is not void stays in the address, so that it is tried again.
    this.#name(this.#keys.has(this.#wanted) ? this.#wanted : 0);
    this.player = null;
    // The server sends the public state next.
    this.hidden = false;
    tab.write(HIDDEN, null);
    this.#draw();
    this.#complain(why);
  }

  #name(player) {
    const here = new URL(location.href);
    here.hash = player ? `side=${player}` : "";
    // The browser's history must not keep an invitation.
    history.replaceState(null, "", here);
  }

  /** Whether the seat could be taken again: not while a new holder would see the pieces. */
  get #returns() {
    const { outcome, arranging = null } = this.#state;
    return outcome !== null || !(arranging?.sealed.includes(this.player) ?? true);
  }

  #hide(hidden) {
    this.hidden = hidden;
    tab.write(HIDDEN, hidden ? "yes" : null);
    this.#draw();
    this.#changed();
  }

  #complain(text) {
    byId("seat-trouble").hidden = text === "";
    write(byId("seat-wrong"), text);
  }

  /** Offer the seats of which this device has the key: only on a press, never automatically. */
  #offer() {
    const free = this.#there && this.player === null && !this.#asking;
    const rows = [];
    for (let player = 1; free && player <= MOST_SIDES; player++) {
      if (device.read(keyOf(player)) === null) continue;
      const { names = [], called = [] } = this.#state ?? {};
      const name = names[player - 1] || called[player - 1];
      rows.push({ player, name: name || device.read(nameOf(player)) || String(player) });
    }
    byId("seat-return").hidden = rows.length === 0;
    if (!this.#isNew(rows, t("page.seat_again"))) return;
    byId("seat-return").replaceChildren(...rows.map(({ player, name }) => button(
      { class: "quiet" }, () => this.#comeBack(player), t("page.seat_again", { name }))));
  }

  #draw() {
    this.#offer();
    const player = this.#there ? this.player : null;
    byId("seat").hidden = player === null;
    document.body.toggleAttribute("data-seated", player !== null);
    if (player === null || this.#state === null) return;
    const { sides, names, called } = this.#state;
    const { side, token } = sides[player - 1];
    const name = names[player - 1] || called[player - 1];
    // A locked page does not know the players' names.
    if (device.read(keyOf(player)) !== null) device.write(nameOf(player), name);
    byId("seat").dataset.side = side;
    repicture(byId("seat-mark"), `stone-${token}`);
    write(byId("seat-whose"), this.hidden ? t("page.seat_hidden", { name })
      : t("page.seat_own", { name }));
    write(byId("seat-hide"), this.hidden ? t("page.seat_show") : t("page.seat_hide"));
    byId("seat-hide").setAttribute("aria-pressed", this.hidden);
  }

  /** Show whose page this is, from a state. */
  show(state) {
    this.#state = state;
    this.#draw();
  }

  /** Return a state without this player's secrets, while they are hidden. */
  cover(state) {
    if (!this.hidden || this.player === null || state.outcome !== null) return state;
    const backs = new Map(state.sides.map(({ side, token }) => [side, token]));
    const back = (piece) => backs.get(state.pieces[piece]) ?? piece;
    const cells = Object.fromEntries(Object.entries(state.cells).map(([name, cell]) => {
      const covered = back(cell.piece) !== cell.piece || back(cell.standing) !== cell.standing;
      return [name, {
        ...cell, piece: back(cell.piece), standing: back(cell.standing),
        label: covered ? t("page.seat_covered_cell", { cell: name }) : cell.label,
      }];
    }));
    const todo = state.todo.map((task) => {
      const covered = back(task.piece) !== task.piece || back(task.taken) !== task.taken;
      return covered ? {
        ...task, piece: back(task.piece), taken: back(task.taken), text: task.cell,
      } : task;
    });
    const arranging = state.arranging && { ...state.arranging, own: null };
    // The message about a piece that is inspected, or must be put, names its face.
    const message = SAME_FOR_ALL.includes(state.phase) ? state.message : t("page.seat_silent");
    return { ...state, cells, todo, arranging, message, notice: "" };
  }
}
