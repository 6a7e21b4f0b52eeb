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

/** In the page: an element that shows rows of a replica that is made here, of as many lines as their items say. */
function startLines(count, height, linesOf) {
  document.querySelector('#list').remove()
  const scroller = document.body.appendChild(Object.assign(document.createElement('div'), { id: 'list' }))
  const lines = new Function('n', `return ${linesOf}`)
  const items = Array.from({ length: count }, (_, n) => ({ id: `r${n}`, lines: lines(n) }))
  let seq = 0
  const replica = new Replica()
  const write = (items) => replica.publish('live', replica.apply({ kind: 'snapshot', version: `v${++seq}`, seq, sections: [{ id: '', items }] }))
  write(items)
  const row = ({ id, lines }, _, node = document.createElement('div')) => {
    node.className = 'line'
    node.dataset.id = id
    node.style.height = `${20.5 * lines}px`
    node.textContent = id
    return node
  }
  const list = virtual(replica, scroller, { row, height })
  const frame = () => new Promise(requestAnimationFrame)
  const seen = () => Array.from(scroller.querySelectorAll('[data-id]'), (node) => [node.dataset.id, node.getBoundingClientRect()])
    .filter(([, { top, bottom }]) => bottom > 0.5 && top < 599.5)
    .sort(([, a], [, b]) => a.top - b.top)
    .map(([id, { top, bottom }]) => [id, top, bottom])
  Object.assign(window, {
    scroller, list, replica, items, write, frame, seen,
    /** What is seen once nothing changes any more. */
    async rest() {
      for (let same = 0, before; same < 20; same++) {
        await frame()
        const now = JSON.stringify(seen())
        if (now !== before) same = 0
        before = now
      }
      return { rows: seen(), top: scroller.scrollTop, height: scroller.scrollHeight }
    },
  })
}

/** The rows that are seen follow each other without a gap, and fill what is seen. */
function assertFilled({ rows }, first, last = first + rows.length - 1) {
  assert.deepEqual(rows.map(([id]) => id), Array.from({ length: last - first + 1 }, (_, n) => `r${first + n}`))
  for (const [n, [id, top]] of rows.entries()) if (n) assert(Math.abs(top - rows[n - 1][2]) < 0.1, `${id} is at ${top}, not at ${rows[n - 1][2]}`)
  assert(rows[0][1] <= 0.5 && rows.at(-1)[2] >= 598.5, JSON.stringify(rows))
}

async function openLines(count, height, linesOf) {
  const tab = await tests.open()
  await tab.send('Emulation.setDeviceMetricsOverride', { width: 800, height: 700, deviceScaleFactor: 1, mobile: false })
  await tab.send('Page.bringToFront')
  await tab.call(startLines, count, height, linesOf)
  return tab
}

for (const [count, height] of [[1_000_000, 40], [100_000, 400]]) {
  test(`a list of ${count} rows of ${height} pixels is scrolled to its end, its middle and its beginning`, { skip }, async () => {
    const tab = await openLines(count, height, '0')
    const most = Math.ceil(600 / height)
    assertFilled(await tab.call(() => rest()), 0)
    await tab.call(() => (scroller.scrollTop = scroller.scrollHeight))
    assertFilled(await tab.call(() => rest()), count - most, count - 1)
    await tab.call((last) => list.jump(last), count - 1)
    const end = await tab.call(() => rest())
    assertFilled(end, count - most, count - 1)
    assert(end.height < 17_000_000)
    // In the middle, and by little, a pixel is a pixel.
    await tab.call((at) => list.jump(at), count / 2)
    assertFilled(await tab.call(() => rest()), count / 2)
    const drifts = await tab.call(async () => {
      const drifts = []
      for (const by of [7, 300, -41, 555, -500]) {
        const before = new Map(seen().map(([id, top]) => [id, top]))
        scroller.scrollTop += by
        await frame()
        await frame()
        for (const [id, top] of seen()) if (before.has(id)) drifts.push(top - before.get(id) + by)
      }
      await rest()
      return drifts
    })
    assert(drifts.length > 5)
    assert.deepEqual(drifts.filter((drift) => Math.abs(drift) > 0.1), [])
    await tab.call(() => (scroller.scrollTop = scroller.scrollHeight / 4))
    const { rows: [[quarter]] } = await tab.call(() => rest())
    assert(Math.abs(quarter.slice(1) - count / 4) < count / 1000, quarter)
    await tab.call(() => scroller.focus())
    for (const [key, first, last] of [['End', count - most, count - 1], ['Home', 0]]) {
      await press(tab, key)
      await tab.call(() => new Promise((resolve) => setTimeout(resolve, 1500)))
      assertFilled(await tab.call(() => rest()), first, last)
    }
    await tab.close()
  })
}

test(`rows of different heights follow each other, and what is seen stays while rows above it come, grow and go, seed ${seed}`, { skip }, async () => {
  const random = generator(seed)
  const tab = await openLines(5000, 20, '1 + n * 7919 % 11')
  assertFilled(await tab.call(() => rest()), 0)
  const { rows: [[, , end]] } = await tab.call(() => rest())
  assert.equal(end, 20.5)
  await tab.call(() => list.jump(2500))
  assertFilled(await tab.call(() => rest()), 2500)
  // Up and down, into rows of which nobody knows the height.
  const drifts = await tab.call(async (steps) => {
    const drifts = []
    for (const by of steps) {
      const before = new Map(seen().map(([id, top]) => [id, top]))
      scroller.scrollTop += by
      await frame()
      await frame()
      for (const [id, top] of seen()) if (before.has(id)) drifts.push(top - before.get(id) + by)
    }
    return drifts
  }, Array.from({ length: 60 }, () => random(1000) - 600))
  assert(drifts.length > 100)
  assert.deepEqual(drifts.filter((drift) => Math.abs(drift) > 0.6), [])
  // Others write: what is seen stays, whatever comes, grows or goes above.
  const moved = await tab.call(async (changes) => {
    const moved = []
    await rest()
    for (const [kind, at, lines] of changes) {
      const before = new Map(seen().map(([id, top]) => [id, top]))
      const [first] = seen()
      const limit = items.findIndex(({ id }) => id === first[0])
      const place = Math.max(0, limit - 1 - at)
      if (kind === 0) items.splice(place, 0, { id: `n${moved.length}-${place}`, lines })
      else if (kind === 1) items.splice(place, 1)
      else items[place] = { ...items[place], lines }
      write([...items])
      await frame()
      await frame()
      moved.push(...seen().filter(([id]) => before.has(id)).map(([id, top]) => top - before.get(id)))
    }
    return moved
  }, Array.from({ length: 60 }, () => [random(3), random(12), 1 + random(20)]))
  assert(moved.length > 200)
  assert.deepEqual(moved.filter((by) => Math.abs(by) > 0.6), [])
  await tab.call(() => (scroller.scrollTop = scroller.scrollHeight))
  const { rows } = await tab.call(() => rest())
  assert.equal(rows.at(-1)[0], 'r4999')
  assert(Math.abs(rows.at(-1)[2] - 600) < 1, `it ends at ${rows.at(-1)[2]}`)
  // A row that grows by itself pushes those below it.
  await tab.call(() => list.jump(100))
  const before = (await tab.call(() => rest())).rows
  await tab.call(() => (scroller.querySelector(`[data-id=${seen()[1][0]}]`).style.height = '333px'))
  const after = (await tab.call(() => rest())).rows
  assert.deepEqual(after[0], before[0])
  assert(Math.abs(after[1][2] - after[1][1] - 333) < 0.1)
  assert(Math.abs(after[2][1] - after[1][2]) < 0.1)
  await tab.close()
})
