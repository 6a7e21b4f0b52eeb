// Views, against a service that answers by a script.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Replica } from '../livedelta.js'
import { view } from '../livedelta-view.js'
import { until } from './support/until.js'

let service
let url
let answers
let asked
let open
let end

before(async () => {
  service = createServer(async (request, response) => {
    const query = decodeURIComponent(request.url.split('items=patch')[1])
    asked.push(query)
    open.add(response)
    response.on('close', () => open.delete(response))
    const answer = await answers.shift() // it may be a promise
    if (!answer) return // it waits
    if (!request.headers.accept.includes('event-stream')) return response.end(JSON.stringify(answer))
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(`event: ${answer.kind}\ndata: ${JSON.stringify(answer)}\n\n`)
  })
  await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${service.address().port}/v1/clients/u42`
})
after(() => service.close())
beforeEach(() => {
  asked = []
  open = new Set()
  end = new AbortController()
})
afterEach(() => {
  end.abort()
  service.closeAllConnections()
})

const snapshot = (version, seq, id, start, total = 9) => ({
  kind: 'snapshot', collection: 'list', version, seq, view: { total, start, count: 1 }, sections: [{ id: '', items: [{ id }] }],
})
const delta = (from, to, seq, removed, added, gone, start) => ({
  kind: 'delta', collection: 'list', from, to, seq, view: { total: 9, start, count: 1 }, order: [''], removed: [removed],
  added: [['', 0, added]], changed: [], items: { [added]: { id: added } }, sections: {}, deleted: [], left: [], ...gone,
})
const shows = (id) => (replica) => replica.ids()[0] === id
const terms = { where: ['/n:ge:1', '/unread:eq:true'], select: ['/n', '/t'], order: '/n:desc', sections: 'flat' }
const all = '&where=/n:ge:1&where=/unread:eq:true&select=/n,/t&order=/n:desc&sections=flat'

for (const stream of [true, false]) {
  const rest = stream ? '' : '&missing=wait&wait=25'

  test(`a window that moves is asked for with the one that is held, ${stream ? 'streamed' : 'polled'}`, async () => {
    answers = [snapshot('v.1.a', 1, 'a', 0)]
    const replica = view(url, { collection: 'list', ...terms, window: 'first:1', stream, signal: end.signal })
    await until(replica, shows('a'))
    assert.deepEqual(replica.snapshot.view, { total: 9, start: 0, count: 1 })
    answers = [delta('v.1.a', 'v.1.a', 1, 'a', 'b', { left: ['a'] }, 4)]
    if (!stream) await new Promise(setImmediate)
    replica.setWindow('at:4:1')
    await until(replica, shows('b'))
    assert.equal(replica.snapshot.view.start, 4)
    assert.equal(replica.item('a'), undefined)
    answers = [delta('v.1.a', 'v.2.b', 2, 'b', 'c', { deleted: ['b'] }, 5)]
    replica.setWindow('around:c:0:0')
    await until(replica, shows('c'))
    const moves = asked.filter((query, n) => query !== asked[n - 1] && /was|since=&/.test(query))
    assert.deepEqual(moves, [
      `&since=${all}&window=first:1${rest}`,
      `&since=v.1.a${all}&window=at:4:1&was=at:0:1${rest}`,
      `&since=v.1.a${all}&window=around:c:0:0&was=at:4:1${rest}`,
    ])
  })
}

for (const stream of [true, false]) {
  test(`a window around an item that is gone stays where it stands, ${stream ? 'streamed' : 'polled'}`, async () => {
    const at = (answer, anchor) => ({ ...answer, view: { ...answer.view, anchor } })
    answers = [at(snapshot('v.1.a', 1, 'a:1', 4), 'a:1'), at(delta('v.1.a', 'v.2.b', 2, 'a:1', '$&', { deleted: ['a:1'] }, 3), '$&')]
    const replica = view(url, { collection: 'list', window: 'around:a:1:0:0', stream, signal: end.signal })
    await until(replica, shows('a:1'))
    replica.dispatchEvent(new Event('again'))
    await until(replica, shows('$&'))
    answers = [at(delta('v.2.b', 'v.3.c', 3, '$&', 'c', { left: ['$&'] }, 0), 'c')]
    replica.dispatchEvent(new Event('again'))
    await until(replica, shows('c'))
    assert.deepEqual(asked.filter((query, n) => query !== asked[n - 1]).slice(0, 3).map((query) => query.split('&missing')[0]), [
      '&since=&window=around:a:1:0:0', '&since=v.1.a&window=around:a:1:0:0', '&since=v.2.b&window=around:$&:0:0',
    ])
  })
}

for (const stream of [true, false]) {
  test(`a window that moves while another is asked about is asked about next, and none between, ${stream ? 'streamed' : 'polled'}`, async () => {
    answers = [snapshot('v.1.a', 1, 'a', 0)]
    const replica = view(url, { collection: 'list', window: 'first:1', stream, signal: end.signal })
    await until(replica, shows('a'))
    let give
    const arrived = new Promise((resolve) => {
      answers = [{ then: (answer) => resolve((give = answer)) }]
    })
    replica.setWindow('at:4:1')
    await arrived
    for (let at = 5; at < 50; at++) {
      replica.setWindow(`at:${at}:1`)
      await new Promise(setImmediate)
    }
    assert(asked.at(-1).includes('&window=at:4:1&was=at:0:1'))
    const before = asked.length
    answers = [delta('v.1.a', 'v.1.a', 1, 'b', 'c', { left: ['b'] }, 49)]
    give(delta('v.1.a', 'v.1.a', 1, 'a', 'b', { left: ['a'] }, 4))
    await until(replica, shows('c'))
    assert(asked[before].includes('&window=at:49:1&was=at:4:1'), asked[before])
    if (!stream) while (asked.length < before + 2) await new Promise(setImmediate) // it waits for news
    assert.equal(asked.length, before + (stream ? 1 : 2))
    assert.equal(replica.snapshot.view.start, 49)
    while (open.size > 1) await new Promise(setImmediate)
    replica.setWindow('at:49:1')
    assert.equal(open.size, 1, 'what is shown is not asked about again')
  })
}

test('a hundred windows, one after the other, are asked about without a pause', async () => {
  answers = [snapshot('v.1.a', 1, 'i0', 0)]
  const replica = view(url, { collection: 'list', window: 'at:0:1', signal: end.signal })
  await until(replica, shows('i0'))
  asked = []
  const { random } = Math
  Math.random = () => assert.fail('there is a pause')
  try {
    for (let at = 1; at < 100; at++) {
      answers = [delta('v.1.a', 'v.1.a', 1, `i${at - 1}`, `i${at}`, { left: [`i${at - 1}`] }, at)]
      replica.setWindow(`at:${at}:1`)
      await until(replica, shows(`i${at}`))
    }
    assert.equal(asked.length, 99)
  } finally {
    Math.random = random
  }
})

test('what was kept from another time is followed on from the window that it shows', async () => {
  answers = [delta('v.1.a', 'v.2.b', 2, 'a', 'b', { left: ['a'] }, 0)]
  const held = snapshot('v.1.a', 1, 'a', 7)
  const replica = view(url, { collection: 'list', window: 'first:1', held, signal: end.signal })
  await until(replica, shows('b'))
  assert.equal(asked[0], '&since=v.1.a&window=first:1&was=at:7:1')
})

test('of a later version that shows the same the version is taken', () => {
  const replica = new Replica({ held: snapshot('v.1.a', 1, 'a', 0) })
  const { sections } = replica.snapshot
  const numbers = { total: 9, start: 0, count: 1 }
  const change = replica.apply({ kind: 'unchanged', version: 'v.2.b', seq: 2, view: numbers })
  assert.equal(change.snapshot.version, 'v.2.b')
  assert.equal(replica.snapshot.sections, sections)
  assert.deepEqual(replica.snapshot.view, numbers)
  assert.equal(replica.apply({ kind: 'unchanged', version: 'v.2.b', seq: 2 }), null)
  replica.apply({ kind: 'unchanged', version: 'v.3.c', seq: 3 }) // a bookmark of a stream
  assert.equal(replica.snapshot.version, 'v.3.c')
  assert.deepEqual(replica.snapshot.view, numbers)
})

test('a delta whose items neither stay nor are told to leave does not fit', () => {
  const replica = new Replica({ held: snapshot('v.1.a', 1, 'a', 0) })
  assert.equal(replica.apply(delta('v.1.a', 'v.2.b', 2, 'a', 'b', {}, 0)), undefined)
  assert.equal(replica.snapshot.version, 'v.1.a')
})
