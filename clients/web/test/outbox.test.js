import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { follow } from '../livedelta.js'
import { Outbox } from '../livedelta-outbox.js'
import { RandomEdits } from './support/edits.js'
import { Proxy } from './support/proxy.js'
import { generator, seed } from './support/random.js'
import { Server } from './support/server.js'
import { nextProblem, plain, until } from './support/until.js'

// Every edit stays in the list, which grows with them: more would take long without trying more.
const count = Math.min(1000, Number(process.env.VERSIONS ?? 1000))
const { random } = Math
let number = 0
let name
let server
let proxy
let devices

before(async () => (server = await Server.start({ durable: true })))
after(() => server.stop())
beforeEach(async () => {
  devices = []
  name = `list${number++}`
  proxy = await Proxy.start(server)
  Math.random = () => 0.01 // short pauses
})
afterEach(async () => {
  Math.random = random
  devices.forEach((device) => device.kill())
  await proxy.stop()
})

/** A device that follows the list and edits it; what it keeps survives `kill`. */
class Device {
  storage = {}
  problems = []

  constructor(options) {
    this.options = options
    devices.push(this)
    this.start()
  }

  start() {
    this.end = new AbortController()
    const { signal } = this.end
    this.source = follow(proxy.client, { collection: name, signal })
    this.outbox = new Outbox(this.source, `${proxy.client}/collections/${name}`, { storage: this.storage, signal, ...this.options })
    this.outbox.addEventListener('problem', ({ detail }) => this.problems.push(detail))
  }

  kill() {
    this.end.abort()
  }
}

/** Waits until everything is taken or refused. */
async function quiet({ outbox }) {
  while (outbox.pending.length) await once(outbox, 'change')
}

/** Waits until everything is taken or refused and the newest version is shown. */
async function settled(device) {
  const { outbox } = device
  await quiet(device)
  const newest = await server.get(name)
  await until(outbox, ({ snapshot }) => snapshot.version === newest.version)
  assert.deepEqual(plain(outbox.snapshot), newest)
  return newest
}

test('an edit shows at once, and is a version when it was taken', async () => {
  await server.put(name, [{ id: 'a', n: 1 }, { id: 'b' }])
  const { outbox } = new Device()
  await until(outbox, ({ status }) => status === 'live')
  const taken = outbox.edit({ op: 'merge', id: 'a', value: { n: 2 } })
  assert.equal(outbox.item('a').n, 2)
  assert.equal(outbox.pending.length, 1)
  const { version, seq } = await taken
  assert.equal(seq, 2)
  await until(outbox, ({ snapshot }) => snapshot.version === version)
  assert.equal(outbox.item('a').n, 2)
})

test('what the service refuses is taken back, with the reason', async () => {
  await server.put(name, [{ id: 'a' }, { id: 'b' }])
  const device = new Device()
  const { outbox } = device
  await until(outbox, ({ status }) => status === 'live')
  let isDeaf = true
  proxy.filter = (piece) => (isDeaf ? '' : piece) // nothing is heard of the others
  proxy.next(/delta/).then(() => (isDeaf = false)) // until it is asked for
  await server.edit(name, [{ op: 'delete', ids: ['a'] }])
  const problem = nextProblem(outbox)
  const edit = { op: 'merge', id: 'a', value: { n: 2 } }
  const outcome = outbox.edit(edit)
  assert.equal(outbox.item('a').n, 2)
  await assert.rejects(outcome, { code: 'edit-conflict', status: 409 })
  assert.deepEqual((await problem).edits, [edit])
  assert.deepEqual(outbox.ids(), ['b'])
  assert.deepEqual(Object.keys(device.storage), [])
})

test('what refers to what is not there, or cannot be kept, fails at once and shows nothing', async () => {
  await server.put(name, [{ id: 'a' }])
  const full = () => { throw new Error("full") }
  const storage = new globalThis.Proxy({}, { set: full })
  const { outbox } = new Device({ storage })
  await until(outbox, ({ status }) => status === 'live')
  const { snapshot } = outbox
  await assert.rejects(outbox.edit({ op: 'delete', ids: ['b'] }), /not there/)
  await assert.rejects(outbox.edit({ op: 'delete', ids: ['a'] }), /full/)
  assert.equal(outbox.snapshot, snapshot)
})

test('an edit whose answer is lost is sent again with its key, and carried out once', async () => {
  await server.put(name, [{ id: 'a' }, { id: 'b' }])
  const { outbox } = new Device()
  await until(outbox, ({ status }) => status === 'live')
  const keys = []
  proxy.intercept = ({ headers, method }) => (method === 'PATCH' && keys.push(headers['idempotency-key']), false)
  let isLost = true
  proxy.answer = (response) => isLost && response.req.method === 'PATCH' && !(isLost = false) && !response.destroy().isOpen
  const { seq } = await outbox.edit({ op: 'move', ids: ['b'], before: 'a' })
  assert.equal(seq, 2)
  assert.equal(keys.length, 2)
  assert.equal(keys[0], keys[1])
})

test('edits of a device that was killed are sent by the next run, in order', async () => {
  await server.put(name, [])
  const device = new Device()
  await until(device.outbox, ({ status }) => status === 'live')
  proxy.intercept = ({ method }, response) => method === 'PATCH' && !response.destroy().isOpen
  for (const id of ['a', 'b', 'c']) device.outbox.edit({ op: 'append', section: '', items: [{ id }] })
  assert.deepEqual(device.outbox.ids(), ['a', 'b', 'c'])
  await nextProblem(device.outbox)
  device.kill()
  proxy.intercept = () => false
  device.start()
  assert.equal(device.outbox.pending.length, 3)
  const newest = await settled(device)
  assert.deepEqual(newest.sections[0].items.map(({ id }) => id), ['a', 'b', 'c'])
  assert.deepEqual(Object.keys(device.storage), [])
})

test('after so long that the key is forgotten, an edit of which nothing is known is not repeated', async () => {
  await server.put(name, [{ id: 'a', n: 0 }])
  const device = new Device()
  await until(device.outbox, ({ status }) => status === 'live')
  proxy.answer = (response) => response.req.method === 'PATCH' && !response.destroy().isOpen
  device.outbox.edit({ op: 'merge', id: 'a', value: { n: 1 } })
  await nextProblem(device.outbox)
  device.kill()
  const [[place, text]] = Object.entries(device.storage)
  const entry = JSON.parse(text)
  // As if the service had forgotten the key: the same edits with another, from long ago.
  device.storage[place] = JSON.stringify({ ...entry, key: `${entry.key}0`, sent: entry.sent - 24 * 3_600_000 })
  proxy.answer = () => false
  device.start()
  const { code, edits } = await nextProblem(device.outbox)
  assert.equal(code, 'outcome-unknown')
  assert.equal(edits[0].value.n, 1)
  assert.equal((await server.get(name)).seq, 2)
})

test('an edit that is made before the list is loaded rests on the version that comes', async () => {
  const { version } = await server.put(name, [{ id: 'a', n: 1 }])
  const held = []
  proxy.intercept = ({ url }, response) => /delta/.test(url) && held.push(response) > 0
  const { outbox } = new Device()
  const taken = outbox.edit({ op: 'merge', id: 'a', value: { n: 2 } })
  await proxy.next(/delta/)
  const sent = proxy.next(/list\d+$/)
  proxy.intercept = () => false
  held.forEach((response) => response.destroy())
  assert.equal((await sent).headers['if-match'], `"${version}"`)
  assert.equal((await taken).seq, 2)
})

test('edits of a list that is missing are refused', async () => {
  const { outbox } = new Device()
  await assert.rejects(outbox.edit({ op: 'append', section: '', items: [{ id: 'a' }] }), { code: 'collection-not-found' })
  assert.deepEqual(outbox.pending, [])
})

test('an edit that was sent before there was a list, long ago, is not repeated', async () => {
  await server.put(name, [{ id: 'a', n: 1 }])
  const entry = { key: '1-0.5', edits: [{ op: 'merge', id: 'a', value: { n: 2 } }], sent: Date.now() - 24 * 3_600_000, seq: 0, rests: '' }
  const storage = { [`livedelta-edits ${proxy.client}/collections/${name} ${entry.key}`]: JSON.stringify(entry) }
  const { outbox } = new Device({ storage })
  assert.equal((await nextProblem(outbox)).code, 'outcome-unknown')
  assert.equal((await server.get(name)).seq, 1)
})

test('an edit whose key is forgotten is not repeated by a device that has missed the writes since', async () => {
  await server.put(name, [{ id: 'a', n: 1 }])
  const { outbox } = new Device()
  await until(outbox, ({ status }) => status === 'live')
  proxy.filter = () => '' // nothing is heard of the others
  proxy.answer = (response) => response.req.method === 'PATCH' && !response.destroy().isOpen
  outbox.edit({ op: 'append', section: '', items: [{ id: 'b' }] }) // nobody waits for it; it is carried out, and its answer lost
  await nextProblem(outbox)
  proxy.intercept = ({ method }, response) => method === 'PATCH' && !response.destroy().isOpen
  await server.edit(name, [{ op: 'delete', ids: ['b'] }])
  const others = (round) => Array.from({ length: 50 }, (_, n) => {
    const body = JSON.stringify({ edits: [{ op: 'merge', id: 'a', value: { n: round * 50 + n + 2 } }] })
    const headers = { 'Content-Type': 'application/vnd.livedelta.edits+json', 'Idempotency-Key': `other ${round}-${n}` }
    return fetch(`${server.client}/collections/${name}`, { method: 'PATCH', headers, body })
  })
  for (let round = 0; round < 20; round++) {
    for (const { status } of await Promise.all(others(round))) assert.equal(status, 200)
  }
  proxy.intercept = proxy.answer = () => false
  const refused = new Promise((resolve) => outbox.addEventListener('problem', ({ detail }) => detail.edits && resolve(detail)))
  await proxy.next(/list\d+$/)
  proxy.filter = (piece) => piece
  proxy.cut()
  assert.equal((await refused).code, 'outcome-unknown')
  assert.equal((await server.get(name)).seq, 1003)
})

test('an edit that cannot be noted as sent, or has an answer that is none, is sent again later', async () => {
  await server.put(name, [{ id: 'a', n: 1 }])
  let writes = 0
  const isFull = () => ++writes === 2
  const storage = new globalThis.Proxy({}, {
    set(target, place, text) {
      if (isFull()) throw new Error('full')
      return Reflect.set(target, place, text)
    },
  })
  const { outbox, problems } = new Device({ storage })
  await until(outbox, ({ status }) => status === 'live')
  let answers = 0
  proxy.intercept = ({ method }, response) => method === 'PATCH' && answers++ === 0 && !!response.end('<p>Log in</p>')
  assert.equal((await outbox.edit({ op: 'merge', id: 'a', value: { n: 2 } })).seq, 2)
  assert.match(problems.map(({ message }) => message).join(), /^full,.*not valid JSON$/)
})

test(`three devices, ${count} edits, cuts and kills: each edit is taken once or refused, seed ${seed}`, { timeout: 600_000 }, async () => {
  console.log(`seed ${seed}`)
  const next = generator(seed)
  await server.put(name, { sections: [{ id: 'marks', items: [] }, { id: 'a', items: [{ id: 'x' }] }, { id: 'b', items: [] }], settings: { retention: { versions: 4 } } })
  const first = (await server.get(name)).seq
  const three = [0, 1, 2].map(() => new Device())
  const makers = three.map((_, n) => new RandomEdits(next, `d${n}-`))
  let cuts = 0
  let kills = 0
  proxy.intercept = ({ method }, response) => {
    const isCut = method === 'PATCH' && next(12) === 0
    return isCut && (cuts++, !response.destroy().isOpen)
  }
  proxy.answer = (response) => {
    const isCut = response.req.method === 'PATCH' && next(12) === 0
    return isCut && (cuts++, !response.destroy().isOpen)
  }
  const made = new Set()
  const refused = new Set()
  const note = ({ detail }) => detail.edits && refused.add(detail.edits[0].items[0].id)
  for (const { outbox } of three) {
    outbox.addEventListener('problem', note)
    await until(outbox, ({ status }) => status === 'live')
  }
  for (let n = 0; n < count; n++) {
    const at = next(3)
    const device = three[at]
    // The mark of an edit stays in the list if it is carried out, and would be refused a second time.
    const mark = `mark ${n}`
    made.add(mark)
    const rest = makers[at].next(device.outbox.snapshot.sections.filter(({ id }) => id !== 'marks'))
    const edits = [{ op: 'append', section: 'marks', items: [{ id: mark }] }, ...rest.filter(({ op }) => !/section/i.test(op) || op === 'updateSection')]
    device.outbox.edit(...edits).catch((error) => error.status || made.delete(mark)) // it did not fit what shows
    if (next(40) === 0) {
      kills++
      device.kill()
      device.start()
      device.outbox.addEventListener('problem', note)
    }
    if (next(60) === 0) proxy.cut()
    if (next(200) === 0) {
      kills++
      await server.kill()
      await server.restart()
    }
    if (three.some(({ outbox }) => outbox.pending.length > 9)) await quiet(device)
    else if (next(4) === 0) await new Promise(setImmediate)
  }
  proxy.intercept = proxy.answer = () => false
  for (const device of three) await settled(device)
  const newest = await settled(three[0])
  for (const device of three) await settled(device)
  const found = newest.sections.find(({ id }) => id === 'marks').items.map(({ id }) => id)
  const isTaken = new Set(found)
  console.log({ edits: made.size, taken: found.length, refused: refused.size, cuts, kills, versions: newest.seq - first })
  assert.equal(isTaken.size, found.length)
  for (const mark of made) assert.equal(isTaken.has(mark), !refused.has(mark), `${mark}: ${isTaken.has(mark) ? 'taken and refused' : 'lost'}`)
  assert.equal(newest.seq - first, found.length, 'each is one version')
  for (const { storage } of three) assert.deepEqual(Object.keys(storage), [])
})
