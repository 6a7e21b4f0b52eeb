// Several collections on one connection, which change together: a batch is never seen half.

import { Replica, feed } from './livedelta.js'

/** What the service takes of a URL, but for what stands around the versions. */
const LIST_MAX = 7000

/** Replicas that are asked about, and changed, as if they were one. */
class Replicas extends EventTarget {
  #replicas
  #since // the versions that are asked from, by name; '' where the whole content is asked for
  #isBroken = false // some did not take their parts of the last answer
  #changes = new Map()

  constructor(replicas) {
    super()
    this.#replicas = replicas
    this.#since = new Map(Array.from(replicas, ([name, { snapshot }]) => [name, snapshot.version]))
    this.addEventListener('problem', ({ detail }) => {
      replicas.forEach((replica) => replica.dispatchEvent(new CustomEvent('problem', { detail })))
    })
    replicas.forEach((replica) => replica.addEventListener('again', () => this.dispatchEvent(new Event('again'))))
  }

  get snapshot() {
    return { version: Array.from(this.#since, (entry) => entry.join(':')).join() }
  }

  /** The question about all of them. If no one did not take its part, `isWhole` means the contents of all. */
  ask(isWhole, wait, streams, headers) {
    if (isWhole && !this.#isBroken) this.#replicas.forEach((_, name) => this.#since.set(name, ''))
    this.#isBroken = false
    const { version } = this.snapshot
    if (streams && version.length <= LIST_MAX) return { path: 'sync', rest: `&missing=wait&collections=${version}` }
    headers['Content-Type'] = 'application/json'
    const body = JSON.stringify({ wait, collections: Object.fromEntries(this.#since) })
    return { path: 'sync', rest: '', method: 'POST', body, redirect: 'error' }
  }

  /** Gives an answer to all of them, before any listener runs. */
  apply({ kind, collections = {}, missing = kind === 'deleted' ? [...this.#replicas.keys()] : [] }) {
    const parts = new Map(Object.entries(collections))
    for (const name of missing) parts.set(name, { kind: 'deleted' })
    this.#isBroken = true
    for (const [name, part] of parts) {
      const replica = this.#replicas.get(name)
      this.#since.set(name, '')
      const change = replica.apply(part)
      if (change !== undefined) this.#since.set(name, replica.snapshot.version)
      this.#changes.set(name, change)
    }
    const changes = [...this.#changes.values()]
    this.#isBroken = changes.includes(undefined)
    if (this.#isBroken) return undefined
    return changes.some((change) => change) ? { snapshot: this.snapshot } : null
  }

  publish(status, _, problem) {
    const changes = this.#changes
    this.#changes = new Map()
    const isAnswer = /live|missing/.test(status)
    this.#replicas.forEach((replica, name) => {
      const own = replica.snapshot.version ? 'live' : 'missing'
      replica.publish(isAnswer ? own : status, changes.get(name), problem)
    })
  }
}

/**
 * Follows several collections of the client at `url` on one connection:
 * `followAll('https://host/v1/clients/u42', { collections: ['inbox', 'cart'] })` is `{ inbox, cart }`.
 */
export function followAll(url, { collections, held, ...options }) {
  const replicas = new Map(collections.map((name) => [name, new Replica({ ...options, held: held?.[name] })]))
  const all = new Replicas(replicas)
  const { wait = 25 } = options
  feed(url, all, { ...options, ask: (since, streams, headers) => all.ask(!since, wait, streams, headers) })
  return Object.fromEntries(replicas)
}
