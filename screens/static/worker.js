// The service worker, which browsers run only for https and localhost. If the server cannot be reached, it
// answers with the page `offline` in place of the browser's error. Everything else goes to the server.
const PAGE = "/offline",
  CACHE = location.href; // its folder is named after a hash of all files

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.add(new Request(PAGE, { cache: "reload" }));
  await skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await clients.claim();
}

async function open(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(open(event.request));
});
