// A collection with the edits of this device, which show at once and are on their way to the service.
//
// An edit is kept in `storage` until the service has taken or refused it, and is sent with one idempotency key as
// often as it takes: whatever is cut or killed meanwhile, it is carried out once.

import { Replica, failure } from './livedelta.js'
import { edited, send } from './livedelta-edits.js'

const isLeft = ({ taken }) => !taken

/** A replica of what `source` holds, with the edits of this device carried out; `url` is that of the collection. */
export class Outbox extends Replica {
  #entries // { key, edits, rests, sent, seq, taken }, in the order in which they were made

  constructor(source, url, options = {}) {
    super(options)
    const { storage = globalThis.localStorage, signal, token, id } = options
    const prefix = `livedelta-outbox ${url} `
    const keep = (entry) => (storage[prefix + entry.key] = JSON.stringify(entry))
    const tell = (problem, entry) => {
      const detail = failure(problem)
      this.dispatchEvent(new CustomEvent('problem', { detail }))
      entry?.reject?.(detail)
    }
    let isSending
    let wake

    /** Shows what the source holds. An edit that was taken is carried out here until the source has it. */
    const show = (change) => {
      const { snapshot, status, problem } = source
      const isOther = change?.reset || change?.kind === 'deleted'
      let { version, sections } = snapshot
      this.#entries = this.#entries.filter((entry) => isLeft(entry) || (entry.taken > snapshot.seq && !isOther))
      for (const { key, edits } of this.#entries) {
        try {
          sections = edited(sections, edits, id)
        } catch {
          // It does not fit any more: the service refuses it, or carried it out before others.
        }
        version &&= `${version}+${key}`
      }
      const isNext = change?.to === version && this.apply(change)
      this.publish(status, isNext || this.apply({ ...snapshot, kind: 'snapshot', version, sections }), problem)
    }

    /** Sends one entry after the other, until there is none. */
    const sendAll = async () => {
      let failures = 0
      let isStale // the token was refused
      if (isSending) return
      isSending = true
      for (let entry; !signal?.aborted && (entry = this.#entries.find(isLeft)); ) {
        const { version, seq } = source.snapshot
        const rests = this.#entries.findLast(({ taken }) => taken)?.version ?? version
        keep(Object.assign(entry, { sent: Date.now(), seq, ...entry, rests: entry.rests ?? rests }))
        const answer = await send(url, entry, token, isStale).catch((error) => error)
        const { status, code, current, wait } = answer
        // The service knows a key for 24 hours, and 1,000 writes to the collection.
        if (status === 412 && Date.now() - entry.sent < 23 * 3_600_000 && !(seq - entry.seq > 900)) entry.rests = current
        else if (status === 401 && !isStale) isStale = true
        else if (/^(,|5|4(01|08|25|29))|flight/.test([status, code])) {
          tell(answer)
          const span = Math.random() * Math.min(30_000, 250 * 2 ** failures++)
          await new Promise((resolve) => setTimeout((wake = resolve), Math.max(wait || 0, span)))
        } else {
          failures = isStale = 0
          // The service has taken it, or refused it: then it is taken back.
          delete storage[prefix + entry.key]
          const isTaken = status < 300
          if (isTaken) Object.assign(entry, { taken: answer.seq, version: answer.version })
          else this.#entries.splice(this.#entries.indexOf(entry), 1)
          show()
          if (isTaken) entry.resolve?.(answer)
          else tell({ ...answer, edits: entry.edits, ...(status === 412 && { code: 'outcome-unknown' }) }, entry)
        }
      }
      isSending = false
    }

    /** Carries out edits, all or none. The promise ends when the service has taken or refused them. */
    this.edit = async (...edits) => {
      if (this.snapshot.version) edited(this.snapshot.sections, edits, id)
      const made = Math.max(Date.now(), 1 + parseInt(this.#entries.at(-1)?.key ?? 0))
      const entry = { key: `${made}-${Math.random()}`, edits }
      keep(entry)
      this.#entries.push(entry)
      const outcome = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }))
      outcome.catch(() => {}) // the event `problem` tells it too
      show()
      sendAll()
      return outcome
    }

    const names = Object.keys(storage).filter((name) => name.startsWith(prefix))
    this.#entries = names.sort().map((name) => JSON.parse(storage[name]))
    source.addEventListener('change', ({ detail }) => show(detail))
    globalThis.addEventListener?.('online', () => wake?.())
    show()
    sendAll()
  }

  /** What the service has not taken yet: the edits of each call of `edit`. */
  get pending() {
    return this.#entries.filter(isLeft).map(({ edits }) => edits)
  }
}
