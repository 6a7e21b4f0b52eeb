// A tree of rows of which only those in view have elements: 20,000 scroll as 20 do.
//
// Heights follow from what a row shows, so that nothing is measured. Elements are kept by the keys of
// their rows; where a change moves one, it glides there from where it was.

import { h } from './elements.js'
import { detailOf, titleOf } from './rows.js'
import { KINDS } from './words.js'

const CLOSED = 40
const LINE = 18
const PADDING = 16
const TIMING = { duration: 500, easing: 'cubic-bezier(.3, 0, .1, 1)' }

export class List {
  #scroller
  #space = h('div', { className: 'space', role: 'none' })
  #rows = []
  #tops = [0]
  #places = new Map() // key -> index
  #marks = new Map() // key -> what the change did to it
  #open = new Set() // keys of the rows that show their JSON
  #nodes = new Map() // key -> element, of the rows in view
  #active
  #turn = -1 // which of the marked rows was jumped to last

  constructor(scroller) {
    this.#scroller = scroller
    scroller.append(this.#space)
    scroller.addEventListener('scroll', () => this.#render())
    scroller.addEventListener('keydown', (event) => this.#press(event))
    scroller.addEventListener('click', ({ target }) => this.#click(target.closest?.('[role=treeitem]')))
    new ResizeObserver(() => this.#render()).observe(scroller)
  }

  /** The keys that the last change marked, from top to bottom. */
  get marked() {
    return this.#rows.filter(({ key }) => this.#marks.has(key)).map(({ key }) => key)
  }

  /** Brings the next marked row into view, or with -1 the one before. */
  step(by) {
    const { marked } = this
    if (!marked.length) return
    this.#turn = (this.#turn + by + marked.length) % marked.length
    this.jump(marked[this.#turn])
    this.#scroller.focus()
  }

  /** Shows other rows; `marks` says what became of which, by their keys. */
  show(rows, marks = new Map(), animate = marks.size > 0) {
    const { scrollTop } = this.#scroller
    const old = new Map(this.#rows.map(({ key }, at) => [key, this.#tops[at] - scrollTop]))
    const anchor = scrollTop > 0 && this.#rows.slice(this.#at(scrollTop)).find(({ key }) => !marks.has(key))
    this.#rows = rows
    this.#marks = marks
    this.#turn = -1
    this.#measure()
    const ghosts = [...this.#nodes].filter(([key]) => !this.#places.has(key))
    if (anchor && this.#places.has(anchor.key)) {
      this.#scroller.scrollTop = this.#tops[this.#places.get(anchor.key)] - old.get(anchor.key)
    }
    for (const [key] of ghosts) this.#nodes.delete(key)
    this.#render(true)
    if (animate && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.#animate(old, ghosts)
    else for (const [, node] of ghosts) node.remove()
  }

  /** Brings a row into view and makes it the active one. */
  jump(key) {
    if (!this.#places.has(key)) return
    this.#active = key
    this.reveal(key)
  }

  /** Brings a row into view, unless it is there. */
  reveal(key) {
    const at = this.#places.get(key)
    if (at === undefined) return
    const { scrollTop, clientHeight } = this.#scroller
    const [top, bottom] = [this.#tops[at], this.#tops[at + 1]]
    if (top < scrollTop || bottom > scrollTop + clientHeight) {
      this.#scroller.scrollTop = top - Math.max(0, (clientHeight - (bottom - top)) / 2)
    }
    this.#render()
  }

  #measure() {
    this.#places = new Map(this.#rows.map(({ key }, at) => [key, at]))
    this.#tops = [0]
    for (const row of this.#rows) this.#tops.push(this.#tops.at(-1) + this.#height(row))
    this.#space.style.height = `${this.#tops.at(-1)}px`
  }

  #height({ key, value }) {
    return CLOSED + (this.#open.has(key) ? JSON.stringify(value, null, 2).split('\n').length * LINE + PADDING : 0)
  }

  /** The index of the row at a height. */
  #at(y) {
    let [low, high] = [0, this.#rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#tops[middle + 1] > y) high = middle
      else low = middle + 1
    }
    return low
  }

  #render(isOther) {
    const { scrollTop, clientHeight } = this.#scroller
    const rows = this.#rows.slice(this.#at(scrollTop - 200), this.#at(scrollTop + clientHeight + 200) + 1)
    const keys = new Set(rows.map(({ key }) => key))
    for (const [key, node] of this.#nodes) {
      if (keys.has(key)) continue
      node.remove()
      this.#nodes.delete(key)
    }
    let previous = null
    for (const row of rows) {
      const held = this.#nodes.get(row.key)
      const node = held ?? h('div', { role: 'treeitem', id: `row-${encodeURIComponent(row.key)}` })
      if (!held || isOther) this.#draw(node, row)
      node.ariaSelected = String(row.key === this.#active)
      this.#nodes.set(row.key, node)
      const next = previous ? previous.nextSibling : this.#space.firstChild
      if (node !== next) this.#space.insertBefore(node, next)
      previous = node
    }
    const active = this.#nodes.get(this.#active)
    if (active) this.#scroller.setAttribute('aria-activedescendant', active.id)
    else this.#scroller.removeAttribute('aria-activedescendant')
  }

  #draw(node, row) {
    const { key, level, id, value, note } = row
    const at = this.#places.get(key)
    const mark = this.#marks.get(key)
    const isOpen = this.#open.has(key)
    node.className = ['row', level === 1 ? 'section' : 'item', mark].filter(Boolean).join(' ')
    node.style.top = `${this.#tops[at]}px`
    node.style.height = `${this.#tops[at + 1] - this.#tops[at]}px`
    node.ariaLevel = level
    node.ariaExpanded = String(isOpen)
    node.ariaPosInSet = at + 1
    node.ariaSetSize = this.#rows.length
    const title = titleOf(value, id)
    const span = (className, textContent) => (textContent ? [h('span', { className, textContent })] : [])
    node.replaceChildren(h('div', { className: 'line' },
      h('span', { className: 'sign', ariaHidden: 'true' }),
      ...span('title', title),
      ...span('note', note),
      ...span('detail', level === 1 ? '' : detailOf(value, title)),
      ...span('badge', KINDS[mark]),
      ...span('id', title === id ? '' : id)))
    if (isOpen) node.append(h('pre', { textContent: JSON.stringify(value, null, 2) }))
  }

  #animate(old, ghosts) {
    const { scrollTop, clientHeight } = this.#scroller
    for (const [key, node] of this.#nodes) {
      const now = this.#tops[this.#places.get(key)] - scrollTop
      const from = old.get(key)
      if (from === undefined) node.animate({ opacity: [0, 1] }, TIMING)
      else if (from !== now) {
        const shift = Math.max(-clientHeight, Math.min(clientHeight, from - now))
        const zIndex = this.#marks.get(key) === 'moved' ? 1 : 0
        node.animate({ transform: [`translateY(${shift}px)`, 'none'], zIndex: [zIndex, zIndex] }, TIMING)
      }
    }
    for (const [key, node] of ghosts) {
      node.classList.add('deleted')
      node.removeAttribute('role')
      node.removeAttribute('id')
      node.ariaHidden = 'true'
      node.style.top = `${old.get(key) + scrollTop}px`
      this.#space.append(node)
      node.animate({ opacity: [1, 0] }, TIMING).finished.then(() => node.remove(), () => node.remove())
    }
  }

  #click(node) {
    const key = [...this.#nodes].find(([, held]) => held === node)?.[0]
    if (key) this.#toggle(key)
  }

  #toggle(key) {
    if (!this.#open.delete(key)) this.#open.add(key)
    this.#active = key
    this.#measure()
    this.#render(true)
  }

  #press(event) {
    const at = this.#places.get(this.#active) ?? -1
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / CLOSED) - 1)
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: Infinity }
    const { key } = event
    if (key in steps) this.jump(this.#rows[Math.max(0, Math.min(this.#rows.length - 1, steps[key]))]?.key)
    else if ((key === 'Enter' || key === ' ') && this.#active) this.#toggle(this.#active)
    else return
    event.preventDefault()
  }
}
