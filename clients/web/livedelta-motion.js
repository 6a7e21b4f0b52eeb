// What `show` of livedelta-dom.js can be given as `around`: rows that glide, a view transition, a view that stays.
//
// A row that moves is shown where it was, by an offset that shrinks to nothing. If it moves again meanwhile, the offsets
// add up (`composite: 'add'`): it neither jumps nor starts anew, and is always somewhere between the places it had.

const rects = (nodes) => Array.from(nodes, (node) => [node, node.getBoundingClientRect()])

const isSeen = ({ top, bottom }) => bottom > 0 && top < innerHeight

/** Whether a change is shown as motion: a delta that may be animated, where it is seen, and motion is wished for. */
const isMotion = ({ kind, animate = kind === 'delta' }) =>
  animate && !document.hidden && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** Puts a copy of a node that was removed where it was; the layout, clicks and readers do not notice it. */
function ghost(node, home, { left, top, width, height }) {
  const copy = home.appendChild(node.cloneNode(true))
  const set = (x, y) => Object.assign(copy.style, { left: `${x}px`, top: `${y}px` })
  copy.inert = true
  copy.removeAttribute('id')
  Object.assign(copy.style, { position: 'absolute', boxSizing: 'border-box', margin: 0, width: `${width}px`, height: `${height}px` })
  set(0, 0)
  const origin = copy.getBoundingClientRect()
  set(left - origin.left, top - origin.top)
  return copy
}

/**
 * Lets what moves glide: the rows that `selector` finds, and what is beside them, such as headings of sections. New ones
 * fade in, and with `fadeOut` removed ones fade out. What it returns resolves once all of a change is shown.
 */
export function glide(list, selector, timing = { duration: 250, easing: 'ease-out' }, { fadeOut } = {}) {
  const options = { fill: 'backwards', ...(timing >= 0 ? { duration: timing } : timing) }
  const homes = new WeakSet() // the elements that have rows, or had
  const ghosts = new WeakSet()
  const fades = new WeakMap() // a new row -> its animation

  const isRow = (node) => node.matches(selector)
  const isHome = (node) => homes.has(node) || (node.querySelector(selector) && homes.add(node))
  /** What glides in one piece. */
  const pieces = ({ children }) => [...children].flatMap((node) => {
    if (ghosts.has(node)) return []
    return !isRow(node) && isHome(node) ? pieces(node) : node
  })

  return async (change, update) => {
    if (!isMotion(change)) return void update()
    const old = rects(pieces(list)).map(([node, rect]) => [node, rect, node.parentNode])
    // A section that gets its first row is no piece any more, but what it has is.
    const before = new Map([...rects(old.flatMap(([node]) => (isRow(node) ? [] : [...node.children]))), ...old])
    update()
    const ends = []
    const animate = (node, keyframes) => {
      const animation = node.animate(keyframes, options)
      ends.push(animation.finished)
      return animation
    }
    for (const [node, rect] of rects(pieces(list))) {
      const from = before.get(node)
      if (!from) fades.set(node, animate(node, { opacity: [0, 1] }))
      else if ((isSeen(from) || isSeen(rect)) && (from.left !== rect.left || from.top !== rect.top)) {
        animate(node, { translate: [`${from.left - rect.left}px ${from.top - rect.top}px`, '0px 0px'], composite: 'add' })
      }
    }
    if (fadeOut) for (const [node, rect, home] of old) {
      if (node.isConnected || !isSeen(rect)) continue
      const copy = ghost(node, home.isConnected ? home : list, rect)
      ghosts.add(copy)
      // Of one that is still fading in from there.
      const opacity = fades.get(node)?.effect.getComputedTiming().progress
      animate(copy, { opacity: [opacity ?? [], 0].flat() }).finished.finally(() => copy.remove())
    }
    await Promise.allSettled(ends)
  }
}

/** Shows changes as view transitions, where the browser has them; of changes that overlap the newest is. */
export async function transition(change, update) {
  if (!isMotion(change) || !document.startViewTransition) return void update()
  const { ready, finished } = document.startViewTransition(update)
  ready.catch(() => {}) // another one came before it began
  await finished
}

/** Keeps what is in view where it is, in browsers that do not do so themselves. */
export function anchor(scroller, selector) {
  return (change, update) => {
    if (CSS.supports('overflow-anchor', 'auto') || scroller.scrollTop === 0) return update()
    const { top, bottom } = scroller.getBoundingClientRect()
    const inView = rects(scroller.querySelectorAll(selector)).filter(([, rect]) => rect.bottom > top && rect.top < bottom)
    update()
    const shifts = inView
      .filter(([node]) => node.isConnected)
      .map(([node, rect]) => node.getBoundingClientRect().top - rect.top)
    // The median: a few rows of those in view may have moved by themselves.
    scroller.scrollTop += shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0
  }
}
