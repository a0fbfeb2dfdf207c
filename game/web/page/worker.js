/**
 * The service worker: while the board cannot be reached, it answers with a page that says so and
 * tries again. Everything else comes from the server, so that no script outlives an upgrade.
 */

const CACHE = "out-of-reach";
const PAGE = "/page/offline.html";
const FILES = [PAGE, "/page/offline.js", "/page/style.css"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const stored = request.mode === "navigate" ? PAGE : new URL(request.url).pathname;
  if (FILES.includes(stored)) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(stored)) ?? Response.error()));
  }
});
