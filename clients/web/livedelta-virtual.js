// A list of any length in an element that scrolls: the rows around what is seen have nodes, and of a view whose window
// moves only those around them are held.
//
// It never jumps: what comes and goes above moves no row that is seen. While somebody scrolls that is not made up for
// by scrolling, which would break a swing off, but by where the rows are put; `shift` is how far they are off, until
// the scrolling ends.

import { place } from './livedelta-dom.js'

const OVERSCAN = 8 // rows above and below those that are seen
const WINDOW_MAX = 1000 // rows, as the service has it

const clamp = (number, most) => Math.max(0, Math.min(number, most))

/** Where somebody is: what has the focus, and the ends of what is selected. */
function inUse() {
  const { anchorNode, focusNode, isCollapsed } = getSelection()
  return [document.activeElement, ...(isCollapsed ? [] : [anchorNode, focusNode])]
}

/**
 * Shows a replica in `scroller`, in rows of one `height`, until `signal` ends it.
 *
 * `row(item, id, node, section)` makes the element of an item, or brings `node` up to date and returns it, or another
 * for its place; the first row of a section is given it. `placeholder(index)` makes the element of a row that is not
 * held yet. Returns `{ jump }`, which goes to a row by its index.
 */
export function virtual(replica, scroller, { row, height, placeholder = () => document.createElement('div'), signal }) {
  const space = document.createElement('div')
  const rows = new Map() // id, or index of what is not held -> { node, item, head, at }
  const moved = new Set() // ids that were moved since the last frame
  let held = { ids: [], start: 0, total: 0 }
  let shown // the snapshot of `held`
  let shift = 0 // pixels that rows are above their place
  let seen = 0 // where what is seen began at the last frame, in pixels
  let isScrolling = false
  let frame

  /** What is held, and the sections of which the first row is. */
  function read() {
    const { order, snapshot: { sections, view } } = replica
    const ids = order.flatMap((id) => replica.ids(id))
    const { start = 0, total = ids.length } = view ?? {}
    // Of the section in which a window begins the first row may not be held.
    const heads = order.flatMap((id, at) => (id && (at || !start) ? [[replica.ids(id)[0], sections[at]]] : []))
    return { ids, start, total, heads: new Map(heads) }
  }

  /** Takes over what the replica holds; the first row that was seen and still is, and was not moved, stays. */
  function adopt(top, bottom) {
    const { ids, start } = held
    held = read()
    shown = replica.snapshot
    const from = seen < bottom ? Math.max(top, seen) : top
    for (let at = Math.floor(from / height); top > 0 && at < bottom / height; at++) {
      const id = ids[at - start]
      const place = moved.has(id) ? -1 : held.ids.indexOf(id)
      if (place < 0) continue
      const below = held.start + place - at // so many rows came above
      shift += below * height
      for (const entry of rows.values()) entry.at += below
      break
    }
    moved.clear()
  }

  const resize = () => (space.style.height = `${held.total * height - shift}px`)

  function update() {
    frame = undefined
    const { scrollTop, clientHeight } = scroller
    if (shown !== replica.snapshot) adopt(scrollTop + shift, scrollTop + shift + clientHeight)
    let top = scrollTop + shift
    // At rest, and where no more can be scrolled, the rows are put back to their places.
    if (shift && (!isScrolling || top < 0 || !scrollTop)) {
      shift = 0
      resize()
      scroller.scrollTop = top
      top = Math.max(0, top)
    } else resize()
    const first = Math.floor(top / height)
    const screen = Math.ceil(clientHeight / height)
    draw(clamp(first - OVERSCAN, held.total), clamp(first + screen + 1 + OVERSCAN, held.total))
    ask(first, screen, Math.sign(top - seen))
    seen = top
  }

  /** Has elements for the rows in a range, in order, and for those that somebody is in. */
  function draw(from, to) {
    const wanted = new Map()
    for (let at = from; at < to; at++) wanted.set(held.ids[at - held.start] ?? at, at)
    const used = inUse()
    for (const [key, { node, at }] of rows) {
      if (wanted.has(key)) continue
      const now = held.ids.indexOf(key)
      const isUsed = used.some((inner) => node.contains(inner))
      if (isUsed && now >= 0) wanted.set(key, held.start + now)
      else if (isUsed && held.ids[at - held.start] === undefined) wanted.set(key, at).delete(at) // no placeholder there
      else rows.delete(key, node.remove())
    }
    let previous
    for (const [key, at] of [...wanted].sort(([, a], [, b]) => a - b)) {
      const entry = rows.get(key) ?? {}
      rows.set(key, entry)
      drawRow(entry, key, at)
      place(space, entry.node, previous)
      previous = entry.node
    }
  }

  function drawRow(entry, key, at) {
    const isPlaceholder = typeof key === 'number'
    const item = isPlaceholder ? undefined : replica.item(key) ?? entry.item
    const head = held.heads.get(key)
    const { node } = entry
    if (!node || item !== entry.item || head !== entry.head) {
      entry.node = isPlaceholder ? placeholder(at) : row(item, key, node, head)
      if (node !== entry.node) {
        node?.replaceWith(entry.node)
        entry.node.role = 'listitem'
        Object.assign(entry.node.style, { position: 'absolute', insetInline: 0, boxSizing: 'border-box', height: `${height}px` })
      }
    }
    entry.node.ariaPosInSet = at + 1
    entry.node.ariaSetSize = held.total
    entry.node.style.top = `${at * height - shift}px`
    Object.assign(entry, { item, head, at })
  }

  /** Has the window moved before the rows that are held come to an end: more of it lies ahead. */
  function ask(first, screen, direction) {
    const { ids, start, total } = held
    const end = start + ids.length
    if ((first - screen >= start || !start) && (first + 2 * screen <= end || end >= total)) return
    const size = Math.min(WINDOW_MAX, 6 * screen)
    replica.setWindow?.(`at:${clamp(first + (direction - 2.5) * screen, total - size) | 0}:${size}`)
  }

  const schedule = () => (frame ??= document.hidden ? update() : requestAnimationFrame(update))
  const rest = () => schedule((isScrolling = false))
  const observer = new ResizeObserver(schedule)
  let timer
  replica.addEventListener('change', ({ detail }) => {
    detail?.removed?.forEach((id) => moved.add(id))
    schedule()
  }, { signal })
  scroller.addEventListener('scroll', () => {
    isScrolling = true
    clearTimeout(timer)
    if (!('onscrollend' in scroller)) timer = setTimeout(rest, 200)
    schedule()
  }, { signal, passive: true })
  scroller.addEventListener('scrollend', rest, { signal })
  observer.observe(scroller)
  signal?.addEventListener('abort', () => observer.disconnect(cancelAnimationFrame(frame)))
  scroller.style.overflowAnchor = 'none'
  if (scroller.tabIndex < 0) scroller.tabIndex = 0
  space.role = 'list'
  space.style.position = 'relative'
  scroller.append(space)
  update()

  return {
    jump(index) {
      shift = 0
      resize()
      scroller.scrollTop = index * height
      schedule()
    },
  }
}
