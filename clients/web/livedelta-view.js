// A view of a collection: which items, which of their members, in which order, and a window that moves.
//
// The service makes it, and sends what changes in it. What is held is told by its numbers, so that a window which
// moves brings one delta: of what came and went with it, and of what changed meanwhile.

import { follow } from './livedelta.js'

/** Follows a view of a collection of the client at `url`; `setWindow` moves its window. */
export function view(url, { where = [], select = [], order = [], sections = [], window, ...options }) {
  let asked
  let held // the window of what is held
  const query = (since) => {
    const { start, count } = replica.snapshot.view ?? {}
    const was = since && held !== window && count >= 0 ? `at:${start}:${count}` : []
    asked = window
    return Object.entries({ where, select: String(select), order, sections, window: window ?? [], was })
      .flatMap(([name, values]) => [values].flat().map((value) => value && `&${name}=${encodeURIComponent(value)}`))
      .join('')
  }
  const replica = follow(url, { ...options, query })
  replica.addEventListener('change', ({ detail }) => detail && (held = asked))
  replica.setWindow = (next) => {
    window = next
    replica.dispatchEvent(new Event('again'))
  }
  return replica
}
