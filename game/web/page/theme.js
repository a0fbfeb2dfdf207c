/**
 * How the page looks on this device, by its settings: dark or light, with or without names of cells.
 */

import { html } from "./dom.js";
import { device } from "./storage.js";

const THEMES = { "light dark": "page.theme_system", light: "page.theme_light", dark: "page.theme_dark" };

function wear(theme) {
  document.documentElement.style.colorScheme = theme;
  const paper = getComputedStyle(document.body).backgroundColor;
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = paper;
}

/** Make the switch, and wear what was chosen before. */
export function themeSwitch() {
  const [usual] = Object.keys(THEMES);
  const list = html("select", {}, ...Object.entries(THEMES).map(([value, words]) =>
    html("option", { value, "data-words": words })));
  list.value = device.read("theme") ?? usual;
  list.addEventListener("change", () => {
    device.write("theme", list.value === usual ? null : list.value);
    wear(list.value);
  });
  if (list.value !== usual) wear(list.value);
  return html("label", { class: "row" }, html("span", { "data-words": "page.theme" }), list);
}

/** Make the switch of the names of cells. */
export function namesSwitch() {
  const box = html("input", { type: "checkbox" });
  const show = () => document.body.toggleAttribute("data-nameless", !box.checked);
  box.checked = device.read("names") !== "off";
  box.addEventListener("change", () => {
    device.write("names", box.checked ? null : "off");
    show();
  });
  show();
  return html("label", { class: "row" }, box, html("span", { "data-words": "page.cell_names" }));
}
