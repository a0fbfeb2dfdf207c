/**
 * Connects the parts of the page: messages of the server to views, and fingers to the link.
 */

import "./symbols.js";
import { Arrange } from "./arrange.js";
import * as art from "./art.js";
import { Board } from "./board.js";
import { Circle } from "./circle.js";
import { Clock } from "./clock.js";
import { Course } from "./course.js";
import { Faces } from "./faces.js";
import { Fingers } from "./fingers.js";
import { Gate } from "./gate.js";
import { HandsSwitch } from "./hands.js";
import { Help } from "./help.js";
import { Hues } from "./hues.js";
import { Keys } from "./keys.js";
import { install } from "./installed.js";
import { Language, wanted } from "./language.js";
import { Lamps } from "./lamps.js";
import { Link } from "./link.js";
import { marks } from "./marks.js";
import { touchCell } from "./messages.js";
import { Moves } from "./moves.js";
import { Opponents } from "./opponents.js";
import { Panel } from "./panel.js";
import { Pieces } from "./pieces.js";
import { Players } from "./players.js";
import { Readiness } from "./readiness.js";
import { Seat } from "./seat.js";
import { SetUp } from "./set_up.js";
import { Settings } from "./settings.js";
import { Sides } from "./sides.js";
import { Sounds } from "./sounds.js";
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
const clock = new Clock();
const hands = new HandsSwitch(send);
const help = new Help();
const opponents = new Opponents(send);
const course = new Course(send);
const hues = new Hues();
const pieces = new Pieces();
const keys = new Keys(send, (ring) => board.trace(ring));
const travel = new Travel();
// The holder of a seat may lay out its pieces without control.
const seat = new Seat(
  (message) => link.send(message),
  () => told && showState(told),
  () => arrange.forget(),
);
const arrange = new Arrange((message) => link.send(message));
const readiness = new Readiness();
const faces = new Faces();
const sides = new Sides(send);
const sounds = new Sounds();
const settings = new Settings(sounds);
let told = null;
let version = null;
let greeted = false;
let leaving = false;
let replayed = false;
let waiting = null;

/** Send a message, and return whether it went; on a page that only watches, explain how to play. */
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
  // Nothing that the page has shown may remain in it once it is locked.
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
    if (!meet(message)) return;
    gate.lock(message);
    seat.lock(message);
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
    clock.greet(message);
    hands.greet(message);
    help.greet(message);
    opponents.greet(message);
    course.greet(message);
    arrange.greet(message);
    readiness.greet(message);
    faces.greet(message);
    sides.greet(message);
    sounds.greet();
    settings.greet(message);
    install(message.lang);
    stage.draw(message);
    fingers.felt = message.simulated;
    fingers.watching = gate.watching;
    const stones = message.sensing === "presence";
    trouble.stones = stones;
    const around = message.board.shape === "disc" ? [t("page.around")] : [];
    board.root.setAttribute("aria-label", [boardWords(stones), ...around].join(". "));
    lamps.wire(message.pixels);
    // The answer to the seat's request needs all this.
    seat.greet(message);
  },
  state(message) {
    told = message;
    showState(message);
    sounds.show(message);
    settings.show(message);
  },
  seat(message) {
    seat.take(message);
  },
  seats(message) {
    sides.take(message);
  },
  analysis(message) {
    course.learn(message);
  },
  lights(message) {
    lamps.show(message.rgb);
  },
  error(message) {
    if (!arrange.complain(message.text)) panel.complain(message.text);
  },
};

function showState(message) {
  const shown = seat.cover(message);
  stage.face(seat.player);
  pieces.show(message);
  board.show(shown.cells, shown.lost, shown.masked, marks(shown));
  const turned = travel.follow(shown);
  if (turned) board.travel(turned.cells, turned.steps);
  keys.show(shown);
  circle.show(shown.legend);
  trouble.show(shown);
  players.show(shown);
  clock.show(shown);
  hands.show(shown);
  setUp.show(shown);
  moves.show(shown);
  todo.show(shown.todo);
  help.show(shown);
  opponents.show(shown);
  course.show(shown);
  seat.show(shown);
  arrange.show(shown);
  readiness.show(shown);
  faces.show(shown);
  sides.show(shown);
  panel.show(shown);
}

/** Show a message; while a game's drawings load, keep it for later. */
function take(message) {
  if (waiting) {
    waiting.push(message);
  } else if (message.type === "hello" && !art.has(message.art)) {
    waiting = [message];
    art.load(message.art).then(() => {
      const kept = waiting;
      waiting = null;
      kept.forEach(take);
    });
  } else if (!leaving) {
    show[message.type](message);
  }
}

const link = new Link(
  address,
  take,
  (open) => {
    panel.connected(open);
    seat.connected(open);
    arrange.connected(open);
    gate.connected(open);
    if (!open) fingers.forget();
  },
);
/** Handle a press on a cell of a real board, which senses only its own fingers. */
function pressed(cell) {
  if (gate.watching) gate.hint();
  else if (setUp.active) setUp.lay(cell);
  else if (replayed) send(touchCell(cell));
  else trouble.suspect(cell);
}

const fingers = new Fingers(board, send, pressed);
link.open();
