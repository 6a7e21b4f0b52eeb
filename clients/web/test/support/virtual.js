// A page with a virtual list, what it shows, and somebody who scrolls.

export const HEIGHT = 40

export const page = `<!doctype html><style>
  body { margin: 0 }
  #list { height: 600px; overflow: auto }
  .row { display: flex; gap: 8px; align-items: center; border-bottom: 1px solid #ddd }
  .blank { background: #eee }
</style><div id=list></div><script type=module>
  import { Replica, follow } from './livedelta.js'
  import { view } from './livedelta-view.js'
  import { virtual } from './livedelta-virtual.js'
  Object.assign(window, { Replica, follow, view, virtual })
</script>`

/** In the page: shows a collection, and notes what moves that may not. */
export function start(collection, options) {
  const scroller = document.querySelector('#list')
  const replica = options ? view('/v1/clients/u42', { collection, ...options }) : follow('/v1/clients/u42', { collection })
  const row = ({ id, title }, _, node = document.createElement('div'), section) => {
    if (!node.firstChild) node.append(document.createElement('b'), document.createElement('span'), document.createElement('input'))
    node.className = 'row'
    node.dataset.id = id
    const texts = [section?.title ?? '', title]
    // What is the same is not touched: somebody may have selected it.
    for (const [n, text] of texts.entries()) if (node.children[n].textContent !== text) node.children[n].textContent = text
    return node
  }
  const placeholder = () => Object.assign(document.createElement('div'), { className: 'blank' })
  const list = virtual(replica, scroller, { row, height: 40, placeholder })
  const touched = new Set() // ids that went or were moved since the last frame
  const drifts = []
  const gaps = [] // milliseconds between frames
  const clock = document.body.appendChild(document.createElement('div')) // what observes its size is called after what was drawn
  let requests = 0
  replica.addEventListener('change', ({ detail }) => detail?.removed?.forEach((id) => touched.add(id)))
  const { fetch } = window
  window.fetch = (...args) => fetch(...args, requests++)

  const nextFrame = () => new Promise(requestAnimationFrame)
  const nodes = () => Array.from(scroller.querySelectorAll('[data-id]'), (node) => [node, node.getBoundingClientRect().top])
  const inView = () => nodes().filter(([, top]) => top > -40 && top < 600).sort(([, a], [, b]) => a - b)

  /** Resolves in the next frame, after all that is drawn in it; `read` is called before anything else happens. */
  const drawn = (read) => new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect()
      resolve(read())
    })
    requestAnimationFrame(() => observer.observe(clock))
  })

  /** Scrolls by so many pixels a frame: in each, if it is judged, the first row that was seen and still is has to move by as many. */
  const scroll = async (frames, by, isJudged = true) => {
    let before
    let moved
    let last = NaN
    const read = () => {
      gaps.push(performance.now() - last)
      last = performance.now()
      if (!isJudged) return (scroller.scrollTop += by)
      const now = new Map(nodes().map(([node, top]) => [node.dataset.id, top]))
      const stays = before?.find(([id, top]) => now.has(id) && !touched.has(id) && top - moved > -40 && top - moved < 600)
      if (stays && scroller.scrollTop > 0) drifts.push(now.get(stays[0]) - (stays[1] - moved))
      touched.clear()
      const { scrollTop } = scroller
      before = scrollTop > 0 ? inView().map(([node, top]) => [node.dataset.id, top]) : []
      scroller.scrollTop += by
      moved = scroller.scrollTop - scrollTop
    }
    for (let n = 0; n < frames; n++) await drawn(read)
    return { drifts: drifts.splice(0), gaps: gaps.splice(0).slice(1), requests }
  }

  Object.assign(window, {
    replica, list, scroller, nextFrame, scroll,
    /** What is seen once all of it is held. */
    async seen() {
      for (let frames = 0; frames < 3; frames++) {
        if (!replica.snapshot.version || scroller.querySelector('.blank') || !inView().length) frames = 0
        await nextFrame()
      }
      return {
        top: scroller.scrollTop,
        rows: inView().map(([node]) => [Number(node.ariaPosInSet) - 1, node.dataset.id, node.children[1].textContent, node.children[0].textContent]),
        total: Number(inView()[0]?.[0].ariaSetSize),
        elements: scroller.querySelectorAll('[role=listitem]').length,
        held: replica.order.flatMap((id) => replica.ids(id)).length,
        inOrder: nodes().every(([, top], n, all) => !n || all[n - 1][1] < top),
      }
    },
  })
}
