// Random edits of a list, most of which a service takes.

export class RandomEdits {
  static OPERATIONS = [
    'append', 'insert', 'upsert', 'merge', 'move', 'delete', 'reload', 'insertSection', 'moveSection', 'updateSection', 'deleteSection',
  ]
  #random
  #name
  #count = 0

  /** New ids begin with `name`. */
  constructor(random, name) {
    this.#random = random
    this.#name = name
  }

  /** One to three edits of sections as they are. */
  next(sections) {
    const edits = []
    for (let left = 1 + this.#random(3); left; left--) edits.push(this.#edit(sections))
    return edits
  }

  #pick(list) {
    return list[this.#random(list.length)]
  }

  #newItem() {
    return { id: `${this.#name}${this.#count++}`, title: `title ${this.#random(9)}` }
  }

  /** A place among entries: by their ids, by number, or at an end. */
  #place(entries) {
    const beside = this.#pick(entries)
    const kind = this.#random(beside ? 5 : 3)
    return [{ first: true }, { last: true }, { at: this.#random(entries.length + 1) }, { before: beside?.id }, { after: beside?.id }][kind]
  }

  #edit(sections) {
    const section = this.#pick(sections)
    const items = sections.flatMap(({ items }) => items)
    const [one, other] = [this.#pick(items), this.#pick(items)]
    const isRare = sections.length > 6
    let op = this.#pick(RandomEdits.OPERATIONS)
    if (!section || (op === 'deleteSection' && sections.length < 3)) op = 'insertSection'
    if (op === 'insertSection' && isRare) op = 'deleteSection'
    if (!one && ['merge', 'move', 'delete', 'reload'].includes(op)) op = 'append'
    const place = () => ({ section: section.id, ...this.#place(section.items) })
    switch (op) {
      case 'append': return { op, section: section.id, items: [this.#newItem(), this.#newItem()] }
      case 'insert': return { op, ...place(), items: [this.#newItem()] }
      case 'upsert': return { op, ...place(), items: [...(one ? [{ id: one.id, title: 'again' }] : []), this.#newItem()] }
      case 'merge': return { op, id: one.id, value: { title: this.#random(2) ? `title ${this.#random(9)}` : null, more: { n: this.#random(3) } } }
      case 'move': return { op, ids: one === other ? [one.id] : [one.id, other.id], ...(this.#random(2) ? { section: section.id, last: true } : place()) }
      case 'delete': return this.#random(2) ? { op, ids: [one.id] } : { op, ids: ['nobody', one.id], missing: 'ignore' }
      case 'reload': return { op, ids: [one.id] }
      case 'insertSection': return { op, id: `${this.#name}s${this.#count++}`, title: 'New', ...this.#place(sections), items: [this.#newItem()] }
      case 'moveSection': return { op, id: section.id, ...this.#place(sections.filter((other) => other !== section)) }
      case 'updateSection': return { op, id: section.id, value: { title: this.#random(2) ? `section ${this.#random(3)}` : null } }
      case 'deleteSection': return { op, id: section.id, ...(this.#random(2) && { missing: 'ignore' }) }
    }
  }
}
