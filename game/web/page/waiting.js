/**
 * The page of a service that cannot play yet, which the server writes. It is loaded again as soon
 * as something else is served in its place, such as the game.
 */

const POLL_MS = 2000;

const words = (page) => page.querySelector("main")?.textContent;
const shown = words(document);

setInterval(async () => {
  try {
    const text = await (await fetch(location.href, { cache: "no-store" })).text();
    if (words(new DOMParser().parseFromString(text, "text/html")) !== shown) location.reload();
  } catch {
    // The service is trying again.
  }
}, POLL_MS);
