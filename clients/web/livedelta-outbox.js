// A collection with the edits of this device, which show at once and are on their way to the service.
//
// An edit is kept in `storage` until the service has taken or refused it, and is sent with one idempotency key as
// often as it takes: whatever is cut or killed meanwhile, it is carried out once.

import { Replica, failure } from './livedelta.js'
import { edited, send } from './livedelta-edits.js'

/**
 * The codes of the service that refuse edits for good, wherever and whenever they are sent. Any other answer speaks of
 * the moment, of what stands between, or of how things are set up: the edits are sent again later.
 */
const FINAL = [
  'bad-json', 'bad-snapshot', 'body-too-large', 'collection-not-found', 'duplicate-id', 'edit-conflict', 'has-source',
  'idempotency-key-reuse', 'insufficient-scope', 'too-deep', 'too-many-items',
]

const isLeft = ({ taken }) => !taken

/** A replica of what `source` holds, with the edits of this device carried out; `url` is that of the collection. */
export class Outbox extends Replica {
  #entries // { key, edits, sent, seq, rests, taken }, in the order in which they were made

  constructor(source, url, options = {}) {
    super(options)
    const { storage = localStorage, signal, token, id } = options
    const prefix = `livedelta-edits ${url} `
    const keep = (entry) => (storage[prefix + entry.key] = JSON.stringify(entry))
    const tell = (problem, entry) => {
      const detail = failure(problem)
      this.dispatchEvent(new CustomEvent('problem', { detail }))
      entry?.reject?.(detail)
    }
    let calls = 0 // of `sendAll` since an entry was sent last; 0 if none is under way
    let wake // ends a pause
    let isOutdated // another version ends it as well

    /** Shows what the source holds. An edit that was taken is carried out here until the source has it. */
    const show = (change) => {
      const { snapshot, status, problem } = source
      const isOther = change?.reset || change?.kind === 'deleted'
      let { version, sections } = snapshot
      this.#entries = this.#entries.filter(({ taken }) => !taken || (taken.seq > snapshot.seq && !isOther))
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
      sendAll()
    }

    /** Sends one entry after the other, while the source is live, or its collection missing. */
    const sendAll = async () => {
      let failures = 0
      let isStale // the token was refused
      if (calls++) return isOutdated && wake?.()
      for (let entry; source.status > 'd' && !signal?.aborted && (entry = this.#entries.find(isLeft)); ) {
        const { version, seq = 0 } = this.#entries.findLast(({ taken }) => taken)?.taken ?? source.snapshot
        calls = 1
        Object.assign(entry, { sent: Date.now(), seq, rests: version, ...entry })
        // The service knows a key for 24 hours, here 22, and 1,000 writes to the collection: up to `version`, it knows this one.
        const isKnown = Date.now() - entry.sent < 80_000_000 && seq - entry.seq <= 900
        // Once it may be forgotten, only the first version tells that the entry was not carried out.
        const rests = isKnown ? version : entry.rests || 1
        const attempt = async () => keep(entry) && send(url, { ...entry, rests }, token, isStale)
        const answer = await attempt().catch((error) => error)
        const { status, code, wait } = answer
        isOutdated = isKnown && code === 'version-conflict'
        if (isOutdated && calls > 1) continue // it has another version
        if (status === 401 && !isStale) isStale = true
        else if (answer.seq || FINAL.includes(code) || (!isKnown && code === 'version-conflict')) {
          failures = isStale = 0
          // The service has taken it, or refused it: then it is taken back.
          delete storage[prefix + entry.key]
          entry.taken = answer
          show()
          if (answer.seq) entry.resolve?.(answer)
          else tell({ ...answer, edits: entry.edits, ...(!isKnown && status === 412 && { code: 'outcome-unknown' }) }, entry)
        } else {
          if (isOutdated) source.dispatchEvent(new Event('again'))
          else tell(answer)
          const span = ~~wait + Math.random() * Math.min(30_000, 250 * 2 ** failures++)
          await new Promise((resolve) => setTimeout((wake = resolve), span))
        }
      }
      calls = 0
    }

    /** Carries out edits, all or none. The promise ends when the service has taken or refused them. */
    this.edit = (...edits) => {
      const outcome = new Promise((resolve, reject) => {
        if (this.snapshot.version) edited(this.snapshot.sections, edits, id)
        const made = Math.max(Date.now(), 1 + parseInt(this.#entries.at(-1)?.key ?? 0))
        const entry = { key: `${made}-${Math.random()}`, edits, resolve, reject }
        keep(entry)
        this.#entries.push(entry)
        queueMicrotask(() => outcome.catch(() => {})) // the event `problem` tells it too
        show()
      })
      return outcome
    }

    const names = Object.keys(storage).filter((name) => name.startsWith(prefix))
    this.#entries = names.sort().flatMap((name) => {
      const text = storage[name]
      try {
        const entry = JSON.parse(text)
        return [{ key: name.slice(prefix.length), ...entry, edits: [...entry.edits] }]
      } catch (error) {
        delete storage[name] // it cannot be read, and the others can
        queueMicrotask(() => tell({ code: 'damaged', text, detail: error.message }))
        return []
      }
    })
    source.addEventListener('change', ({ detail }) => show(detail))
    globalThis.addEventListener?.('online', () => wake?.())
    show()
  }

  /** What the service has not taken yet: the edits of each call of `edit`. */
  get pending() {
    return this.#entries.filter(isLeft).map(({ edits }) => edits)
  }
}
