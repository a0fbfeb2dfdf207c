/**
 * Buttons that ask before they do what cannot be undone: the first press asks, the second does it.
 */

import { onPress, write } from "./dom.js";
import { t } from "./words.js";

/** The buttons that are asking, each with a function that cancels its question. */
const asking = new Map();

document.addEventListener("pointerdown", (event) => {
  for (const [button, calm] of [...asking]) if (!button.contains(event.target)) calm();
});

/**
 * Let a button act when it is pressed twice, but not by a double click.
 * @param label function that returns what is written on it
 * @param act called at the second press
 * @param question function that returns what is written on it between the two
 */
export function confirmButton(button, label, act, question = () => t("page.confirm")) {
  const calm = () => {
    asking.delete(button);
    button.classList.remove("asked");
    write(button, label());
  };
  onPress(button, () => {
    if (asking.has(button)) {
      calm();
      act();
      return;
    }
    asking.set(button, calm);
    button.classList.add("asked");
    write(button, question());
  });
  button.addEventListener("blur", calm);
  calm();
  return button;
}
