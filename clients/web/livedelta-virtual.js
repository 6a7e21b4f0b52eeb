// A list of any length in an element that scrolls: the rows around what is seen have nodes, and of a view whose window
// moves only those around them are held.
//
// It never jumps: the first row that is seen is pinned to its place, and the others are laid out from there, up and
// down, so that what comes, goes or gets another height above moves no row that is seen. While somebody scrolls, that is
// not made up for by scrolling, which would break a swing off, but once the scrolling ends.
//
// Browsers have an end, Firefox at 17.9 million pixels: there a longer list has fewer pixels than its rows. By less than a
// screen a frame a pixel is a pixel all the same. A scrolling that goes further, as by a bar or a key, goes by the part
// of the list.

import { isInUse, place } from './livedelta-dom.js'

const OVERSCAN = 8 // rows above and below those that are seen
const REST = 12 // frames without scrolling, after which it has ended

/**
 * Shows a replica in `scroller`, in rows of at least `height` pixels, until `signal` ends it.
 *
 * `row(item, id, node, section)` makes the element of an item, or brings `node` up to date and returns it, or another
 * for its place; the first row of a section is given it. `placeholder(index)` makes the element of a row that is not
 * held yet. Returns `{ jump }`, which goes to a row by its index.
 */
export function virtual(replica, scroller, { row, height, placeholder = () => document.createElement('div'), signal }) {
  const space = document.createElement('div')
  const heights = new WeakMap() // item -> pixels
  let rows = [] // those that have elements, in order: { key, node, item, head, at, top }; `top` of moved ones is NaN
  let ids = [] // of the rows that are held; `start` come before them
  let start = 0
  let total = 0
  let heads // the first row of a section -> the section
  let shown // the snapshot of these
  let first = 0 // the first row that is seen
  let pin = 0 // its place, in pixels: the others are laid out from there
  let seen = 0 // where what is seen began at the last frame
  let still = REST // for so many frames nobody has scrolled
  let isFar // whether this scrolling went far
  let frame

  /** The id of a row; of one that is not held its index. */
  const keyAt = (at) => ids[at - start] ?? at
  const heightAt = (at) => heights.get(replica.item(keyAt(at))) ?? height

  /** Takes over what the replica holds; the first row that was seen and still is, and was not moved, stays. */
  function adopt(top) {
    const { order, snapshot } = replica
    shown = snapshot
    heads = new Map()
    ;({ start = 0, total } = snapshot.view ?? {})
    ids = order.flatMap((id, at) => {
      const own = replica.ids(id)
      // Of the section in which a window begins the first row may not be held.
      if (id && (at || !start)) heads.set(own[0], snapshot.sections[at])
      return own
    })
    total ??= ids.length
    const from = Math.max(top, seen) - height
    const stays = rows.find((row) => row.top > from && ids.includes(row.key))
    if (stays && (first || pin < top)) {
      first = start + ids.indexOf(stays.key)
      pin = stays.top
    }
  }

  /** Draws what is seen. */
  function update() {
    frame = undefined
    const { scrollTop: top, clientHeight: screen } = scroller
    const bottom = top + screen
    const count = Math.ceil(screen / height)
    if (shown !== replica.snapshot) adopt(top)
    const unit = Math.min(height, 15e6 / total) // pixels that a row has in the whole of the list
    const isJump = Math.abs(top - seen) > screen
    still = top === seen ? still + 1 : 0
    isFar = isJump || (isFar && still < REST)
    const part = Math.min(1, top / (total * unit - screen))
    if (isJump || (isFar && (part <= 0 || part === 1))) {
      // What is as far down in what is seen as that is in the list.
      first = part * total
      pin = Math.round(top + part * screen - (first % 1) * height)
    }
    first = Math.min(first, total) | 0

    // From the pin, by the heights that are known, to the rows that are seen.
    let from = first
    let y = pin
    while (from && y > top) y -= heightAt(--from)
    while (from < total && y + heightAt(from) <= top) y += heightAt(from++)
    let to = from
    while (to < total && y < bottom) y += heightAt(to++)
    from = Math.max(0, Math.min(from, total - count) - OVERSCAN)
    draw(from, (to = Math.min(to + OVERSCAN, total)))
    for (const { node, item } of rows) if (item) heights.set(item, node.getBoundingClientRect().height)

    for (; first > from; ) pin -= heightAt(--first)
    for (; first < from; ) pin += heightAt(first++)
    // At rest, and where no more can be scrolled, the rows are put back to their places.
    const by = still < REST && top > 0 && (from || pin <= top) ? 0 : Math.round(from * unit - pin)
    y = pin += by
    for (const row of rows) {
      row.top = row.at * unit
      if (row.at >= from && row.at < to) {
        row.top = y
        if (y <= top + by) {
          first = row.at
          pin = y
        }
        y += heightAt(row.at)
      }
      row.node.style.top = `${row.top}px`
    }
    space.style.height = `${y + (total - to) * unit}px`
    if (by) scroller.scrollTop = top + by
    replica.reach?.(first, count, top - seen)
    if (still < REST) schedule()
    seen = top + by
  }

  /** Has elements for the rows in a range, and for those that somebody is in. */
  function draw(from, to) {
    const old = new Map(rows.map((row) => [row.key, row]))
    const wanted = new Map()
    for (let at = from; at < to; at++) wanted.set(keyAt(at), at)
    for (const { key, node, at } of rows) {
      if (wanted.has(key)) continue
      const now = ids.includes(key) ? start + ids.indexOf(key) : at
      if (isInUse(node) && [key, at].includes(keyAt(now))) wanted.delete(now), wanted.set(key, now) // no placeholder there
      else node.remove()
    }
    let previous
    rows = [...wanted].sort(([, a], [, b]) => a - b).map(([key, at]) => {
      const entry = old.get(key) ?? {}
      const item = key === at ? undefined : replica.item(key) ?? entry.item
      const head = heads.get(key)
      let { node } = entry
      if (!node || item !== entry.item || head !== entry.head) {
        const drawn = item ? row(item, key, node, head) : placeholder(at)
        if (node !== drawn) {
          node?.remove()
          node = drawn
          node.style.cssText += `;position:absolute;inset-inline:0;box-sizing:border-box;min-height:${height}px`
          observer.observe(node)
        }
      }
      Object.assign(node, { role: 'listitem', ariaPosInSet: at + 1, ariaSetSize: total })
      place(space, node, previous)
      previous = node
      return { key, node, item, head, at }
    })
  }

  const schedule = () => (frame ??= requestAnimationFrame(update))
  const observer = new ResizeObserver(schedule)
  replica.addEventListener('change', ({ detail }) => {
    for (const row of rows) if (detail?.removed?.includes(row.key)) row.top = NaN
    schedule()
  }, { signal })
  scroller.addEventListener('scroll', schedule, { signal })
  observer.observe(scroller)
  signal?.addEventListener('abort', () => observer.disconnect())
  scroller.style.overflowAnchor = 'none'
  if (scroller.tabIndex < 0) scroller.tabIndex = 0
  space.role = 'list'
  space.style.position = 'relative'
  scroller.append(space)
  update()

  return {
    jump(index) {
      update() // with all that is new
      still = REST
      first = index
      pin = seen = scroller.scrollTop
      update()
    },
  }
}
