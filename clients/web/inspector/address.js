// What is looked at, as the page's address says: a link to it shows the same.

const events = new EventTarget()

const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)))

/** `client`, `collection`, `from`, `to`, `dialect`; those that are not set are undefined. */
export let address = read()

/** Goes to another place; null leaves a member out. */
export function go(changes) {
  const members = Object.entries({ ...address, ...changes }).filter(([, value]) => value)
  location.hash = new URLSearchParams(members)
}

/** Has `action` called with the new address and the one before. */
export function onMove(action) {
  events.addEventListener('move', ({ detail }) => action(address, detail))
}

addEventListener('hashchange', () => {
  const old = address
  address = read()
  events.dispatchEvent(new CustomEvent('move', { detail: old }))
})
