// A view of a collection: which items, which of their members, in which order, and a window that moves.
//
// The service makes it, and sends what changes in it. What is held is told by its numbers, so that a window which
// moves brings one delta: of what came and went with it, and of what changed meanwhile. While an answer about one
// window is on its way no other is asked about; then the newest is.

import { follow } from './livedelta.js'

const WINDOW_MAX = 1000 // rows, as the service has it

/** Milliseconds after which an answer about a window is not waited for: what it shows may be what is held already. */
const PATIENCE = 5000

/** Follows a view of a collection of the client at `url`; `setWindow` moves its window, and `reach` does ahead of need. */
export function view(url, { where = [], select = [], order = [], sections = [], window, ...options }) {
  let asked // the window that is asked about
  let held // the window of what is held
  let timer // until it ends an answer about a window is waited for
  const query = (since) => {
    const { start, count } = replica.snapshot.view ?? {}
    const was = since && held !== window && count >= 0 ? `at:${start}:${count}` : []
    if (asked !== window) {
      clearTimeout(timer)
      timer = setTimeout(move, PATIENCE)
    }
    asked = window
    return Object.entries({ where, select: String(select), order, sections, window: window ?? [], was })
      .flatMap(([name, values]) => [values].flat().map((value) => value && `&${name}=${encodeURIComponent(value)}`))
      .join('')
  }
  const replica = follow(url, { ...options, query })
  /** Asks about the window that is wanted, unless it is asked about already. */
  function move() {
    clearTimeout(timer)
    timer = undefined
    if (asked !== window) replica.dispatchEvent(new Event('again'))
  }
  replica.addEventListener('change', ({ detail }) => {
    if (!detail) return
    const { anchor } = replica.snapshot.view ?? {}
    // Once the item that the window is around is gone, the window is around its neighbor, which the service names.
    held = anchor === undefined ? asked : asked?.replace(/^around:.*(?=(:\d+){2}$)/s, () => `around:${anchor}`)
    if (window === asked) window = held
    asked = held
    move()
  })
  replica.setWindow = (next) => {
    window = next
    timer ?? move()
  }
  replica.reach = (first, count, direction) => {
    const held = replica.order.reduce((sum, id) => sum + replica.ids(id).length, 0)
    const { start = 0, total = held } = replica.snapshot.view ?? {}
    const end = start + held
    if ((first - count >= start || !start) && (first + 2 * count <= end || end >= total)) return
    const size = Math.min(WINDOW_MAX, 6 * count)
    const at = Math.min(first + (Math.sign(direction) - 2.5) * count, total - size)
    replica.setWindow(`at:${Math.max(0, at) | 0}:${size}`)
  }
  return replica
}
