/**
 * Makes elements. It knows nothing of the board or of the page.
 */

/** Most characters of a name, of a player or of a set-up. */
export const LONGEST_NAME = 40;
const SVG = "http://www.w3.org/2000/svg";

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Write a text into an element; the same text again would make screen readers say it again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Make an SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** Make an HTML element with attributes and children. */
export function html(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Make a button that acts when it is pressed. */
export function button(attributes, act, ...children) {
  const made = html("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** Let a button act when it is pressed, but not again by a double click or a key that is held. */
export function onPress(button, act) {
  button.addEventListener("click", (event) => event.detail <= 1 && act());
  button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
}

/** Let a button say by its aria-expanded, which styles follow, whether more is shown. */
export function unfold(more) {
  more.addEventListener("click", () =>
    more.setAttribute("aria-expanded", more.getAttribute("aria-expanded") === "false"));
}

/** Make a dialog of a name, whose title is the text of a key, and put it into the document. */
export function dialog(name, title, ...children) {
  const made = html(
    "dialog", { class: name, id: name, "aria-labelledby": `${name}-title` },
    html("h2", { id: `${name}-title`, tabindex: "-1", "data-words": title }), ...children);
  document.body.append(made);
  return made;
}

/** Make the foot of a dialog: some buttons, and the one that closes it. */
export function closing(...buttons) {
  return html("form", { class: "row wraps", method: "dialog" }, ...buttons,
    html("button", { "data-words": "page.close" }));
}

/** Make a function that tells whether it is given something else than the last time. */
export function memory() {
  let last = "";
  return (...what) => {
    const before = last;
    last = JSON.stringify(what);
    return last !== before;
  };
}

/** Let a use element show a symbol of symbols.svg by its name, or nothing for an empty name. */
export function depict(use, symbol) {
  if (symbol) use.setAttribute("href", `#${symbol}`);
  else use.removeAttribute("href");
}

/** Make a small picture of one symbol of symbols.svg, hidden from screen readers. */
export function icon(symbol, className) {
  return svg(
    "svg",
    { class: className, viewBox: "-.5 -.5 1 1", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: `#${symbol}` }),
  );
}

/** Let a picture that `icon` made show another symbol. */
export function repicture(picture, symbol) {
  const use = picture.firstElementChild;
  if (use.getAttribute("href") !== `#${symbol}`) depict(use, symbol);
}

/** Make the radial glow of one lamp: its gradient, and the circle that the gradient fills. */
export function glow(id, x, y, radius) {
  const gradient = svg(
    "radialGradient",
    { id },
    svg("stop", { offset: "0", "stop-color": "currentColor" }),
    svg("stop", { offset: ".46", "stop-color": "currentColor", "stop-opacity": ".72" }),
    svg("stop", { offset: ".7", "stop-color": "currentColor", "stop-opacity": ".2" }),
    svg("stop", { offset: "1", "stop-color": "currentColor", "stop-opacity": "0" }),
  );
  const light = svg("circle", { class: "glow", cx: x, cy: y, r: radius, fill: `url(#${id})` });
  light.style.opacity = "0";
  const paint = (colour, level) => {
    gradient.style.color = colour;
    light.style.opacity = level;
  };
  return { parts: [gradient, light], paint };
}
