/**
 * The page of a service that cannot play yet: why, what it found, and what to do about it. It
 * shows the server's messages, and reloads as soon as the game is served here.
 */

import "./symbols.js";
import { button, byId, html, write } from "./dom.js";
import { Language, wanted } from "./language.js";
import { Link, socketAddress } from "./link.js";
import { Pin } from "./pin.js";
import { fill, learn, t } from "./words.js";

const KIND = "waiting";
/** The reasons for which the lights run: no learned board. */
const UNLEARNT = ["unlearnt", "no_chips", "no_board"];
const COPIED_MS = 2000;

/** The words for each reason: its title, its text, and whether the lights run or wink. */
const REASONS = {
  unlearnt: () => [t("page.waiting_unlearnt"), t("page.waiting_unlearnt_text")],
  no_chips: () => [t("page.waiting_no_chips"), t("page.waiting_no_chips_text")],
  no_board: () => [t("page.waiting_no_board"), t("page.waiting_no_board_text")],
  profile: () => [t("page.waiting_profile"), t("page.waiting_profile_text")],
  settings: () => [t("page.waiting_settings"), t("page.waiting_settings_text")],
  in_use: () => [t("page.waiting_in_use"), t("page.waiting_in_use_text")],
  link: () => [t("page.waiting_link"), t("page.waiting_link_text")],
  firmware: () => [t("page.waiting_firmware"), t("page.waiting_firmware_text")],
  hardware: () => [t("page.waiting_hardware"), t("page.waiting_hardware_text")],
  other: () => [t("page.waiting_other"), t("page.waiting_other_text")],
};

let version = null;
let greeted = false;
let newest = null;

/** Write a text into an element, or hide its frame. */
function writeOrHide(element, text, frame = element) {
  frame.hidden = !text;
  write(element, text ?? "");
}

/** Return an element for an error text, which is English and has commands between backticks. */
function quoted(text) {
  const parts = text.split("`").map((part, n) => (n % 2 ? html("code", {}, part) : part));
  return text ? [html("span", { lang: "en", class: "quoted" }, ...parts)] : [];
}

/** Write a text that exists in English only, such as errors of devices, or hide its frame. */
function quoteOrHide(element, text, frame = element) {
  frame.hidden = !text;
  if (element.dataset.said === text) return;
  element.dataset.said = text;
  element.replaceChildren(...quoted(text));
}

/** Fill a list; an unchanged one is left alone, to keep people's selections. */
function list(element, lines) {
  const said = lines.map(([text, state, english = ""]) => `${state}${text}${english}`).join("\n");
  if (element.dataset.said === said) return;
  element.dataset.said = said;
  element.replaceChildren(...lines.map(([text, state, english = ""]) => html(
    "li",
    { "data-state": state },
    text,
    ...quoted(english),
  )));
}

function place({ bus, mux, channel, address: at, recognised }) {
  const where = mux === null
    ? t("page.waiting_place", { bus, address: at })
    : t("page.waiting_place_mux", { bus, mux, channel, address: at });
  return recognised
    ? [where, "good"]
    : [t("page.waiting_stranger", { place: where }), "odd"];
}

function showWhy({ why, detail, taken, strip }) {
  const [title, text] = REASONS[why]();
  write(byId("title"), title);
  write(byId("text"), taken && why !== "in_use" ? t("page.waiting_taken") : text);
  quoteOrHide(byId("detail"), detail);
  document.title = `${title} · lifeboard`;
  const unlearnt = UNLEARNT.includes(why);
  byId("sign").dataset.sign = strip === "" ? (unlearnt ? "learn" : "trouble") : "";
  const lights = unlearnt ? t("page.waiting_lights") : t("page.waiting_lights_trouble");
  writeOrHide(byId("lights"), strip === "" ? lights : "");
}

function showSteps(why) {
  for (const step of document.querySelectorAll("[data-for]")) {
    step.hidden = !step.dataset.for.split(" ").includes(why);
  }
  byId("steps").hidden = why === "in_use";
}

function showStrip({ found, strip, spi_off: spiOff }) {
  // The strip's driver is only missed where there can be lights.
  byId("strip-row").hidden = strip === null || (spiOff && !found.pi);
  byId("strip-row").dataset.state = strip ? "bad" : "good";
  byId("strip-mend").hidden = !spiOff;
  const english = spiOff ? "" : strip ?? "";
  writeOrHide(byId("strip"), spiOff ? t("page.waiting_no_spi")
    : strip === "" ? t("page.waiting_strip_sent") : "");
  quoteOrHide(byId("strip-fault"), english);
}

function busWords({ pi, buses }) {
  if (buses.length) return buses.join(", ");
  return pi ? t("page.waiting_no_i2c") : t("page.waiting_no_pi");
}

function showFound(message) {
  const { found, why } = message;
  byId("found").hidden = found === null || (why === "no_board" && !found.buses.length);
  if (found === null) return;
  showStrip(message);
  const { pi, ports, buses, muxes, chips, troubles, trouble } = found;
  // A board on a Pico has nothing on the buses of this computer.
  const onPico = ports !== null;
  byId("ports-row").hidden = !onPico;
  byId("ports-row").dataset.state = ports?.length ? "good" : "bad";
  write(byId("ports"), ports?.length ? ports.join(", ") : t("page.waiting_no_pico"));
  byId("buses-row").hidden = byId("chips-row").hidden = onPico;
  write(byId("again"), onPico ? t("page.waiting_again_pico") : t("page.waiting_again"));
  write(byId("buses"), busWords(found));
  byId("buses-row").dataset.state = buses.length ? "good" : "bad";
  byId("buses-mend").hidden = buses.length > 0 || !pi;
  writeOrHide(
    byId("muxes"),
    muxes.map(({ bus, mux }) => t("page.waiting_place", { bus, address: mux })).join("; "),
    byId("muxes-row"),
  );
  const known = chips.filter(({ recognised }) => recognised).length;
  write(byId("count"), known ? String(known) : t("page.waiting_no_chip"));
  byId("chips-row").dataset.state = known ? "good" : "bad";
  list(byId("chips"), chips.map(place));
  const bad = troubles.map(({ bus, detail }) =>
    [`${t("page.waiting_bus", { bus })}: `, "bad", detail]);
  if (trouble) bad.unshift(["", "bad", trouble]);
  list(byId("troubles"), bad);
  byId("troubles-row").hidden = bad.length === 0;
}

function draw() {
  if (newest === null) return;
  byId("told").hidden = false;
  showWhy(newest);
  showSteps(newest.why);
  showFound(newest);
}

/** Take what every first message has; false if the page must be reloaded. */
function meet(message) {
  // Another page is served here now, such as the game's, or this one by another version.
  if (message.page !== KIND || (version !== null && version !== message.version)) {
    location.reload();
    return false;
  }
  version = message.version;
  learn(message.words);
  language.offer(message);
  fill(document);
  return true;
}

function greet(message) {
  if (!meet(message)) return;
  greeted = true;
  byId("locked").hidden = true;
  pin.clear();
  draw();
}

/** Copy a command; where pages may not use the clipboard it is at least selected. */
async function copy(code, pressed) {
  const range = document.createRange();
  range.selectNodeContents(code);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Browsers have a clipboard for secure pages only, and this may be one of the local network.
    if (!document.execCommand("copy")) return;
  }
  write(pressed, t("page.waiting_copied"));
  setTimeout(() => write(pressed, t("page.waiting_copy")), COPIED_MS);
}

for (const code of document.querySelectorAll(".code > code")) {
  code.after(button({ class: "copy", "aria-live": "polite", "data-words": "page.waiting_copy" },
    ({ currentTarget }) => copy(code, currentTarget)));
}

const show = {
  hello: greet,
  locked(message) {
    // Nothing that the page has shown before may remain in it.
    if (greeted) {
      location.reload();
      return;
    }
    if (!meet(message)) return;
    document.title = `${t("page.locked")} · lifeboard`;
    const first = byId("locked").hidden;
    byId("locked").hidden = false;
    pin.greet(message);
    if (first) pin.focus();
  },
  [KIND](message) {
    newest = message;
    draw();
  },
  error({ text }) {
    write(byId("link"), text);
  },
};

const link = new Link(
  () => socketAddress({ lang: wanted() }),
  // The first message of another page is a hello, or something that this one does not know.
  (message) => (show[message.type] ?? greet)(message),
  (open) => {
    document.body.dataset.link = open ? "open" : "lost";
    // Without a first message there are no words, and the page still says that it is connecting.
    if (!open && version === null) return;
    byId("link").removeAttribute("data-words");
    write(byId("link"), open ? "" : t("page.connection_lost"));
  },
);

const language = new Language((message) => link.send(message));
const pin = new Pin(() => link.reopen());
link.open();
