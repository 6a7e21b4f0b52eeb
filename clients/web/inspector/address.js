// What is looked at, as the page's address says: a link to it shows the same.

const events = new EventTarget()

const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)))

/** `client`, `collection`, `from`, `to`, and `where`, `order`, `select`, `window` of a view; those that are not set are undefined. */
export let address = read()

/** Goes to another place and returns true; null leaves a member out. `isPassing`: the way back leads past it. */
export function go(changes, isPassing = false) {
  // What is seen of one list says nothing of another.
  const isOther = 'collection' in changes && changes.collection !== address.collection
  const kept = isOther ? { client: address.client } : address
  const members = Object.entries({ ...kept, ...changes }).filter(([, value]) => value)
  const hash = `#${new URLSearchParams(members)}`
  if (isPassing) location.replace(hash)
  else location.hash = hash
  return true
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
