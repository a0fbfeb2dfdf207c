/**
 * Connects the parts of the page: messages of the server to views, and fingers to the link.
 */

import "./symbols.js";
import "./arrange_markup.js";
import { Arrange } from "./arrange.js";
import * as art from "./art.js";
import { Board } from "./board.js";
import { Chances } from "./chances.js";
import { Circle } from "./circle.js";
import { Clock } from "./clock.js";
import { Course } from "./course.js";
import { byId } from "./dom.js";
import { Faces } from "./faces.js";
import { Fingers } from "./fingers.js";
import { Games } from "./games.js";
import { Gate } from "./gate.js";
import { Guide } from "./guide.js";
import { HandsSwitch } from "./hands.js";
import { Help } from "./help.js";
import { Hues } from "./hues.js";
import { Inspection } from "./inspection.js";
import { closeByBack, listenToKeyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { install } from "./installed.js";
import { Language } from "./language.js";
import { Lamps } from "./lamps.js";
import { Link, socketAddress } from "./link.js";
import { LookBack } from "./look_back.js";
import { marks } from "./marks.js";
import { openActivity, touched } from "./messages.js";
import { Moves } from "./moves.js";
import { Panel } from "./panel.js";
import { Phrases } from "./phrases.js";
import { Pieces } from "./pieces.js";
import { Players } from "./players.js";
import { Puzzles } from "./puzzles.js";
import { Previews } from "./preview.js";
import { Readiness } from "./readiness.js";
import { Seat } from "./seat.js";
import { SetUp } from "./set_up.js";
import { Settings } from "./settings.js";
import { Sides } from "./sides.js";
import { Sounds } from "./sounds.js";
import { Start } from "./start.js";
import { BoardFrame } from "./board_frame.js";
import { Todo } from "./todo.js";
import { RingTurns } from "./ring_turns.js";
import { Trouble } from "./trouble.js";
import { Tutorial } from "./tutorial.js";
import { Update } from "./update.js";
import { Voice } from "./voice.js";
import { learn, t } from "./words.js";

// It connects while the parts are made; nothing that it hears is handled before they are.
const link = new Link(socketAddress, take, (open) => {
  for (const part of [panel, seat, arrange, gate]) part.connected(open);
  if (!open) fingers.forget();
});
link.open();

const lamps = new Lamps();
const board = new Board(lamps);
const circle = new Circle(lamps);
const again = () => told && showState(told);
const stage = new BoardFrame(byId("board"), board, circle, again);
// Before the panel, which finds the buttons of commands.
const start = new Start(send, (game) => send(openActivity("tutorial", game)));
const panel = new Panel((message) => games.takes(message) || send(message));
const reopen = () => {
  fingers.forget();
  link.reopen();
};
const language = new Language(reopen);
const gate = new Gate(reopen, (text) => panel.complain(text));
const players = new Players(lamps, send);
const chances = new Chances();
const setUp = new SetUp(send);
// Who only watches looks back too.
const lookBack = new LookBack((message) => link.send(message), again);
const moves = new Moves((ply) => lookBack.to(ply));
const todo = new Todo();
const trouble = new Trouble(send);
const clock = new Clock();
const hands = new HandsSwitch(send);
const help = new Help();
const games = new Games(send);
const phrases = new Phrases(send);
const course = new Course(send, (ply) => lookBack.to(ply, true));
const hues = new Hues();
const pieces = new Pieces();
const guide = new Guide(pieces, (kind, game) => send(openActivity(kind, game)));
const [tutorial, puzzles] = [new Tutorial(send, toGame), new Puzzles(send, toGame)];
const previews = new Previews(board.root, send, again);
const keys = new Keys(touch, (ring) => board.trace(ring));
const travel = new RingTurns();
// The holder of a seat may lay out its pieces without control.
const seat = new Seat((message) => link.send(message), again, () => arrange.forget());
const arrange = new Arrange((message) => link.send(message));
const readiness = new Readiness();
const faces = new Faces();
const inspection = new Inspection();
const sides = new Sides(send);
const sounds = new Sounds();
const voice = new Voice(sounds);
const update = new Update();
const settings = new Settings(sounds, [hands.root, update.root]);
/** The parts that take each hello message, in this order, and those that show the present game. */
const parts = [
  travel, hues, pieces, keys, gate, phrases, panel, players, chances, setUp, lookBack, clock, hands, help, games,
  guide, tutorial, puzzles, previews, course, arrange, readiness, faces, sides, voice, settings, trouble,
  start, update,
];
const views = [
  trouble, clock, chances, hands, setUp, help, games, phrases, tutorial, puzzles, seat, arrange, readiness, faces, sides,
  start,
];
let told = null;
/** The game that was shown last: its name, and whether it waits while a lesson is shown. */
let left = { game: "", waits: false };
let lights = "";
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

/** Send a message of fingers; what is past can only be looked at. */
function touch(message) {
  if (lookBack.past === null || message.do === "lift") return send(message);
  panel.complain(t("page.look_only"));
  return false;
}

/** Go back from a lesson to what was played before. */
function toGame() {
  send(openActivity("game", left.game));
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
  async locked(message) {
    if (!meet(message)) return;
    gate.lock(message);
    await gate.entered;
    seat.lock(message);
  },
  async hello(message) {
    if (!meet(message)) return;
    greeted = true;
    // It may be another game, of which nothing is known yet.
    told = null;
    fingers.forget();
    replayed = message.replay !== null;
    for (const part of parts) part.greet(message);
    if (!message.replay || !left.game) left = { game: message.game, waits: false };
    if (message.replay?.lesson && left.waits) byId("replay").append(` · ${t("page.game_waits")}`);
    install(message.lang);
    stage.draw(message);
    fingers.felt = message.simulated;
    fingers.watching = gate.watching;
    const stones = message.sensing === "presence";
    const around = message.board.shape === "disc" ? [t("page.around")] : [];
    board.root.setAttribute("aria-label", [boardWords(stones), ...around].join(". "));
    lamps.wire(message.pixels);
    // The answer to the seat's request needs all this, and after a PIN the connection is another.
    await gate.entered;
    seat.greet(message);
  },
  state(message) {
    const before = told?.moves ?? [];
    told = { ...message, moves: [...before.slice(0, message.moves_from), ...message.moves] };
    if (!replayed) left.waits = told.ply > 0 && told.outcome === null;
    showState(told);
    sounds.show(told);
    voice.show(told);
    settings.show(told);
  },
  look: (message) => lookBack.take(message),
  seat: (message) => seat.take(message),
  seats: (message) => sides.take(message),
  guide(message) {
    guide.take(message);
    start.take(message);
  },
  preview: (message) => previews.take(message),
  analysis(message) {
    course.learn(message);
    lookBack.refresh();
    again();
  },
  lights(message) {
    lights = message.rgb;
    if (lookBack.past === null) lamps.show(lights);
  },
  error(message) {
    if (!arrange.complain(message.text) && !games.complain(message.text)) panel.complain(message.text);
  },
};

function showState(message) {
  const shown = previews.add(seat.cover(message));
  stage.face(seat.player);
  lookBack.show(message);
  const { past } = lookBack;
  const there = past ? { ...message, ...past } : shown;
  pieces.show(there);
  board.show(there.cells, there.missing, there.masked, marks(there), there.ghosts);
  lamps.show(past?.rgb ?? lights);
  const turned = travel.follow(shown);
  if (turned && !past) board.travel(turned.cells, turned.steps);
  keys.show(there);
  circle.show(there.legend);
  players.show(there);
  todo.show(shown.todo);
  course.show(shown, lookBack.at);
  moves.show(shown, lookBack.at, course.marks);
  for (const view of views) view.show(shown);
  inspection.follow(shown);
  panel.show(past ? { ...shown, message: past.message, notice: "" } : shown);
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

/** Handle a press on a cell of a real board, which senses only its own fingers. */
function pressed(cell) {
  if (gate.watching) gate.hint();
  else if (lookBack.past) panel.complain(t("page.look_only"));
  else if (setUp.active) setUp.lay(cell);
  else if (replayed) send(touched(cell));
  else trouble.suspect(cell);
}

const fingers = new Fingers(board, touch, pressed, (cell) => inspection.show(cell));
document.addEventListener("keydown", ({ key }) => {
  // In a dialog the key closes that.
  if (key === "Escape" && !document.querySelector("dialog[open]")) byId("to-game")?.click();
});
listenToKeyboard();
closeByBack();
