import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skip } from './support/browser.js'
import { press } from './support/inspector.js'
import { generator, seed } from './support/random.js'
import { shared } from './support/shared.js'
import { HEIGHT, page, start } from './support/virtual.js'

const tests = shared({ 'page.html': page })
const rows = (count, name = 'r') => Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, title: `Row ${n}` }))

/** Opens the page with a collection, until the first rows are seen. */
async function open(collection, options) {
  const tab = await tests.open()
  await tab.send('Emulation.setDeviceMetricsOverride', { width: 800, height: 700, deviceScaleFactor: 1, mobile: false })
  await tab.send('Page.bringToFront')
  await tab.call(start, collection, options)
  /** What is seen, once it is what the service has there: a version that a view does not show is told of late. */
  const settled = async () => {
    const { sections } = await tests.server.get(collection)
    const items = sections.flatMap(({ items }) => items)
    for (const end = Date.now() + 60_000; ; ) {
      const seen = await tab.call(() => window.seen())
      const { rows: [[start]], rows, total } = seen
      const wanted = items.slice(start, start + rows.length)
      const isRight = total === items.length && rows.every(([, id, title], n) => id === wanted[n]?.id && title === wanted[n].title)
      if (isRight || Date.now() > end) return { ids: items.map(({ id }) => id), ...seen }
    }
  }
  await settled()
  return Object.assign(tab, { settled })
}

/** What is seen is what the service has there. */
function assertRight({ ids, rows, total, elements, held, inOrder }, most) {
  assert.equal(total, ids.length)
  assert.deepEqual(rows.map(([, id]) => id), ids.slice(rows[0][0], rows[0][0] + rows.length))
  assert(rows.length >= 15)
  assert(elements < 45, `${elements} elements`)
  assert(held <= most, `${held} rows are held`)
  assert(inOrder)
}

/** Random edits: rows that come, go, move, and change, most of them near what is seen. */
function edits(random, ids) {
  const pick = () => ids[random(ids.length)]
  let count = 0
  return () => {
    const [a, b] = [pick(), pick()]
    const kind = random(4)
    if (kind === 0) return [{ op: 'merge', id: a, value: { title: `changed ${random(1000)}` } }]
    if (kind === 1 && a !== b) return [{ op: 'move', ids: [a], before: b }]
    if (kind === 2) {
      ids.splice(ids.indexOf(a), 1)
      return [{ op: 'delete', ids: [a] }]
    }
    const id = `new${count++}`
    ids.push(id)
    return [{ op: 'insert', items: [{ id, title: id }], before: a }]
  }
}

for (const windowed of [true, false]) {
  test(`while rows come, go and move above, what is seen stays; the right rows are shown, ${windowed ? 'of a window' : 'all held'}, seed ${seed}`, { skip }, async () => {
    const random = generator(seed)
    const name = `jump${windowed}`
    const count = windowed ? 20_000 : 2000
    await tests.server.put(name, rows(count))
    const tab = await open(name, windowed && { window: 'first:60' })
    const next = edits(random, rows(600).map(({ id }) => id))
    let isWriting = true
    const write = async () => {
      let writes = 0
      for (; isWriting; writes++) await tests.server.edit(name, next())
      return writes
    }
    const writes = write()
    const drifts = []
    for (const by of [97, 0, 13, -41, 0, 1999, 40, -211]) {
      const { drifts: some } = await tab.call((by) => scroll(10, by), by)
      drifts.push(...some)
    }
    isWriting = false
    console.log(`${await writes} edits, ${drifts.length} frames judged`)
    assert(drifts.length > 20)
    assert.deepEqual(drifts.filter((drift) => drift !== 0), [])
    assertRight(await tab.settled(), windowed ? 120 : Infinity)
    await tab.close()
  })
}

test('a list of 100,000 is reached everywhere, and asks about the newest place that is wanted alone', { skip }, async () => {
  await tests.server.put('far', rows(100_000))
  const tab = await open('far', { window: 'first:60' })
  await tab.call((top) => (scroller.scrollTop = top), 50_000 * HEIGHT)
  let seen = await tab.settled()
  assert.equal(seen.rows[0][1], 'r50000')
  assertRight(seen, 120)
  await tab.call(() => list.jump(99_999))
  seen = await tab.settled()
  assert.equal(seen.rows.at(-1)[1], 'r99999')
  await tab.call(() => list.jump(10))
  seen = await tab.settled()
  assert.equal(seen.rows[0][1], 'r10')
  const { requests: before } = await tab.call(() => scroll(0, 0))
  const { requests } = await tab.call(() => scroll(100, 39_000))
  assert(requests - before <= 101, `${requests - before} requests`)
  assertRight(await tab.settled(), 120)
  await tab.call(() => scroller.focus())
  await press(tab, 'Home')
  await tab.call(async () => {
    while (scroller.scrollTop) await nextFrame()
  })
  seen = await tab.settled()
  assert.equal(seen.rows[0][1], 'r0')
  await tests.server.edit('far', [{ op: 'delete', ids: ['r1'] }, { op: 'insert', items: [{ id: 'newest', title: 'newest' }], first: true }])
  seen = await tab.settled()
  assert.equal(seen.rows[0][1], 'newest', 'at the top what is new is seen')
  await tab.close()
})

test('focus and selection survive scrolling far away and back', { skip }, async () => {
  await tests.server.put('focus', rows(5000))
  const tab = await open('focus', { window: 'first:60' })
  await tab.call(() => {
    const [one, two] = ['r3', 'r5'].map((id) => document.querySelector(`[data-id=${id}]`))
    one.querySelector('input').focus()
    one.querySelector('input').value = 'typed'
    getSelection().setBaseAndExtent(two.children[1].firstChild, 0, two.children[1].firstChild, 3)
    window.held = [one, two]
  })
  await tab.call(() => scroll(3, 30_000))
  assert.equal((await tab.settled()).rows[0][1], 'r2250')
  const state = () => [document.activeElement.value, document.activeElement.closest('.row')?.dataset.id, String(getSelection())]
  assert.deepEqual(await tab.call(state), ['typed', 'r3', 'Row'])
  await tests.server.edit('focus', [{ op: 'insert', items: [{ id: 'x', title: 'x' }], before: 'r1' }])
  await tab.settled()
  await tab.call(() => list.jump(0))
  const seen = await tab.settled()
  assert.deepEqual(seen.rows.slice(0, 5).map(([, id]) => id), ['r0', 'x', 'r1', 'r2', 'r3'])
  assert.deepEqual(await tab.call(state), ['typed', 'r3', 'Row'])
  assert(await tab.call(() => held.every((node) => node.isConnected && document.querySelectorAll(`[data-id=${node.dataset.id}]`).length === 1)))
  await tests.server.edit('focus', [{ op: 'delete', ids: ['r3'] }])
  assertRight(await tab.settled(), 120)
  await tab.close()
})

test('the first row of a section shows its header, of a window too; a list has a role, and rows their places', { skip }, async () => {
  const section = (n) => ({ id: `s${n}`, title: `Section ${n}`, items: rows(10, `s${n}-`) })
  await tests.server.put('sections', { sections: Array.from({ length: 30 }, (_, n) => section(n)) })
  const tab = await open('sections', { window: 'first:60' })
  await tab.call(() => list.jump(98))
  const seen = await tab.settled()
  assert.deepEqual(seen.rows.filter(([, , , header]) => header).map(([at, , , header]) => [at, header]), [[100, 'Section 10'], [110, 'Section 11']])
  await tests.server.edit('sections', [{ op: 'updateSection', id: 's10', value: { title: 'Ten' } }, { op: 'delete', ids: ['s11-0'] }])
  const next = await tab.settled()
  assert.deepEqual(next.rows.filter(([, , , header]) => header).map(([at, , , header]) => [at, header]), [[100, 'Ten'], [110, 'Section 11']])
  const { nodes } = await tab.send('Accessibility.getFullAXTree')
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value)
  assert(roles.includes('list'))
  assert(roles.filter((role) => role === 'listitem').length > 15)
  await tab.close()
})
