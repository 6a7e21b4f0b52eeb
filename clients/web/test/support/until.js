/** Waits until a replica is as wanted; it is looked at whenever it changes, never after a while. */
export async function until(replica, isWanted) {
  while (!isWanted(replica)) {
    await new Promise((resolve) => replica.addEventListener('change', resolve, { once: true }))
  }
}

/** The next problem that a replica reports. */
export function nextProblem(replica) {
  return new Promise((resolve) => replica.addEventListener('problem', ({ detail }) => resolve(detail), { once: true }))
}

/** What JSON shows of a value. */
export const plain = (value) => JSON.parse(JSON.stringify(value))
