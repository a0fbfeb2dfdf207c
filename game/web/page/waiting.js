/**
 * The page of a service that cannot play yet, which the server writes. It is loaded again as soon
 * as something else is served in its place, such as the game.
 */

const POLL_MS = 2000;

const served = async () => (await fetch(location.href, { cache: "no-store" })).text();
const shown = await served();

setInterval(async () => {
  try {
    if (await served() !== shown) location.reload();
  } catch {
    // The service is trying again.
  }
}, POLL_MS);
