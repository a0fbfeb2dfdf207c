/**
 * The page of a club: every board, live, and the results. It shows the server's messages, and knows
 * no game: a piece is a disc in the colour of its side.
 */

import "./symbols.js";
import { byId, html, svg, write } from "./dom.js";
import { Language, wanted } from "./language.js";
import { Link, socketAddress } from "./link.js";
import { fill, learn, t } from "./words.js";

const ROOM = 0.7;
const RADIUS = 0.42;

const boards = new Map();
const cards = new Map();
let tables = null;

/** Draw a position: cells at their places, and a disc for each piece. */
function picture({ cells, hues }, pieces) {
  const places = Object.entries(cells);
  if (!places.length) return [];
  const xs = places.map(([, [x]]) => x);
  const ys = places.map(([, [, y]]) => y);
  const [left, top] = [Math.min(...xs) - ROOM, Math.min(...ys) - ROOM];
  const size = [Math.max(...xs) + ROOM - left, Math.max(...ys) + ROOM - top];
  const discs = places.map(([cell, [cx, cy]]) => {
    const disc = svg("circle", { class: "cell", cx, cy, r: RADIUS });
    if (cell in pieces) disc.style.fill = hues[pieces[cell] - 1] ?? "gray";
    return disc;
  });
  return [svg("svg", { viewBox: [left, top, ...size].join(" "), "aria-hidden": "true" }, ...discs)];
}

/** Return what is left on a clock now, in minutes and seconds. */
function left({ clock, age_s, at }, number) {
  const passed = clock.running === number ? age_s + (performance.now() - at) / 1000 : 0;
  const seconds = Math.max(0, Math.round(clock.left[number - 1] - passed));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function player(state, name, index) {
  const words = [name, state.scores?.[index], state.clock && left(state, index + 1)];
  const line = html("p", {}, words.filter((word) => word !== null && word !== undefined).join(" · "));
  if (state.to_move === index + 1) {
    line.className = "moves";
    line.append(` · ${t("page.club_to_move")}`);
  }
  return line;
}

function draw({ name, online, state, drawing }) {
  const card = cards.get(name) ?? html("section", { class: "card board" });
  card.dataset.online = online;
  const told = state === null ? [] : [
    html("p", {}, state.title),
    ...picture(drawing, state.pieces),
    ...state.players.map((each, index) => player(state, each, index)),
    html("p", {}, state.outcome ?? state.last_move ?? ""),
  ];
  const gone = online ? [] : [html("p", {}, t("page.club_offline"))];
  card.replaceChildren(html("h2", {}, name), ...gone, ...told);
  if (!cards.has(name)) {
    cards.set(name, card);
    const names = [...cards.keys()].sort((one, other) =>
      one.localeCompare(other, undefined, { numeric: true }));
    byId("boards").replaceChildren(...names.map((each) => cards.get(each)));
  }
  byId("empty").hidden = true;
}

function score({ players, winner }, one) {
  if (!winner) return "½ – ½";
  return players[winner - 1] === one ? "1 – 0" : "0 – 1";
}

function drawTables() {
  if (tables === null) return;
  const { rounds, points, results } = tables;
  byId("tournament").hidden = !rounds.length;
  byId("points").replaceChildren(
    ...Object.entries(points).map(([name, sum]) => html("li", {}, `${name}: ${sum}`)));
  byId("rounds").replaceChildren(...rounds.map((pairs, index) => html(
    "section", {}, html("h3", {}, t("page.club_round", { number: index + 1 })),
    ...pairs.map(([one, two, result]) =>
      html("p", {}, two ? `${one} – ${two}: ${result ? score(result, one) : "…"}` : one)))));
  byId("past").hidden = !results.length;
  byId("results").replaceChildren(...[...results].reverse().map((each) => html(
    "li", {}, [each.board, each.game, each.players.join(" – "), each.players[each.winner - 1],
      new Date(each.ended).toLocaleString()].filter(Boolean).join(" · "))));
}

const show = {
  hello(message) {
    learn(message.words);
    language.offer(message);
    fill(document.body);
    write(byId("link"), "");
    document.title = `${t("page.club")} · lifeboard`;
    boards.forEach(draw);
    drawTables();
  },
  board(message) {
    if (message.state) message.state.at = performance.now();
    boards.set(message.name, message);
    draw(message);
  },
  tables(message) {
    tables = message;
    drawTables();
  },
};

const link = new Link(
  () => socketAddress({ lang: wanted() }),
  (message) => show[message.type]?.(message),
  (open) => {
    document.body.dataset.link = open ? "open" : "lost";
    if (!open) write(byId("link"), t("page.connection_lost"));
  },
);

const language = new Language((message) => link.send(message));
setInterval(() => boards.forEach((board) => board.state?.clock?.running && draw(board)), 1000);
link.open();
