/**
 * Keys that press the page's buttons, with their list under `?`; and *Back*, which closes a dialog.
 */

import { closing, dialog, html } from "./dom.js";
import { fill, t } from "./words.js";

/** The button of each key. */
const BUTTONS = {
  h: "#hint",
  c: "#coach",
  z: '#actions [data-command="take_back"]',
  n: '#actions [data-command="new_game"]',
  r: "#how-to-play",
};
/** What other keys do, in words. */
const OTHERS = { "← →": "page.keys_look", Esc: "page.keys_leave", "?": "page.keyboard" };
const WRITTEN = "input, select, textarea, dialog[open]";

const find = (key) => document.querySelector(BUTTONS[key]);
const usable = (button) => button && !button.disabled && button.checkVisibility();
const entry = (key, text) => html("li", { class: "row" }, html("kbd", {}, key), html("span", {}, text));

let help = null;

function show() {
  help ??= dialog("keyboard", "page.keyboard", html("ul"), closing());
  help.querySelector("ul").replaceChildren(
    ...Object.keys(BUTTONS).filter((key) => usable(find(key))).map((key) =>
      entry(key.toUpperCase(), find(key).title || find(key).textContent)),
    ...Object.entries(OTHERS).map(([key, words]) => entry(key, t(words))));
  fill(help);
  help.showModal();
}

/** Listen to the keys from now on. */
export function listenToKeyboard() {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest(WRITTEN)) return;
    if (key === "?") show();
    else if (key in BUTTONS && usable(find(key))) find(key).click();
    else return;
    event.preventDefault();
  });
}

/** Let *Back* close an open dialog instead of leaving the page. */
export function closeByBack() {
  const open = () => document.querySelectorAll("dialog[open]");
  let [entered, leaving] = [Boolean(history.state?.dialog), false];
  const follow = () => {
    const there = open().length > 0;
    if (leaving || there === entered) return;
    entered = there;
    if (there) {
      history.pushState({ dialog: true }, "");
    } else {
      leaving = true;
      history.back();
    }
  };
  new MutationObserver(follow).observe(document.body, { subtree: true, attributeFilter: ["open"] });
  addEventListener("popstate", () => {
    // It was closed in another way, and perhaps another has opened since.
    if (!leaving) open().forEach((dialog) => dialog.close());
    entered = leaving = false;
    follow();
  });
  follow();
}
