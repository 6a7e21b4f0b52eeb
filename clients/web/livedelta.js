// LiveDelta in the browser: follows collections of a service and keeps an exact replica of each.
//
// A `Replica` applies a delta only to the version that it starts from. What does not fit is dropped,
// and the whole content is asked for next: a replica may be late, it is never wrong. A feed asks for it:
// by a stream where one gets through, else by long polls.

/** What is held before the first answer, and after the collection was deleted. */
const NOTHING = { kind: 'snapshot', version: '', sections: [] }
const MISSING = 'collection-not-found'
const GONE = { kind: 'deleted' }

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
const isObject = (value) => value instanceof Object && !Array.isArray(value)
/** The error that tells of a problem. */
export const failure = (problem) => Object.assign(new Error(problem.message ?? problem.detail ?? problem.code ?? problem.status), problem)

/**
 * Parses an answer. An `id` that a number may not hold exactly (beyond 2^53, or `-0`) becomes its text: ids are
 * compared as texts, and `7` and `"7"` are the same.
 */
export const parse = (text) =>
  JSON.parse(text.replace(/([{,]\s*"id"\s*:\s*)(-0|-?(9\d{15}|\d{17,}))(?=\s*[,}])/g, '$1"$2"'))

/** Applies a merge patch (RFC 7396). In a Map, because `__proto__` is a name like any other in JSON. */
export function merge(old, patch) {
  if (!isObject(patch)) return patch
  const members = new Map(isObject(old) ? Object.entries(old) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, merge(members.get(name), value))
  }
  return Object.fromEntries(members)
}

/** The item that an entry of a delta's `items` means. */
function decode(entry, held) {
  const [name, second] = Object.keys(entry)
  if (second) return entry
  return name === '~patch' ? merge(held, entry[name]) : name === '~item' ? entry[name] : entry
}

/** One collection: immutable snapshots, in which what did not change is the same object as before. */
export class Replica extends EventTarget {
  snapshot = NOTHING
  status = 'connecting'
  problem
  #id
  #sections = new Map() // id -> { ids, section }: the ids of its items, and what the snapshot has; in order
  #items = new Map()

  constructor({ id = (item) => item.id, held } = {}) {
    super()
    this.#id = id
    try {
      this.apply(held)
    } catch {
      // There is none, or none that can be held: all is asked for.
    }
  }

  item(id) {
    return this.#items.get(String(id))
  }

  ids(section = '') {
    return this.#sections.get(section)?.ids ?? []
  }

  /** The ids of the sections, in order. */
  get order() {
    return [...this.#sections.keys()]
  }

  /**
   * Takes an answer of the service. Returns the change, for `publish`; null if there is none; undefined
   * if the answer does not follow from what is held, which then stays as it is.
   */
  apply(answer) {
    const previous = this.snapshot
    const { kind, reset, ...members } = answer.kind === 'deleted' ? NOTHING : answer
    const { from, to, version = to, seq, meta = previous.meta, view = previous.view } = members
    const isDelta = kind === 'delta'
    const isSame = kind === 'unchanged' && seq > previous.seq // a later version of which a view shows the same
    if (version === previous.version && (kind === 'unchanged' || !version)) return null
    const sections = isDelta
      ? from === previous.version && this.#splice(members)
      : isSame ? previous.sections : this.#read(members.sections)
    if (!sections) return
    this.snapshot = isDelta || isSame
      ? { ...previous, version, seq, meta: meta ?? undefined, view, sections }
      : { kind, ...members, sections }
    return { ...answer, snapshot: this.snapshot, previous }
  }

  /** Tells the listeners, and the loops, of a change or of another status. */
  publish(status, change, problem) {
    if (!change && status === this.status) return
    this.status = status
    this.problem = problem
    this.dispatchEvent(new CustomEvent('change', { detail: change }))
  }

  /** The newest snapshot each time round; those that came while the loop was busy are passed over. */
  async *[Symbol.asyncIterator]() {
    let seen = NOTHING
    for (;;) {
      if (this.snapshot !== seen) yield (seen = this.snapshot)
      else if (this.status !== 'closed') {
        await new Promise((resolve) => this.addEventListener('change', resolve, { once: true }))
      } else if (this.problem) throw this.problem
      else return
    }
  }

  /** Carries out a delta and returns the sections; nothing if it does not fit what is held. */
  #splice({ order, removed, added, changed, deleted, left = [], items, sections }) {
    const contents = new Map(Object.entries(items)) // an object would find `constructor` in any delta
    const gone = new Set(removed)
    const fresh = new Set()
    const lists = new Map(order.map((id) => [id, this.ids(id).filter((item) => !gone.has(item))]))
    const isHere = (id) => fresh.has(id) || (this.#items.has(id) && !gone.has(id))
    for (const [section, at, id] of added) {
      const list = lists.get(section)
      // What arrives was taken out, or is new; each once.
      if (!(at <= list?.length) || isHere(id)) return
      list.splice(at, 0, id)
      if (!gone.delete(id)) fresh.add(id)
    }
    const isWhole = this.#items.size + fresh.size - deleted.length - left.length === [...lists.values()].flat().length
    const isFilled = [...changed, ...fresh].every((id) => contents.has(id)) && [...contents.keys()].every(isHere)
    return isWhole && isFilled && this.#commit(lists, contents, new Map(Object.entries(sections)), gone)
  }

  /** Takes whole sections. Of sections or items with the same id the k-th is `id#k`, as in the service. */
  #read(sections) {
    const contents = new Map()
    const headers = new Map()
    const lists = new Map()
    const enter = (map, value, name, id = String(name), count = 1) => {
      const isExact = name === id || (Number.isSafeInteger(name) && Object.is(name, +id))
      if (!isExact) throw failure({ code: 'inexact-id', detail: id }) // rounded, it may be another's
      while (map.has(id)) id = name + '#' + ++count
      map.set(id, value)
      return id
    }
    for (const { items, ...header } of sections) {
      // A section of a flat list, or made by `sectionBy`, has its id in `id`, wherever those of items are.
      lists.set(
        enter(headers, header, header.id === '' ? '' : this.#id(header) ?? header.id),
        items.map((item) => enter(contents, item, this.#id(item))),
      )
    }
    return this.#commit(lists, contents, headers, [...this.#items.keys()].filter((id) => !contents.has(id)))
  }

  /** Makes it so; what is equal to what was held stays the same object. */
  #commit(lists, contents, headers, gone) {
    gone.forEach((id) => this.#items.delete(id))
    for (const [id, entry] of contents) {
      const held = this.#items.get(id)
      const item = decode(entry, held)
      if (!same(item, held)) this.#items.set(id, item)
    }
    const sections = Array.from(lists, ([id, ids]) => {
      const held = this.#sections.get(id)
      const section = { ...(headers.get(id) ?? held.section), items: 0 }
      const isSame = held?.ids.length === ids.length && same(section, { ...held.section, items: 0 })
      section.items = ids.map((item) => this.#items.get(item))
      return [id, isSame && section.items.every((item, at) => item === held.section.items[at]) ? held : { ids, section }]
    })
    this.#sections = new Map(sections)
    return sections.map(([, { section }]) => section)
  }
}

/**
 * The server-sent events of a body (WHATWG HTML 9.2) as they come, each by its fields, whatever a proxy has made of
 * them. An event that is cut off is dropped.
 */
export async function* events(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let event = {}
  let isHalf // the last piece ended with a CR, whose LF may come yet
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    rest += isHalf ? value.replace(/^\n/, '') : value
    isHalf = /\r$/.test(value)
    if (!/[\r\n]/.test(value)) continue // a long line is looked at when it is whole
    const lines = rest.split(/\r\n|[\r\n]/)
    rest = lines.pop()
    for (const line of lines) {
      const [name, text = ''] = line.split(/: ?(.*)/s)
      if (!line) {
        yield event
        event = {}
        // An id with NUL is none, nor is a pause that is no number.
      } else if (!/^id.*\0|^retry(?!: ?\d+$)/s.test(line)) {
        event[name] = name === 'data' && name in event ? event.data + '\n' + text : text
      }
    }
  }
}

/**
 * Asks the service about a replica, until `signal` or a refusal for good ends it. Each time round is one question.
 *
 * `query` gives more parameters of it; `ask` makes another one, for what has the members of a replica.
 */
export async function feed(
  url,
  replica,
  {
    collection, token, signal = new AbortController().signal, stream = true, wait = 25, firstByte = 5000, silence = 40_000,
    query = () => '',
    ask = (since, streams) => ({
      path: `collections/${collection}/delta`,
      rest: `&since=${since}${query(since)}${streams ? '' : `&missing=wait&wait=${wait}`}`, // a stream waits anyway
    }),
  },
) {
  const tell = (detail) => replica.dispatchEvent(new CustomEvent('problem', { detail }))
  const giveUp = (code) => request.abort(failure({ code }))
  let isWhole // the whole content is asked for next
  let request // aborted when it, or the pause after it, is over
  // Where a stream cannot be read, as in React Native, and after one of which not a byte came: long polls.
  const canStream = stream && globalThis.TextDecoderStream
  let streams = canStream
  let heardAt // when the last byte came, or the question went out; NaN before
  let isSilent // not a byte came yet
  let isStale // the token was refused, or has expired
  let retry = 1000 // base of the pauses, in milliseconds; the service draws one for each stream
  let floor // of the next pause, in milliseconds
  let failures = 0 // in a row
  let isNews // the question brought something
  let turns = 0 // questions in a row that were asked at once and brought nothing
  const seen = new Set() // versions that were held lately
  let problem // why it is over

  /** One question, and what comes of its answers: those of a stream, or that of a long poll. */
  async function question() {
    const secret = await token?.(isStale)
    const headers = secret ? { Authorization: `Bearer ${secret}` } : {}
    const { path, rest, ...more } = ask(isWhole ? '' : replica.snapshot.version, streams, headers)
    streams &&= !more.body
    if (streams) headers.Accept = 'text/event-stream'
    const init = { headers, cache: 'no-store', signal: request.signal, ...more }
    heardAt = Date.now()
    const response = await fetch(`${url}/${path}?dialect=splice&items=patch${rest}`, init)
    if (!response.ok) {
      const refusal = await response.json().catch(() => {}) // not every proxy says it in JSON
      throw failure({ ...refusal, status: response.status, retryAfter: response.headers.get('Retry-After') })
    }
    const heard = () => (isSilent = !(heardAt = Date.now()))
    for await (const event of streams ? events(response.body, heard) : [{ data: await response.text() }]) {
      const value = parse(event.data || '{}')
      const { code, kind, reason } = value
      retry = +event.retry || retry
      if (reason || (code && code !== MISSING)) throw failure({ code: reason, ...value })
      if (code || kind) take(code ? GONE : value)
    }
    if (streams) throw failure({ code: 'cut' })
  }

  function take(answer) {
    isWhole = true
    const change = replica.apply(answer)
    isStale = false
    isWhole = change === undefined
    replica.publish(replica.snapshot.version ? 'live' : 'missing', change)
    if (isWhole) throw failure({ code: 'mismatch' })
    if (seen.size > 99) seen.clear()
    if (change && seen.size < seen.add(change.snapshot.version).size) isNews = true
  }

  /** Sees to what went wrong; true when the next question is another one, which can be asked at once. */
  function remedy(error) {
    const { status, code, retryAfter } = error
    if (/again|rotate/.test(code)) return true
    if (/401|expired/.test([status, code]) && !isStale) return (isStale = true)
    if (streams && ((code === 'silence' && isSilent) || /4[13][134]/.test(status))) return !(streams = false)
    tell(error)
    if (code === 'bad-token') isWhole = true
    // What the same question meets again, whenever it is asked.
    else if (/4(0[01356]|2[12]|[13][134])|inexact/.test(status ?? code)) return (problem = error)
    if (!status) streams = canStream // it was not for the stream that nothing came
    floor = retryAfter > 0 && Math.min(3600, retryAfter) * 1000
    if (code === MISSING) take(GONE)
    else replica.publish('connecting')
  }

  const restart = () => giveUp('again', seen.clear())

  signal.addEventListener('abort', restart)
  replica.addEventListener('again', restart, { signal })
  globalThis.addEventListener?.('online', restart, { signal })
  // The page is seen again: a line that was silent for long may be dead.
  globalThis.addEventListener?.('visibilitychange', () => document.hidden || Date.now() - heardAt < 20_000 || restart(), { signal })
  while (!signal.aborted && !problem) {
    const asked = Date.now()
    request = new AbortController()
    // A request is given up that brings nothing, also after the clock was set.
    const watch = setInterval(() => {
      if (Math.abs(Date.now() - heardAt) > (isSilent && streams ? firstByte : silence)) giveUp('silence')
    }, firstByte / 5)
    isNews = false
    let isMended = false
    let broke = false
    isSilent = true
    heardAt = NaN
    floor = 0
    try {
      await question()
    } catch (error) {
      isMended = remedy(request.signal.reason ?? error)
      broke = !isMended
    }
    clearInterval(watch)
    giveUp('again')
    // What broke off, or brought nothing in no time, is a failure. So is the tenth of the questions that were asked at once.
    if (isNews) turns = 0
    failures = isNews || Date.now() - asked > 1000 || (isMended && turns++ < 9) ? broke : failures + 1
    if (failures === 4) tell(failure({ code: 'loop' })) // as between two caches
    if (failures) await new Promise((resolve) => {
      request = new AbortController()
      const timer = setTimeout(resolve, floor + Math.random() * Math.min(30_000, retry * 2 ** (failures - 1)))
      request.signal.onabort = () => resolve(clearTimeout(timer))
    })
  }
  replica.publish('closed', null, problem)
}

/** Follows a collection of the client at `url`: `follow('https://host/v1/clients/u42', { collection: 'inbox' })`. */
export function follow(url, options) {
  const replica = new Replica(options)
  feed(url, replica, options)
  return replica
}
