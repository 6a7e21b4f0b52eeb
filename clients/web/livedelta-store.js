// Keeps snapshots in IndexedDB, to show them before the network answers and to follow on from them.

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})

async function open() {
  const request = indexedDB.open('livedelta')
  request.onupgradeneeded = () => request.result.createObjectStore('snapshots')
  return result(request)
}

let database

async function snapshots(mode) {
  database ??= open()
  return (await database).transaction('snapshots', mode).objectStore('snapshots')
}

/** The snapshot that was kept under this name, for the option `held`; undefined if there is none. */
export const load = async (name) => result((await snapshots('readonly')).get(name))

/**
 * Keeps what a replica holds, whenever that is another, at most once in `interval` milliseconds. Ends when
 * the replica is closed; throws what the browser refuses, or the replica.
 */
export async function keep(replica, name, interval = 1000) {
  for await (const snapshot of replica) {
    await result((await snapshots('readwrite')).put(snapshot, name))
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
}

/** Forgets what was kept under this name, as when somebody signs out. */
export const forget = async (name) => result((await snapshots('readwrite')).delete(name))
