/**
 * Puts the shared pictures into the document, before anything shows one of them.
 */

const answer = await fetch("/page/symbols.svg");
if (!answer.ok) throw new Error(`symbols.svg: ${answer.status}`);
document.body.insertAdjacentHTML("afterbegin", await answer.text());
