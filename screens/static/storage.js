// The phone's storage of items that the server does not have yet: IndexedDB.
//
// Browsers lose the connection to it, have no space, or (on iPhones) never answer. Then a step returns
// null after a while, and no other step is tried for some seconds.
const DATABASE = "settebello",
  ITEMS = "outbox",
  STEP_MS = 1500,
  REST_MS = 8000;

export function openStorage() {
  let opening = null; // a promise of the database
  let restsUntil = 0;

  function open() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () =>
        request.result.createObjectStore(ITEMS, { keyPath: "number", autoIncrement: true });
      request.onsuccess = () => {
        request.result.onclose = () => (opening = null);
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
    });
  }

  async function run(mode, work) {
    const database = await (opening ??= open());
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(ITEMS, mode);
      const request = work(transaction.objectStore(ITEMS));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  // Returns the result of a step, or null if it is late; a late result goes to `late`.
  function step(mode, work, late = () => {}) {
    return new Promise((resolve) => {
      if (Date.now() < restsUntil) return resolve(null);
      let isLate = false;
      const fail = () => {
        opening = null;
        restsUntil = Date.now() + REST_MS;
        clearTimeout(timer);
        resolve(null);
      };
      const timer = setTimeout(() => ((isLate = true), fail()), STEP_MS);
      run(mode, work).then((result) => {
        clearTimeout(timer);
        if (!isLate) return resolve(result);
        restsUntil = 0;
        late(result);
      }, fail);
    });
  }

  return {
    /** Keeps an item; returns its number. */
    add: (item, late) => step("readwrite", (items) => items.add(item), late),
    put: (item) => step("readwrite", (items) => items.put(item)),
    remove: (number) => step("readwrite", (items) => items.delete(number)),
    /** Returns the numbers of all items, without reading their photos. */
    numbers: () => step("readonly", (items) => items.getAllKeys()),
    get: (number) => step("readonly", (items) => items.get(number)),
  };
}
