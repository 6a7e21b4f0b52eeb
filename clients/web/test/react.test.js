import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RandomList, generator, seed } from './support/random.js'
import { sharedWithReact, skip } from './support/react.js'

const tests = sharedWithReact()

/** In the page: renders a collection in strict mode; `window.at(version)` is what is shown then. */
async function start(collection) {
  const { createElement: h, memo, StrictMode, useEffect } = React
  const drawn = (window.drawn = [])
  const Row = memo(({ item }) => {
    useEffect(() => void drawn.push(item.id))
    return h('li', null, JSON.stringify(item))
  })
  const Title = ({ replica, id }) => {
    const item = useItem(replica, id)
    window.titles = (window.titles ?? 0) + 1
    return h('h1', null, item?.title ?? 'none')
  }
  const List = () => {
    const replica = (window.replica = useFollow('/v1/clients/u42', { collection }))
    const { version, sections } = useCollection(replica)
    useEffect(() => window.rendered?.())
    const rows = ({ id, items }) => h('ul', { key: id }, items.map((item) => h(Row, { key: item.id, item })))
    const title = h(Title, { replica, id: 'watched' })
    return h('main', { 'data-version': version, 'data-status': useStatus(replica) }, title, sections.map(rows))
  }
  const root = (window.root = ReactDOM.createRoot(document.querySelector('#root')))
  root.render(h(StrictMode, null, h(List)))
  window.at = async (version) => {
    while (document.querySelector('main')?.dataset.version !== version) {
      await new Promise((resolve) => (window.rendered = resolve))
    }
    const read = ({ children }) => Array.from(children, (node) => JSON.parse(node.textContent))
    return { drawn: drawn.splice(0), lists: Array.from(document.querySelectorAll('main ul'), read) }
  }
}

test(`React shows each of 300 versions, and draws what changed only, seed ${seed}`, { skip }, async () => {
  console.log(`seed ${seed}`)
  const list = new RandomList(generator(seed))
  await tests.server.put('list', list.next())
  const page = await tests.open()
  await page.call(start, 'list')
  let previous = await tests.server.get('list')
  await page.call((version) => window.at(version), previous.version)
  for (let version = 1; version < 300; version++) {
    await tests.server.put('list', list.next())
    const newest = await tests.server.get('list')
    const { drawn, lists } = await page.call((version) => window.at(version), newest.version)
    assert.deepEqual(lists, newest.sections.map(({ items }) => items))
    const place = ({ sections }) => new Map(sections.flatMap(({ id, items }) => {
      return items.map((item) => [item.id, `${id} ${JSON.stringify(item)}`])
    }))
    const held = place(previous)
    for (const [id, now] of place(newest)) {
      if (held.get(id) === now) assert(!drawn.includes(id), `version ${version}: ${id} was drawn`)
    }
    previous = newest
  }
})

test('a component of one item shows it, and one that goes ends its request', { skip }, async () => {
  const page = await tests.open()
  await tests.server.put('one', [{ id: 'watched', title: 'a' }])
  await page.call(start, 'one')
  const put = async (...items) => {
    const { version } = await tests.server.put('one', items)
    await page.call((version) => window.at(version), version)
  }
  await put({ id: 'watched', title: 'b' })
  assert.equal(await page.call(() => document.querySelector('h1').textContent), 'b')
  assert.equal(await page.call(() => document.querySelector('main').dataset.status), 'live')
  const replica = await page.call(() => {
    root.unmount()
    return new Promise((resolve) => replica.addEventListener('change', () => resolve(replica.status)))
  })
  assert.equal(replica, 'closed')
})

test('another collection is shown without a frame of the former one', { skip }, async () => {
  const page = await tests.open()
  await tests.server.put('left', [{ id: 'left' }])
  await tests.server.put('right', [{ id: 'right' }])
  const frames = await page.call(async () => {
    const { createElement: h, useEffect } = React
    const frames = []
    let isThere
    const List = ({ collection }) => {
      const { sections } = useCollection(useFollow('/v1/clients/u42', { collection }))
      const ids = sections.flatMap(({ items }) => items.map(({ id }) => id)).join()
      useEffect(() => {
        frames.push(`${collection}: ${ids}`)
        if (ids) isThere()
      })
      return null
    }
    const root = ReactDOM.createRoot(document.querySelector('#root'))
    for (const collection of ['left', 'right', 'left']) {
      const shown = new Promise((resolve) => (isThere = resolve))
      root.render(h(List, { collection }))
      await shown
    }
    root.unmount()
    return frames
  })
  const runs = frames.filter((frame, n) => frame !== frames[n - 1])
  assert.deepEqual(runs, ['left: ', 'left: left', 'right: ', 'right: right', 'left: ', 'left: left'])
})
