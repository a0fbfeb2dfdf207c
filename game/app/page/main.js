/**
 * Joins the parts of the page: messages of the server to what shows them, and fingers to the link.
 */

import { Board } from "./board.js";
import { Circle } from "./circle.js";
import { Fingers } from "./fingers.js";
import { Lamps } from "./lamps.js";
import { Link } from "./link.js";
import { Moves } from "./moves.js";
import { Panel } from "./panel.js";
import { Players } from "./players.js";
import { SetUp } from "./set_up.js";
import { Stage } from "./stage.js";
import { Todo } from "./todo.js";
import { Trouble } from "./trouble.js";
import { learn, t } from "./words.js";

const lamps = new Lamps();
const board = new Board(lamps);
const circle = new Circle(lamps);
const stage = new Stage(document.getElementById("board"), board, circle);
const send = (message) => link.send(message);
const panel = new Panel((message) => {
  if (message.do === "language") remember(message.lang);
  send(message);
});
const players = new Players(lamps, send);
const setUp = new SetUp(send);
const moves = new Moves(send);
const todo = new Todo();
const trouble = new Trouble(send);
let version = null;
let replayed = false;

/** Keep a chosen language in the page's own address, where reloading finds it. */
function remember(lang) {
  const here = new URL(location.href);
  here.searchParams.set("lang", lang);
  history.replaceState(null, "", here);
}

function address() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const chosen = new URLSearchParams(location.search).get("lang");
  const lang = chosen ?? navigator.language.split("-")[0];
  return `${scheme}//${location.host}/ws?lang=${encodeURIComponent(lang)}`;
}

const show = {
  hello(message) {
    // After an upgrade behind an open page its scripts are of another version than the server.
    if (version !== null && version !== message.version) location.reload();
    version = message.version;
    replayed = message.replay !== null;
    learn(message.words);
    panel.greet(message);
    players.greet(message);
    setUp.greet(message);
    moves.greet(message);
    stage.draw(message);
    fingers.felt = message.simulated;
    const stones = message.sensing === "presence";
    trouble.stones = stones;
    board.root.setAttribute("aria-label", stones ? t("page.board_stones") : t("page.board"));
    lamps.wire(message.pixels);
  },
  state(message) {
    board.show(message.cells, message.lost, message.masked);
    circle.show(message.legend);
    trouble.show(message);
    players.show(message);
    setUp.show(message);
    moves.show(message);
    todo.show(message.todo);
    panel.show(message);
  },
  lights(message) {
    lamps.show(message.rgb);
  },
  error(message) {
    panel.complain(message.text);
  },
};

const link = new Link(
  address,
  (message) => show[message.type](message),
  (open) => {
    panel.connected(open);
    if (!open) fingers.forget();
  },
);
/** Take a press on a cell of a real board, which feels fingers of its own only. */
function pressed(cell) {
  if (setUp.active) setUp.lay(cell);
  else if (replayed) send({ do: "touch", cell });
  else trouble.suspect(cell);
}

const fingers = new Fingers(board, send, pressed);
link.open();
