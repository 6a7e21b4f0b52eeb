import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { skip } from './support/browser.js'
import { click, enter, inbox, isSeen, opener, place, press, rows, texts, until } from './support/inspector.js'
import { Server } from './support/server.js'
import { shared } from './support/shared.js'

const tests = shared({}, {}, { durable: true })
const open = opener(tests)

/** A service of its own, with a list and its versions, until the test ends. */
async function alone(t, settings, ...versions) {
  const server = await Server.start(settings)
  t.after(() => server.stop())
  for (const version of versions) await server.put('inbox', version)
  return server
}

const CHANGED = [
  'Contract moved from Earlier to the top of Pinned', 'Standup at ten is new at the top of Today',
  'Trip to Lisbon changed: unread from true to false', 'Groceries was deleted from Today',
]
const MARKED = ['Contract moved', 'Standup at ten new', 'Trip to Lisbon changed']
const marked = async (page) => (await rows(page)).filter((text) => / (new|moved|changed)$/.test(text))

test('the only list opens by itself, with its newest change as if one had been there', { skip }, async (t) => {
  const page = await open({}, { server: await alone(t, { durable: true }, inbox(1), inbox(2)) })
  await until(page, '#words', /Groceries was deleted/)
  await until(page, '#state', /Live, version 2/)
  assert.deepEqual(await texts(page, '#words li'), CHANGED)
  assert.deepEqual(await texts(page, '#chips li'), ['1 new', '1 moved', '1 changed', '1 deleted'])
  assert.deepEqual(await marked(page), MARKED)
  assert.deepEqual(await texts(page, '#heading, #about'), ['inbox', 'u42 · 30 items in 3 sections'])
  await until(page, '#raw-size', /Sent in \d+ bytes, (9|10) % of the whole list, which has [\d,]+ bytes/)
  assert(!await isSeen(page, '#raw'), 'raw forms are folded away')
  assert.deepEqual(page.complaints, [])
})

test('a change is played from the version before to the newest, step by step', { skip }, async (t) => {
  const page = await open({}, { server: await alone(t, { durable: true }, inbox(1), inbox(2)) })
  await until(page, '#steps', /Before12$/)
  await page.call(() => {
    window.glided = []
    const { animate } = Element.prototype
    Element.prototype.animate = function (keyframes, timing) {
      if (keyframes.transform) window.glided.push(this.querySelector('.title').textContent)
      return animate.call(this, keyframes, timing)
    }
  })
  await click(page, '#play')
  for (const text of [/^Before the change$/, /^Step 1 of 2: delete 1 row, insert 1 row, move 1 row$/, /^Step 2 of 2: change 1 row$/, /^This is version 2/]) {
    await until(page, '#caption', text)
  }
  assert((await page.call(() => window.glided)).includes('Contract'), 'the row that moved is seen to move')
  assert.deepEqual(await marked(page), MARKED)
  await click(page, '#steps button')
  assert((await rows(page)).includes('Groceries'))
  await click(page, '#steps button:last-child')
  assert.deepEqual(await marked(page), ['Trip to Lisbon changed'])
  assert.deepEqual(page.complaints, [])
})

test('a live change is shown as it comes, and can be taken as curl', { skip }, async () => {
  await tests.server.put('live', inbox(1))
  const page = await open(place('live'))
  await until(page, '#change-title', /No change to show yet/)
  await tests.server.put('live', inbox(2))
  await until(page, '#raw-size', /Sent in/)
  assert.deepEqual(await texts(page, '#words li'), CHANGED)
  assert.deepEqual(await marked(page), MARKED)
  await page.call(() => (navigator.clipboard.writeText = async (text) => (window.copied = text)))
  await click(page, '#curl')
  await until(page, '#copied', /Copied/)
  const told = execFileSync('bash', ['-c', await page.call(() => window.copied)], { encoding: 'utf8' })
  assert.equal(told, await page.call(() => JSON.stringify(JSON.parse(document.querySelector('#raw').textContent))))
  await enter(page, '#dialects', 'splice')
  await until(page, '#raw', /"added"/)
  assert.deepEqual(page.complaints, [])
})

test('of a service that keeps nothing on disk the newest change is told as far as it is known', { skip }, async (t) => {
  const page = await open({}, { server: await alone(t, {}, inbox(1), inbox(2)) })
  await until(page, '#caption', /not kept whole, so this change cannot be played/)
  assert.deepEqual(await marked(page), MARKED)
  assert.equal((await texts(page, '#words li'))[0], 'Contract moved to the top of Pinned')
  assert(!await isSeen(page, '#play'))
  assert.deepEqual(page.complaints, [])
})

test('beyond twenty, changes are told in groups', { skip }, async () => {
  const items = Array.from({ length: 300 }, (_, n) => ({ id: `r${n}`, title: `Row ${n}` }))
  await tests.server.put('groups', items)
  await tests.server.put('groups', items.slice(40).map((item, n) => (n < 60 ? { ...item, read: true } : item)))
  const page = await open(place('groups'))
  await until(page, '#change-title', /100 changes/)
  assert.deepEqual(await texts(page, '#words summary'), [
    '60 changed: Row 40, Row 41, Row 42 and 57 others', '40 deleted: Row 0, Row 1, Row 2 and 37 others',
  ])
  await click(page, '#words summary')
  await until(page, '#words', /Row 99 changed: read set to true/)
  assert.deepEqual(page.complaints, [])
})

test('the list has titles first, ids second; the arrows go from change to change', { skip }, async () => {
  await tests.server.put('titles', [{ id: 7, name: 'A name' }, { id: 'only-an-id' }])
  const page = await open(place('titles'))
  await until(page, '#list', /A name.*only-an-id/)
  assert.deepEqual(await texts(page, '#list .id'), ['7'])
  assert.deepEqual(await page.call(() => ['#previous', '#next'].map((id) => document.querySelector(id).disabled)), [true, true])
  await tests.server.put('titles', [{ id: 7, name: 'A name', detail: 'changed' }, { id: 'only-an-id' }])
  await until(page, '#words', /A name changed: detail set to "changed"/)
  await click(page, '#next')
  await until(page, '#list [aria-selected=true]', /A name/)
  assert.deepEqual(page.complaints, [])
})

test('items whose ids are elsewhere are shown by those', { skip }, async () => {
  await tests.server.put('keys', [])
  await tests.server.request('PUT', '/collections/keys/settings', { idPath: '/key' })
  await tests.server.put('keys', [{ key: 'a', title: 'A title' }])
  const page = await open(place('keys'))
  await until(page, '#list', /A title.*a/)
  assert(!(await texts(page, '#list, #change')).join().includes('undefined'))
  assert.deepEqual(page.complaints, [])
})

test('sections whose ids are elsewhere are shown, and what changes in them', { skip }, async () => {
  const section = (key, title, ...items) => ({ key, title, items: items.map((key) => ({ key, name: `Item ${key}` })) })
  await tests.server.put('keyed', { settings: { idPath: '/key' }, sections: [section('s', 'One', 'a', 'b')] })
  await tests.server.put('keyed', { settings: { idPath: '/key' }, sections: [section('t', 'Two', 'b'), section('s', 'One', 'a')] })
  const page = await open(place('keyed'))
  await until(page, '#steps', /Before1/)
  assert.deepEqual(await texts(page, '#words li'), ['Section Two is new at the top', 'Item b moved from One to the top of Two'])
  assert.deepEqual(await rows(page), ['Two new', 'Item b moved', 'One', 'Item a'])
  assert.deepEqual(page.complaints, [])
})

test('the index comes in pages, and is searched', { skip }, async (t) => {
  const server = await alone(t, {})
  const writes = Array.from({ length: 120 }, (_, n) => ({ collection: `c${n + 1000}`, put: [] }))
  const headers = { 'Content-Type': 'application/json' }
  const url = `${server.origin}/v1/clients/many/batch`
  assert((await fetch(url, { method: 'POST', headers, body: JSON.stringify({ writes }) })).ok)
  const page = await open({}, { server })
  await until(page, '#index-state', /100 lists/)
  assert(await isSeen(page, '#choose'))
  await click(page, '#more')
  await until(page, '#index-state', /120 lists/)
  assert(!await isSeen(page, '#more'))
  await enter(page, '#search', '111')
  await until(page, '#index-state', /10 lists/)
  assert.deepEqual(page.complaints, [])
})

test('what changes elsewhere has a badge; clients and lists are found by themselves', { skip }, async (t) => {
  const server = await alone(t, {}, [])
  await server.put('other', [{ id: 1 }])
  const page = await open(place('inbox'), { server })
  await until(page, '#collections', /other1 item · version 1/)
  for (const n of [1, 2]) await server.put('other', [{ id: 1, n }, { id: n + 1 }])
  await until(page, '#collections', /other2 items · just now2 changes/)
  await click(page, '[data-entry="u42/other"]')
  await until(page, '#state', /Live, version 3/)
  assert(!(await texts(page, '#collections')).join().includes('changes'))
  const body = JSON.stringify([{ id: 1 }])
  await fetch(`${server.origin}/v1/clients/ada/collections/films`, { method: 'PUT', body, headers: { 'Content-Type': 'application/json' } })
  await until(page, '#clients', /ada.*u42/)
  await click(page, '[data-entry=ada]')
  await until(page, '#heading', /films/)
  assert.deepEqual(page.complaints, [])
})

test('a list that does not exist and a name that is none look like what they are', { skip }, async () => {
  const missing = await open(place('not-there'))
  await until(missing, '#state', /There is no list not-there of u42 yet; it is waited for/)
  await tests.server.put('not-there', [{ id: 1, title: 'now' }])
  await until(missing, '#list', /now/)
  const wrong = await open({ client: 'u42', collection: 'a b' })
  await until(wrong, '#state', /1 to 128/)
  assert.deepEqual([...missing.complaints, ...wrong.complaints], [])
})

test('what is markup in a list is text on the page', { skip }, async () => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  await tests.server.put('evil', { sections: [{ id: evil.slice(0, 30), title: evil, items: [{ id: '"><b>', title: evil }] }] })
  await tests.server.put('evil', { sections: [{ id: evil.slice(0, 30), title: evil, items: [{ id: '"><b>', title: evil, [evil]: evil }] }] })
  const page = await open(place('evil'))
  await until(page, '#words', /onerror/)
  assert.equal(await page.call(() => document.querySelectorAll(':is(#list, #words) :is(img, script)').length), 0)
  assert.match(await page.call(() => document.title), /^evil of u42/)
  assert.deepEqual(page.complaints, [])
})

test('versions are one line to scrub, each with what it changed; a link to one shows the same', { skip }, async () => {
  const versions = []
  for (const n of [1, 2, 3]) versions.push((await tests.server.put('past', [{ id: 'a', n }, { id: 'b' }, ...(n === 2 ? [{ id: 'c' }] : [])])).version)
  const page = await open(place('past', { from: versions[0], to: versions[1] }))
  await until(page, '#version', /^Version 2, just now: 1 new, 1 changed$/)
  assert.deepEqual(await texts(page, '#words li'), ['c is new at the end', 'a changed: n from 1 to 2'])
  assert.equal(await page.call(() => document.querySelectorAll('#bars .chosen i').length), 2)
  const depth = await page.call(() => history.length)
  await page.call(() => document.querySelector('#scrub').focus())
  await press(page, 'End')
  await until(page, '#version', /^Version 3, just now: 1 changed, 1 deleted$/)
  await until(page, '#words', /c was deleted/)
  await press(page, 'ArrowLeft')
  await until(page, '#version', /^Version 2/)
  await press(page, 'Home')
  await until(page, '#change-title', /No change to show yet/)
  await press(page, 'End')
  await until(page, '#version', /^Version 3/)
  assert(await page.call((depth) => history.length <= depth + 2, depth), 'the way back does not lead through all that was scrubbed')
  await enter(page, '#base', versions[0])
  await until(page, '#change-versions', /From version 1 to version 3/)
  assert.deepEqual(await texts(page, '#words li'), ['a changed: n from 1 to 3'])
  await enter(page, '#held', 'zzzzzzzz.1.AAAAAAAAAAAAAAAA')
  await page.call(() => document.querySelector('#why').requestSubmit())
  await until(page, '#explained', /lineage-changed: .* deleted and created again/)
  await click(page, '#live')
  await until(page, '#state', /Live, version 3/)
  assert.deepEqual(page.complaints, [])
})

test('a filter, an order and a window are in the address; what left is told; a window moves', { skip }, async () => {
  const items = Array.from({ length: 40 }, (_, n) => ({ id: `r${n}`, title: `Row ${n}`, unread: n % 2 === 0 }))
  await tests.server.put('filter', items)
  const page = await open(place('filter'))
  await until(page, '#list', /Row 1/)
  const ask = async (fields) => {
    for (const [id, value] of Object.entries(fields)) await enter(page, `#${id}`, value)
    await page.call(() => document.querySelector('#filter').requestSubmit())
  }
  await ask({ where: '/unread:eq:true and /title:ne:"Row 2"', order: '/title:desc', window: 'first:3' })
  await until(page, '#about', /items 1 to 3 of 19 that match/)
  assert.deepEqual(await rows(page), ['Row 8', 'Row 6', 'Row 4'])
  const hash = await page.call(() => location.hash)
  await tests.server.edit('filter', [{ op: 'merge', id: 'r8', value: { unread: false } }])
  await until(page, '#words', /Row 8 left what is shown, and is still in the list/)
  await until(page, '#about', /of 18 that match/)
  await ask({ window: 'at:15:3' })
  await until(page, '#about', /items 16 to 18 of 18/)
  assert.deepEqual(await rows(page).then((all) => all.map((text) => text.replace(' new', ''))), ['Row 12', 'Row 10', 'Row 0'])
  await click(page, '#show-all')
  await until(page, '#about', /40 items/)
  assert.equal(await page.call(() => location.hash), `#${new URLSearchParams(place('filter'))}`)
  assert.deepEqual(page.complaints, [])
  const other = await open(Object.fromEntries(new URLSearchParams(hash.slice(1))))
  await until(other, '#about', /items 1 to 3 of 18 that match/)
  assert.equal(await other.call(() => document.querySelector('#where').value), '/unread:eq:true and /title:ne:"Row 2"')
})

test('what is wrong with a filter is said, and marked where it is', { skip }, async () => {
  await tests.server.put('wrong', [{ id: 'a', title: 'Ä', n: 1 }])
  const page = await open(place('wrong', { where: '/title:eq:Ä and /tïtle:like:Ä' }))
  await until(page, '#filter-error', /There is no operator like/)
  const marked = () => page.call(() => {
    const control = document.querySelector('#filter [aria-invalid]')
    return [document.querySelector('#filter-error mark').textContent, control.id, control.value.slice(control.selectionStart, control.selectionEnd)]
  })
  assert.deepEqual(await marked(), ['like', 'where', 'like'])
  await enter(page, '#where', '')
  await enter(page, '#window', 'first:many')
  await page.call(() => document.querySelector('#filter').requestSubmit())
  await until(page, '#filter-error', /Expected a number of items/)
  assert.deepEqual(await marked(), ['many', 'window', 'many'])
  await click(page, '#show-all')
  await until(page, '#list', /Ä/)
  assert.equal(await page.call(() => document.querySelector('#filter-error').textContent), '')
  assert.deepEqual(page.complaints, [])
})
