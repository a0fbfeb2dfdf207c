/**
 * The seat of this page: whose faces it may show. An invitation in the page's address is exchanged
 * for a key, which the device keeps; from then on the address only names the side. A page without
 * one never sits by itself, but offers those seats of which the device has the key. What a seat sees
 * can be hidden from who stands beside. The server decides who sits where.
 */

import { byId, html, repicture, write } from "./dom.js";
import { device, tab } from "./kept.js";
import { twice } from "./twice.js";
import { t } from "./words.js";

const HIDDEN = "hidden";
/** The phases in which everybody is told the same. */
const TOLD_ALL = ["arrange", "show", "confirm"];
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
  #offered = "";
  #state = null;

  /** The number of the player who sits at this page, null if nobody does. */
  player = null;

  /** Whether what only this player may see is hidden just now. */
  hidden = tab.read(HIDDEN) !== null;

  /**
   * @param send function that takes a message for the server, also of those who only watch
   * @param changed called when what is shown is to be hidden, or is not any more
   * @param left called when the seat that this page had is not this device's any more
   */
  constructor(send, changed, left) {
    this.#send = send;
    this.#changed = changed;
    this.#left = left;
    byId("seat-hide").addEventListener("click", () => this.#hide(!this.hidden));
    twice(byId("seat-stand"), () => t("page.seat_stand"), () => this.#send({ do: "stand" }),
      () => (this.#returns ? t("page.confirm") : t("page.seat_no_return")));
    byId("seat-wrong-close").addEventListener("click", () => this.#complain(""));
    window.addEventListener("hashchange", () => {
      const { invite, player } = asked();
      if (this.#there && (invite || (player && player !== this.player))) this.#knock();
      else if (!invite && !player && this.player !== null) this.#name(this.player);
    });
  }

  /** Take over whether there is anything to hide in the game; ask for the seat, once a link. */
  greet({ hidden = false, replay }) {
    this.#there = hidden && replay === null;
    byId("seat").before(byId("seat-trouble"), byId("seat-return"));
    write(byId("seat-stand"), t("page.seat_stand"));
    if (this.#there && !this.#knocked) this.#knock();
    this.#draw();
  }

  /** Ask for the seat on a page that is locked, if the game has any: it opens the page too. */
  lock({ seats = false }) {
    this.#there = seats;
    // Why it has not is to be read where nothing else is shown.
    byId("pin-card").append(byId("seat-trouble"), byId("seat-return"));
    if (this.#there && !this.#knocked) this.#knock();
    this.#draw();
  }

  /** Take over whether the link is there: at each new one the seat is asked for again. */
  connected(open) {
    if (!open) this.#knocked = this.#asking = false;
  }

  #knock() {
    const { invite, player } = asked();
    this.#wanted = player;
    if (invite) this.#ask({ do: "sit", invite });
    else if (player) this.#comeBack(player);
  }

  #comeBack(player) {
    const key = device.read(keyOf(player)) ?? this.#keys.get(player);
    this.#wanted = player;
    if (key) {
      this.#keys.set(player, key);
      this.#ask({ do: "sit", key, player });
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
   * Take the server's answer {player, key, error, void}: who sits here now, or why nobody does, and
   * for whose side the key of this device opens nothing any more.
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
    // Another tab may have sat down there anew.
    if (device.read(keyOf(player)) === this.#keys.get(player)) {
      device.write(keyOf(player), null);
      device.write(nameOf(player), null);
    }
    this.#keys.delete(player);
    if (this.#wanted === player) this.#wanted = 0;
    if (this.player === player || this.player === null) this.#left();
  }

  #leave(why) {
    // Who is told to wait, or has lost the link, has his key still.
    this.#name(this.#keys.has(this.#wanted) ? this.#wanted : 0);
    this.player = null;
    // What was shown to the seat is not shown again: the server tells what everybody may see.
    this.hidden = false;
    tab.write(HIDDEN, null);
    this.#draw();
    this.#complain(why);
  }

  #name(player) {
    const here = new URL(location.href);
    here.hash = player ? `side=${player}` : "";
    // Nobody who looks at the history finds an invitation in it.
    history.replaceState(null, "", here);
  }

  /** Whether this player could sit down again: not while somebody new would see his pieces. */
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

  /** Offer the seats of which this device has the key: pressed on purpose, never by itself. */
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
    const offered = JSON.stringify([rows, t("page.seat_again")]);
    if (offered === this.#offered) return;
    this.#offered = offered;
    byId("seat-return").replaceChildren(...rows.map(({ player, name }) => {
      const words = t("page.seat_again", { name });
      const button = html("button", { type: "button", class: "quiet" }, words);
      button.addEventListener("click", () => this.#comeBack(player));
      return button;
    }));
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
    // A locked page is not told how anybody is called.
    if (device.read(keyOf(player)) !== null) device.write(nameOf(player), name);
    byId("seat").dataset.side = side;
    repicture(byId("seat-mark"), `stone-${token}`);
    write(byId("seat-whose"), this.hidden ? t("page.seat_hidden", { name })
      : t("page.seat_own", { name }));
    write(byId("seat-hide"), this.hidden ? t("page.seat_show") : t("page.seat_hide"));
    byId("seat-hide").setAttribute("aria-pressed", this.hidden);
  }

  /** Show whose page this is, by a state. */
  show(state) {
    this.#state = state;
    this.#draw();
  }

  /** Return a state as it can be shown to anybody, if what this player sees is to be hidden. */
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
    // What this player is told of a piece that he inspects, or has to put, tells its face.
    const message = TOLD_ALL.includes(state.phase) ? state.message : t("page.seat_silent");
    return { ...state, cells, todo, arranging, message, notice: "" };
  }
}
