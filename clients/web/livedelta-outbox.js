// A collection with the edits of this device, which show at once and are on their way to the service.
//
// An edit is kept in `storage` until the service has taken or refused it, and is sent with one idempotency key as
// often as it takes: whatever is cut or killed meanwhile, it is carried out once.

import { Replica, failure } from './livedelta.js'
import { edited } from './livedelta-edits.js'

// How long the service knows a key: for 24 hours, and 1,000 writes to the collection.
const KNOWN_MILLISECONDS = 23 * 3_600_000
const KNOWN_WRITES = 900

/** A replica of what `source` holds, with the edits of this device carried out; `url` is that of the collection. */
export class Outbox extends Replica {
  #source
  #url
  #options
  #name
  #entries // { key, edits, rests, sent, seq, taken }, in the order in which they were made
  #isSending
  #wake = () => {}

  constructor(source, url, options) {
    super(options)
    this.#source = source
    this.#url = url
    this.#options = { storage: globalThis.localStorage, ...options }
    this.#name = `livedelta-outbox ${url} `
    const { storage } = this.#options
    const names = Object.keys(storage).filter((name) => name.startsWith(this.#name))
    this.#entries = names.sort().map((name) => JSON.parse(storage[name]))
    source.addEventListener('change', ({ detail }) => this.#show(detail))
    globalThis.addEventListener?.('online', () => this.#wake())
    this.#show()
    this.#send()
  }

  /** What the service has not taken yet: the edits of each call of `edit`. */
  get pending() {
    return this.#entries.filter(({ taken }) => !taken).map(({ edits }) => edits)
  }

  /** Carries out edits, all or none. The promise ends when the service has taken or refused them. */
  async edit(...edits) {
    const { version, sections } = this.snapshot
    if (version) edited(sections, edits, this.#options.id)
    const made = Math.max(Date.now(), 1 + parseInt(this.#entries.at(-1)?.key ?? 0))
    const entry = { key: `${made}-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`, edits }
    this.#keep(entry)
    this.#entries.push(entry)
    const outcome = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }))
    outcome.catch(() => {}) // the event `problem` tells it too
    this.#show()
    this.#send()
    return outcome
  }

  #keep(entry) {
    this.#options.storage[this.#name + entry.key] = JSON.stringify(entry)
  }

  /** Shows what the source holds. An edit that was taken is carried out here until the source has it. */
  #show(change) {
    const { snapshot, status, problem } = this.#source
    const isOther = change?.reset || change?.kind === 'deleted'
    this.#entries = this.#entries.filter(({ taken }) => !taken || (taken > snapshot.seq && !isOther))
    let { version, sections } = snapshot
    for (const { key, edits } of this.#entries) {
      try {
        sections = edited(sections, edits, this.#options.id)
      } catch {
        // It does not fit any more: the service refuses it, or carried it out before others.
      }
      version &&= `${version}+${key}`
    }
    const isNext = change?.to === version && this.apply({ ...change })
    this.publish(status, isNext || this.apply({ ...snapshot, kind: 'snapshot', version, sections }), problem)
  }

  /** Sends one entry after the other, until there is none. */
  async #send() {
    const { signal, token } = this.#options
    let failures = 0
    let isStale // the token was refused
    if (this.#isSending) return
    this.#isSending = true
    for (let entry; !signal?.aborted && (entry = this.#entries.find(({ taken }) => !taken)); ) {
      const { version, seq } = this.#source.snapshot
      entry.rests ??= this.#entries.findLast(({ taken }) => taken)?.version ?? version
      entry.sent ??= Date.now()
      entry.seq ??= seq
      this.#keep(entry)
      const answer = await this.#ask(entry, isStale).catch((error) => error)
      const { status, code, current, wait } = answer
      const isKnown = Date.now() - entry.sent < KNOWN_MILLISECONDS && !(seq - entry.seq > KNOWN_WRITES)
      if (status === 412 && isKnown) entry.rests = current
      else if (status === 401 && !isStale) isStale = true
      else if (!status || status > 499 || /4(01|08|25|29)/.test(status) || code === 'idempotency-in-flight') {
        this.#tell(answer)
        const span = Math.random() * Math.min(30_000, 250 * 2 ** failures++)
        await new Promise((resolve) => setTimeout((this.#wake = resolve), Math.max(wait || 0, span)))
      } else {
        failures = isStale = 0
        this.#end(entry, status === 412 ? { ...answer, code: 'outcome-unknown' } : answer)
      }
    }
    this.#isSending = false
  }

  async #ask({ key, edits, rests }, isStale) {
    const secret = await this.#options.token?.(isStale)
    const headers = { 'Content-Type': 'application/vnd.livedelta.edits+json', 'Idempotency-Key': key }
    if (rests) headers['If-Match'] = `"${rests}"`
    if (secret) headers.Authorization = `Bearer ${secret}`
    const init = { method: 'PATCH', headers, body: JSON.stringify({ edits }), signal: AbortSignal.timeout(30_000) }
    const response = await fetch(this.#url, init)
    const answer = await response.json().catch(() => {}) // not every proxy says it in JSON
    return { ...answer, status: response.status, wait: response.headers.get('Retry-After') * 1000 }
  }

  /** The service has taken an entry, or refused it: then it is taken back. */
  #end(entry, answer) {
    delete this.#options.storage[this.#name + entry.key]
    const isTaken = answer.status < 300
    if (isTaken) Object.assign(entry, { taken: answer.seq, version: answer.version })
    else this.#entries.splice(this.#entries.indexOf(entry), 1)
    this.#show()
    if (isTaken) return entry.resolve?.(answer)
    const problem = this.#tell({ ...answer, edits: entry.edits })
    entry.reject?.(problem)
  }

  #tell(problem) {
    const detail = failure(problem)
    this.dispatchEvent(new CustomEvent('problem', { detail }))
    return detail
  }
}
