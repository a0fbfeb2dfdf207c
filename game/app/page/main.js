/**
 * Joins the parts of the page: messages of the server to what shows them, and fingers to the link.
 */

import { Board } from "./board.js";
import { Circle } from "./circle.js";
import { Fingers } from "./fingers.js";
import { Lamps } from "./lamps.js";
import { Link } from "./link.js";
import { Panel } from "./panel.js";
import { Stage } from "./stage.js";
import { Trouble } from "./trouble.js";
import { learn, t } from "./words.js";

const lamps = new Lamps();
const board = new Board(lamps);
const circle = new Circle(lamps);
const stage = new Stage(document.getElementById("board"), board, circle);
const panel = new Panel(lamps, (message) => {
  if (message.do === "language") remember(message.lang);
  link.send(message);
});
const trouble = new Trouble((message) => link.send(message));
let version = null;

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
    learn(message.words);
    panel.greet(message);
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
const fingers = new Fingers(
  board,
  (message) => link.send(message),
  (cell) => trouble.suspect(cell),
);
link.open();
