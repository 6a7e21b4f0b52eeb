// What `show` of livedelta-dom.js can be given as `around`: rows that glide, and a view that stays.

const places = (list, selector) =>
  Array.from(list.querySelectorAll(selector), (node) => [node, node.getBoundingClientRect()])

/** Lets rows that move glide, and new ones fade in; not where less motion is wished for. */
export function glide(list, selector, timing = { duration: 250, easing: 'ease-out' }) {
  return ({ kind, animate = kind === 'delta' }, update) => {
    if (!animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return update()
    const before = new Map(places(list, selector))
    update()
    for (const [node, { left, top, bottom }] of places(list, selector)) {
      const old = before.get(node)
      const isInView = bottom > 0 && top < innerHeight
      if (!old) node.animate({ opacity: [0, 1] }, timing)
      else if (isInView && (old.left !== left || old.top !== top)) {
        node.animate({ transform: [`translate(${old.left - left}px, ${old.top - top}px)`, 'none'] }, timing)
      }
    }
  }
}

/** Keeps what is in view where it is, in browsers that do not do so themselves. */
export function anchor(scroller, selector) {
  return (change, update) => {
    if (CSS.supports('overflow-anchor', 'auto') || scroller.scrollTop === 0) return update()
    const { top, bottom } = scroller.getBoundingClientRect()
    const inView = places(scroller, selector).filter(([, rect]) => rect.bottom > top && rect.top < bottom)
    update()
    const shifts = inView
      .filter(([node]) => node.isConnected)
      .map(([node, rect]) => node.getBoundingClientRect().top - rect.top)
    // The median: a few rows of those in view may have moved by themselves.
    scroller.scrollTop += shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0
  }
}
