// What an empty service offers: a command to copy, and an example that changes twice while one watches.

import { go } from './address.js'
import { at, complaint, copy } from './elements.js'
import { inboxes } from './inbox.js'
import { ask, collectionPath } from './service.js'

const NAMES = { client: 'u42', collection: 'inbox' }
const PAUSE_MILLISECONDS = 3000

const FIRST = `curl -X PUT ${location.origin}/v1/clients/u42/collections/inbox \\
  -H 'Content-Type: application/json' \\
  -d '{"items":[{"id":1,"title":"Milk"},{"id":2,"title":"Bread"}]}'`

/** Stores the versions one after the other; the page follows by itself, as any reader would. */
async function play() {
  at('example').disabled = true
  for (const [n, inbox] of inboxes.entries()) {
    const answer = await ask(collectionPath(NAMES.client, NAMES.collection), { method: 'PUT', body: JSON.stringify(inbox) })
    if (!answer.ok) {
      at('example-state').textContent = complaint(answer)
      break
    }
    if (n === 0) go(NAMES)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
  }
  at('example').disabled = false
}

export function startExample() {
  at('first').textContent = FIRST
  at('copy-first').onclick = () => copy(FIRST, at('example-state'))
  at('example').onclick = play
}
