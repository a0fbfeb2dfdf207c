/**
 * The page while the board is out of reach: it says so in the language last used here, and loads the
 * game again as soon as the server answers. It stands alone, since nothing else can be loaded.
 */

const AGAIN_MS = 2000;

try {
  const { lang, words } = JSON.parse(localStorage.getItem("lifeboard.offline"));
  document.documentElement.lang = lang;
  for (const element of document.querySelectorAll("[data-words]")) {
    element.textContent = words[element.dataset.words] ?? element.textContent;
  }
} catch {
  // Without what the game's page has stored, the English text stays.
}

async function tryAgain() {
  try {
    const answer = await fetch("/worker.js", { method: "HEAD", cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Still out of reach.
  }
}

setInterval(tryAgain, AGAIN_MS);
addEventListener("online", tryAgain);
