import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, beforeEach, afterEach, test } from 'node:test'
import { Disconnected, OutcomeUnknown, Problem, Service, edits, put, remove } from '../node/writer.js'
import { Proxy } from './support/proxy.js'
import { generator, seed } from './support/random.js'
import { Server } from './support/server.js'

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../conformance/vectors/${name}.json`, import.meta.url)))
const { random } = Math
let server
let proxy
let service // straight
let behind // behind the proxy
let count = 0

before(async () => {
  server = await Server.start({ durable: true })
  service = new Service(server.origin)
}, { timeout: 600_000 })
after(() => server.stop())
beforeEach(async () => {
  proxy = await Proxy.start(server)
  behind = new Service(new URL(proxy.client).origin)
})
afterEach(async () => {
  Math.random = random
  await proxy.stop()
})

const fresh = (from = service) => from.collection('u42', `list${++count}`)
const refused = (code, work) => assert.rejects(work, (error) => error instanceof Problem && error.code === code)
const items = async (collection) => (await collection.get()).sections.flatMap(({ items }) => items)

test('a put has a receipt, and one that changes nothing says so', async () => {
  const inbox = fresh()
  const first = await inbox.put({ items: [{ id: 1 }, { id: 2 }] })
  assert.deepEqual([first.changed, first.previous, first.counts.inserted, first.replayed], [true, null, 2, false])
  const again = await inbox.put([{ id: 1 }, { id: 2 }])
  assert.deepEqual([again.changed, again.version], [false, first.version])
})

test('conditions are held', async () => {
  const inbox = fresh()
  const first = await inbox.put([], { create: true })
  await refused('collection-exists', () => inbox.put([], { create: true }))
  const second = await inbox.put([{ id: 'a' }], { ifVersion: first.version })
  await assert.rejects(() => inbox.put([], { ifVersion: first.version }), ({ code, status, current }) => code === 'version-conflict' && status === 412 && current === second.version)
  await refused('version-conflict', () => inbox.delete({ ifVersion: first.version }))
  assert.equal((await inbox.revert(first.version)).changed, true)
  assert.deepEqual(await items(inbox), [])
  assert.equal(await inbox.delete(), true)
  assert.equal(await inbox.delete(), false)
  assert.equal(await inbox.get(), undefined)
})

test('a batch is made whole, or says what was refused', async () => {
  const [first, second] = [fresh(), fresh()]
  const { version } = await first.put([{ id: 'a' }])
  const results = await service.batch('u42', [put(second.name, [{ id: 1 }]), edits(first.name, [{ op: 'delete', ids: ['a'] }], { ifVersion: version })])
  assert.equal(results.get(second.name).version, (await second.get()).version)
  assert.deepEqual(await items(first), [])
  const writes = [remove(first.name), put(second.name, [{ id: 2 }], { ifVersion: 'aaaaaaaa.1.bbbbbbbbbbbbbbbb' })]
  await assert.rejects(() => service.batch('u42', writes), Problem)
  assert(await first.get())
  const some = await service.batch('u42', writes, { atomic: false })
  assert.equal(await first.get(), undefined)
  assert.equal(some.get(second.name).code, 'version-conflict')
})

test('a key makes a write once', async () => {
  const inbox = fresh()
  await inbox.put([])
  const edit = [{ op: 'append', section: '', items: [{ id: 'a' }] }]
  const first = await inbox.edit(edit, { key: 'k1' })
  const again = await inbox.edit(edit, { key: 'k1' })
  assert.deepEqual([again.version, again.replayed], [first.version, true])
  await refused('idempotency-key-reuse', () => inbox.edit([], { key: 'k1' }))
})

test('updates of many are all made', async () => {
  const inbox = fresh()
  const add = (n) => inbox.update(({ sections: [section = { id: '', items: [] }] }) => [...section.items, { id: `n${n}` }])
  await Promise.all(Array.from({ length: 8 }, (_, n) => add(n)))
  assert.deepEqual((await items(inbox)).map(({ id }) => id).sort(), Array.from({ length: 8 }, (_, n) => `n${n}`))
  assert.equal(await inbox.update(() => undefined), undefined)
})

test('the kit: each pair of versions is written and read back, by puts and by a batch', async () => {
  const list = fresh()
  const as = (content) => (Array.isArray(content) ? { sections: [{ id: '', items: content }] } : content.sections ? content : { sections: [{ id: '', items: content.items ?? [] }] })
  const pairs = vectors('pairs').filter(({ old, new: now }) => ![old, now].some((content) => /\d{16}|e\d/i.test(JSON.stringify(content))))
  assert(pairs.length > 300)
  for (const [n, { name, old, new: now }] of pairs.entries()) {
    await list.put(old)
    if (n % 2) await service.batch('u42', [put(list.name, now)])
    else await list.put(now)
    const { sections, meta } = await list.get()
    assert.deepEqual(sections, as(now).sections, name)
    assert.deepEqual(meta, now.meta, name)
  }
})

test('the kit: what is refused has its code', async () => {
  const client = 'errors'
  let tried = 0
  await service.collection(client, 'list').put({ sections: [{ id: 's', items: [{ id: 'a' }, { id: 'b' }] }] })
  for (const { name, method, path, body, code, headers = {} } of vectors('errors')) {
    const type = method === 'PUT' ? 'application/json' : 'application/vnd.livedelta.edits+json'
    if (!/^(PUT|PATCH)$/.test(method) || JSON.stringify(headers) !== JSON.stringify({ 'Content-Type': type })) continue
    const found = /^\/v1\/clients\/{client}\/collections\/(\w+)$/.exec(path)
    let content = body
    try {
      if (typeof body === 'string') content = JSON.parse(body)
    } catch {
      continue // a writer sends no such text
    }
    // Through objects of JavaScript 1e400, numbers of many digits and repeated members are something else.
    if (!found || content === undefined || (typeof body === 'string' && JSON.stringify(content) !== body)) continue
    const collection = service.collection(client, found[1])
    if (method === 'PATCH' && !content?.edits) continue
    tried++
    const error = await (method === 'PUT' ? collection.put(content) : collection.edit(content.edits)).catch((error) => error)
    assert(error instanceof Problem, `${name}: ${JSON.stringify(error)}`)
    assert.equal(error.code, code, name)
  }
  console.log(`${tried} refusals`)
  assert(tried >= 20)
})

test(`writes whose connections are cut and whose answers are lost are made once, seed ${seed}`, async () => {
  const chance = generator(seed)
  Math.random = () => 0.01 // short pauses
  const inbox = fresh(behind)
  await inbox.put([])
  proxy.intercept = (request, response) => chance(4) === 0 && (response.destroy(), true)
  proxy.answer = (response) => {
    const kind = chance(6)
    if (kind === 0) response.destroy()
    if (kind === 1) response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': 0 }).end('{"code":"outcome-unknown","status":503}')
    if (kind === 2) response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
    return kind < 3
  }
  for (let n = 0; n < 40; n++) await inbox.edit([{ op: 'append', section: '', items: [{ id: `n${n}` }] }])
  proxy.intercept = () => false
  proxy.answer = () => false
  assert.deepEqual((await items(inbox)).map(({ id }) => id), Array.from({ length: 40 }, (_, n) => `n${n}`))
  assert.equal((await inbox.get()).seq, 41)
})

test('what stays unknown is said with the key, which finds it out later', async () => {
  const impatient = new Service(new URL(proxy.client).origin, { patience: 300 })
  const inbox = fresh(impatient)
  await inbox.put([])
  proxy.answer = (response) => (response.destroy(), true)
  const edit = [{ op: 'append', section: '', items: [{ id: 'a' }] }]
  let key
  await assert.rejects(() => inbox.edit(edit), (error) => error instanceof OutcomeUnknown && (key = error.key) && error.message.includes(key))
  proxy.answer = () => false
  assert.equal((await inbox.edit(edit, { key })).replayed, true)
  assert.equal((await inbox.get()).seq, 2)
})

test('only the service makes a write succeed: no page of a proxy, no redirect, no other JSON', async () => {
  const answers = createServer((request, response) => answer(response))
  let answer
  await new Promise((resolve) => answers.listen(0, '127.0.0.1', resolve))
  const list = new Service(`http://127.0.0.1:${answers.address().port}`, { patience: 100 }).collection('u42', 'list')
  const cases = [
    [(response) => response.writeHead(301, { Location: 'https://elsewhere.example/' }).end(), (error) => error instanceof Problem && /redirect to https:\/\/elsewhere/.test(error.message)],
    [(response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1>'), OutcomeUnknown],
    [(response) => response.writeHead(200).end('{}'), OutcomeUnknown],
    [(response) => response.writeHead(200).end(), OutcomeUnknown],
    [(response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('not here'), (error) => error instanceof Problem && !error.code],
    [(response) => response.writeHead(503, { 'Content-Type': 'application/problem+json' }).end('{"code":"outcome-unknown"}'), OutcomeUnknown],
  ]
  for (const [way, expected] of cases) {
    answer = way
    await assert.rejects(() => list.put([]), expected)
  }
  answer = cases[4][0]
  await assert.rejects(() => list.get(), Problem)
  await assert.rejects(() => list.delete(), Problem)
  answers.close()
  const gone = createServer()
  await new Promise((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address()
  await new Promise((resolve) => gone.close(resolve))
  const nobody = new Service(`http://127.0.0.1:${port}`, { patience: 50 }).collection('u42', 'list')
  await assert.rejects(() => nobody.put([]), (error) => error instanceof Disconnected && !(error instanceof OutcomeUnknown))
  assert.throws(() => new Service('ftp://127.0.0.1'), /is not http/)
})

test('a token that was refused is replaced once, and names are encoded', async () => {
  const asked = []
  let valid = 'Bearer new'
  proxy.intercept = ({ headers, url }, response) => {
    asked.push(url)
    if (headers.authorization === valid) return false
    response.writeHead(401, { 'Content-Type': 'application/problem+json' }).end('{"status":401,"code":"token-expired"}')
    return true
  }
  let token = 'old'
  const guarded = new Service(new URL(proxy.client).origin, { token: (isStale) => (token = isStale ? 'new' : token) })
  await guarded.collection('a:b@c', 'x.y~z').put([])
  assert.deepEqual(asked, Array(2).fill('/v1/clients/a%3Ab%40c/collections/x.y~z'))
  assert(await service.collection('a:b@c', 'x.y~z').get())
  valid = 'Bearer none'
  await refused('token-expired', () => guarded.collection('u42', 'list').put([]))
  assert.equal(asked.length, 4)
})
