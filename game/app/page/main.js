/**
 * Joins the parts of the page: messages of the server to what shows them, and fingers to the link.
 */

import { Board } from "./board.js";
import { Circle } from "./circle.js";
import { Course } from "./course.js";
import { Fingers } from "./fingers.js";
import { Gate } from "./gate.js";
import { Help } from "./help.js";
import { Hues } from "./hues.js";
import { Keys } from "./keys.js";
import { Language, wanted } from "./language.js";
import { Lamps } from "./lamps.js";
import { Link } from "./link.js";
import { marks } from "./marks.js";
import { Moves } from "./moves.js";
import { Opponents } from "./opponents.js";
import { Panel } from "./panel.js";
import { Pieces } from "./pieces.js";
import { Players } from "./players.js";
import { SetUp } from "./set_up.js";
import { Stage } from "./stage.js";
import { Todo } from "./todo.js";
import { Travel } from "./travel.js";
import { Trouble } from "./trouble.js";
import { learn, t } from "./words.js";

const lamps = new Lamps();
const board = new Board(lamps);
const circle = new Circle(lamps);
const stage = new Stage(document.getElementById("board"), board, circle);
const panel = new Panel(send);
const language = new Language((message) => link.send(message));
const gate = new Gate(
  () => {
    fingers.forget();
    link.reopen();
  },
  (text) => panel.complain(text),
);
const players = new Players(lamps, send);
const setUp = new SetUp(send);
const moves = new Moves(send);
const todo = new Todo();
const trouble = new Trouble(send);
const help = new Help();
const opponents = new Opponents(send);
const course = new Course(send);
const hues = new Hues();
const pieces = new Pieces();
const keys = new Keys(send, (ring) => board.trace(ring));
const travel = new Travel();
let version = null;
let greeted = false;
let leaving = false;
let replayed = false;

/** Send what people do here, and return whether it went; who only watches is told how to play. */
function send(message) {
  if (!gate.watching) return link.send(message);
  gate.hint();
  return false;
}

function address() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws?lang=${encodeURIComponent(wanted())}`;
}

function boardWords(stones) {
  if (gate.watching) return t("page.board_watched");
  return stones ? t("page.board_stones") : t("page.board");
}

/**
 * Take over the version, the words and the languages of a first message; false if this page cannot
 * show it, and loads itself again instead.
 */
function meet(message) {
  // After an upgrade behind an open page its scripts are of another version than the server. Only
  // other pages name theirs: one that is served here now takes the place of this one.
  const other = (version ?? message.version) !== message.version || Boolean(message.page);
  // Of what the page has shown nothing may stay in it once it is locked.
  leaving = other || (greeted && message.type === "locked");
  if (leaving) {
    location.reload();
    return false;
  }
  version = message.version;
  learn(message.words);
  language.offer(message);
  return true;
}

const show = {
  locked(message) {
    if (meet(message)) gate.lock(message);
  },
  hello(message) {
    if (!meet(message)) return;
    greeted = true;
    replayed = message.replay !== null;
    travel.greet(message);
    hues.wear(message.hues);
    pieces.greet(message);
    keys.greet(message);
    gate.greet(message);
    panel.greet(message);
    players.greet(message);
    setUp.greet(message);
    moves.greet(message);
    help.greet(message);
    opponents.greet(message);
    course.greet(message);
    stage.draw(message);
    fingers.felt = message.simulated;
    fingers.watching = gate.watching;
    const stones = message.sensing === "presence";
    trouble.stones = stones;
    const around = message.board.shape === "disc" ? [t("page.around")] : [];
    board.root.setAttribute("aria-label", [boardWords(stones), ...around].join(". "));
    lamps.wire(message.pixels);
  },
  state(message) {
    pieces.show(message);
    board.show(message.cells, message.lost, message.masked, marks(message));
    const turned = travel.follow(message);
    if (turned) board.travel(turned.cells, turned.steps);
    keys.show(message);
    circle.show(message.legend);
    trouble.show(message);
    players.show(message);
    setUp.show(message);
    moves.show(message);
    todo.show(message.todo);
    help.show(message);
    opponents.show(message);
    course.show(message);
    panel.show(message);
  },
  analysis(message) {
    course.learn(message);
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
  (message) => leaving || show[message.type](message),
  (open) => {
    panel.connected(open);
    gate.connected(open);
    if (!open) fingers.forget();
  },
);
/** Take a press on a cell of a real board, which feels fingers of its own only. */
function pressed(cell) {
  if (gate.watching) gate.hint();
  else if (setUp.active) setUp.lay(cell);
  else if (replayed) send({ do: "touch", cell });
  else trouble.suspect(cell);
}

const fingers = new Fingers(board, send, pressed);
link.open();
