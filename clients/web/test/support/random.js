// Random versions of a list, from a seed.

export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

/** Numbers from 0 to below `n` (mulberry32). */
export function generator(seed) {
  let state = seed
  return (n) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % n
  }
}

/** Ids that an object of JavaScript has by itself, and others that are easily got wrong. */
const NASTY = ['__proto__', 'constructor', 'toString', 'länge', '😀', 'a"b', 'a b', '0', 'x#2', '<b>']

/**
 * Ids at the edges: integers around those that numbers hold exactly, which `written` writes as integers; letters
 * that are one character or two, and look the same; the longest.
 */
const EDGES = [
  ...['9007199254740991', '9007199254740992', '9007199254740993', '9007199254740994'].flatMap((n) => [`int:${n}`, `int:-${n}`]),
  'int:-0', 'int:100000000000000000000000', 'é', 'e\u0301', 'é'.repeat(128), 'x'.repeat(256),
]

/** JSON, in which an id `int:7` is the integer 7. */
export const written = (value) => JSON.stringify(value).replace(/"id":"int:(-?\d+)"/g, '"id":$1')

/** The value of a JSON text, in which ids that are integers of 16 digits and more, or -0, are texts. */
export const read = (text) => JSON.parse(text.replace(/"id":(-0|-?\d{16,})(?=[,}])/g, '"id":"$1"'))

/** A list that changes: snapshots as a writer PUTs them. */
export class RandomList {
  #random
  #nextItem = 0
  #nextSection = 0
  #past = []
  sections = []
  meta

  constructor(random) {
    this.#random = random
  }

  /** The next version: a few changes, sometimes none, everything, or an earlier version again. */
  next() {
    const random = this.#random
    if (this.#past.length && random(20) === 0) this.#revert()
    else if (random(40) === 0) this.#shuffle()
    else for (let left = random(6) + 1; left; left--) this.#change()
    const snapshot = structuredClone({ sections: this.sections, meta: this.meta })
    this.#past.push(JSON.stringify(snapshot))
    return snapshot
  }

  #pick(list) {
    return list[this.#random(list.length)]
  }

  #newID(n) {
    if (n < 2 * NASTY.length) return n % 2 ? NASTY[n >> 1] : EDGES[n >> 1]
    if (n < NASTY.length + EDGES.length) return EDGES[n - NASTY.length]
    return this.#random(4) ? `id ${n}` : n + 1000
  }

  /** The same id in its other form: an integer as a text, or a text as an integer. */
  #otherForm(id) {
    const text = String(id).replace(/^int:/, '')
    if (!/^(0|-?[1-9]\d{0,30}|-0)$/.test(text)) return id
    return String(id) === text && typeof id === 'string' ? `int:${text}` : text
  }

  /** Of few contents, so that many items have the same; `key` is the text of the id. */
  #item(id) {
    const key = String(id).replace(/^int:/, '')
    return { id, key, title: `title ${this.#random(3)}`, more: JSON.parse(`{"__proto__":[${this.#random(2)}]}`) }
  }

  #section() {
    return { id: this.#newID(this.#nextSection++), items: [] }
  }

  #change() {
    const random = this.#random
    const section = this.#pick(this.sections)
    const filled = this.#pick(this.sections.filter(({ items }) => items.length))
    const kind = section ? random(12) : 10
    const insert = (list, element) => list.splice(random(list.length + 1), 0, element)
    const take = (list) => list.splice(random(list.length), 1)[0]
    if (kind < 3) insert(section.items, this.#item(this.#newID(this.#nextItem++)))
    else if (kind < 5 && filled) take(filled.items)
    else if (kind < 7 && filled) insert(section.items, take(filled.items))
    else if (kind < 9 && filled) this.#reload(filled.items)
    else if (kind === 9) section.title = `section ${random(3)}`
    else if (kind === 10 && this.sections.length < 8) insert(this.sections, this.#section())
    else if (kind === 11) this.#changeSections()
  }

  #reload(items) {
    const at = this.#random(items.length)
    const { id } = items[at]
    items[at] = this.#item(this.#random(4) ? id : this.#otherForm(id))
  }

  #changeSections() {
    const random = this.#random
    const at = random(this.sections.length)
    const [section] = this.sections.splice(at, 1)
    if (random(3)) this.sections.splice(random(this.sections.length + 1), 0, section)
    if (random(4) === 0) this.meta = random(3) ? { n: random(5) } : undefined
  }

  #revert() {
    Object.assign(this, { meta: undefined }, JSON.parse(this.#pick(this.#past)))
  }

  #shuffle() {
    const all = this.sections.flatMap(({ items }) => items)
    for (const section of this.sections) section.items = []
    for (const item of all) {
      const { items } = this.#pick(this.sections)
      items.splice(this.#random(items.length + 1), 0, item)
    }
  }
}
