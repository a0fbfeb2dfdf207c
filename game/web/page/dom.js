/**
 * Makes elements. It knows nothing of the board or of the page.
 */

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
