import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedWithReact, skip } from './support/react.js'
import { scriptTimes, trace } from './support/trace.js'

const rows = 10_000
const rounds = process.env.VERSIONS < 1000 ? 5 : 15 // fewer in the short form
const tests = sharedWithReact()

/** In the page: shows a collection in one of three ways, and says after each change that it did. */
async function start(way, collection) {
  const list = document.querySelector('#list')
  const replica = follow('/v1/clients/u42', { collection })
  const row = ({ title }, _, node = document.createElement('li')) => {
    node.textContent = title
    return node
  }
  const { createElement: h, memo } = React
  const Row = memo(({ item }) => h('li', null, item.title))
  const List = () => {
    const [{ items = [] } = {}] = useCollection(replica).sections
    return h('ul', null, items.map((item) => h(Row, { key: item.id, item })))
  }
  const ways = {
    'livedelta-dom': () => show(replica, list, { row }),
    'whole replacement': () => replica.addEventListener('change', () => {
      list.replaceChildren(...replica.snapshot.sections[0].items.map((item) => row(item)))
    }),
    'React, keyed and memoised': () => ReactDOM.createRoot(document.querySelector('#root')).render(h(List)),
  }
  ways[way]()
  const isDone = () => setTimeout(() => shown(replica.snapshot.version))
  const observer = new MutationObserver(() => requestAnimationFrame(isDone))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
}

/** Opens a page that shows a collection of its own in one way; `measure(round)` is the time of one change. */
async function open(way, collection) {
  const item = (_, n) => ({ id: `r${n}`, title: `title of row ${n}`, unread: n % 3 === 0 })
  const { version } = await tests.server.put(collection, Array.from({ length: rows }, item))
  const page = await tests.open()
  const shown = new Set()
  tests.browser.on('message', ({ method, params, sessionId }) => {
    if (method === 'Runtime.bindingCalled' && sessionId === page.session) shown.add(params.payload)
  })
  const isShown = async (version) => {
    while (!shown.has(version)) await page.event('Runtime.bindingCalled')
  }
  await page.send('Runtime.addBinding', { name: 'shown' })
  await page.call(start, way, collection)
  await isShown(version)
  return async (round) => {
    await page.send('Page.bringToFront') // a page that is not seen draws no frames
    const events = await trace(tests.browser, page, async () => {
      const edits = [{ op: 'merge', id: `r${round * 613}`, value: { title: `${way} ${round}` } }]
      const { version } = await tests.server.edit(collection, edits)
      await isShown(version)
    })
    return scriptTimes(events).reduce((sum, time) => sum + time, 0)
  }
}

const ways = ['livedelta-dom', 'React, keyed and memoised', 'whole replacement']

test(`one change among ${rows} rows takes less than a sixth of the script of a whole replacement`, { skip }, async () => {
  const measures = []
  for (const [n, way] of ways.entries()) measures.push(await open(way, `list${n}`))
  const times = ways.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [n, measure] of measures.entries()) times[n].push(await measure(round)) // by turns
  }
  const medians = times.map((list) => list.sort((a, b) => a - b)[rounds >> 1])
  for (const [n, way] of ways.entries()) console.log(`${way}: ${medians[n].toFixed(2)} ms of script, median of ${rounds}`)
  assert(medians[0] < medians[2] / 6) // a time in itself would depend on the machine
})
