// What an outbox makes of answers that are no receipts: those of proxies, of a service that is busy, and refusals.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Replica, follow } from '../livedelta.js'
import { Outbox } from '../livedelta-outbox.js'
import { Proxy } from './support/proxy.js'
import { Server } from './support/server.js'
import { nextProblem, until } from './support/until.js'

const { random } = Math
const PROBLEM = 'application/problem+json'
let number = 0
let name
let server
let proxy
let end

before(async () => (server = await Server.start()))
after(() => server.stop())
beforeEach(async () => {
  name = `list${number++}`
  proxy = await Proxy.start(server)
  end = new AbortController()
  Math.random = () => 0.01 // short pauses
  await server.put(name, [{ id: 'a', n: 1 }])
})
afterEach(async () => {
  Math.random = random
  end.abort()
  await proxy.stop()
})

async function opened(storage = {}) {
  const { signal } = end
  const source = follow(proxy.client, { collection: name, signal })
  const outbox = new Outbox(source, `${proxy.client}/collections/${name}`, { storage, signal })
  const problems = []
  outbox.addEventListener('problem', ({ detail }) => problems.push(detail))
  await until(source, ({ status }) => status === 'live')
  return { outbox, storage, problems, source }
}

/** The pauses of the outbox while `body` runs, which end at once. */
async function pauses(body) {
  const { setTimeout } = globalThis
  const spans = []
  globalThis.setTimeout = (action, span, ...more) => {
    if (!/livedelta-outbox/.test(new Error().stack)) return setTimeout(action, span, ...more)
    spans.push(span)
    return setTimeout(action, 0)
  }
  Math.random = () => 1
  try {
    await body()
  } finally {
    globalThis.setTimeout = setTimeout
  }
  return spans
}

/** Answers the first PATCHes itself; returns the keys of all. */
function answering(...answers) {
  const keys = []
  proxy.intercept = ({ method, headers }, response) => {
    if (method !== 'PATCH') return false
    const answer = answers[keys.push(headers['idempotency-key']) - 1]
    if (answer) response.writeHead(answer.status, answer.fields).end(answer.body)
    return !!answer
  }
  return keys
}

const answer = (status, body, type, fields = {}) => ({ status, body, fields: { ...(type && { 'Content-Type': type }), ...fields } })
const problem = (status, code) => answer(status, JSON.stringify({ status, code, title: code }), PROBLEM)

const KEPT = {
  'HTML 404': answer(404, 'default backend - 404', 'text/html'),
  'HTML 403': answer(403, '<p>Forbidden</p>', 'text/html'),
  'HTML 405': answer(405, '<p>Not allowed</p>', 'text/html'),
  'HTML 412': answer(412, '<p>No</p>', 'text/html'),
  'HTML 413': answer(413, '<p>Too large</p>', 'text/html'),
  '404 without a body': answer(404),
  'JSON that is no problem': answer(409, '{"code":"edit-conflict"}', 'application/json'),
  'a problem without a code': answer(422, '{"title":"no"}', PROBLEM),
  'a problem of no protocol': problem(403, 'blocked-by-waf'),
  'a problem that is cut off': answer(409, '{"code":"edit-co', PROBLEM),
  'a problem that is null': answer(409, 'null', PROBLEM),
  'a page to log in, as a success': answer(200, '<p>Log in</p>', 'text/html'),
  'JSON that is no receipt': answer(200, '{"ok":true}', 'application/json'),
  'a refusal, as a success': answer(200, '{"code":"edit-conflict"}', PROBLEM),
  'a success without a body': answer(204),
  'not modified': answer(304),
  'a redirect': answer(307, '', null, { Location: '/elsewhere' }),
  'a redirect to a page': answer(302, '', null, { Location: '/elsewhere' }),
  ...Object.fromEntries(
    ['not-found', 'method-not-allowed', 'method-not-implemented', 'bad-request', 'misdirected', 'origin-not-allowed', 'not-applied',
      'precondition-required', 'unauthenticated', 'token-expired', 'rate-limited', 'idempotency-in-flight', 'overloaded',
      'too-many-parked', 'too-much-work', 'store-unavailable', 'outcome-unknown', 'draining', 'storage-full', 'source-failed',
      'internal', 'view-changed'].map((code) => [code, problem(400, code)]),
  ),
}

for (const [what, given] of Object.entries(KEPT)) {
  test(`an edit is sent again after ${what}`, async () => {
    const { outbox, storage, problems } = await opened()
    const keys = answering(given, given)
    const taken = outbox.edit({ op: 'merge', id: 'a', value: { n: 2 } })
    assert.equal(Object.keys(storage).length, 1)
    const { seq } = await taken
    assert.equal(seq, 2)
    assert.equal(keys.length, 3)
    assert.equal(new Set(keys).size, 1)
    assert.deepEqual(Object.keys(storage), [])
    assert.equal(problems.filter(({ edits }) => edits).length, 0)
    assert(proxy.requests.every((url) => !/elsewhere/.test(url)))
  })
}

const FINAL = ['bad-json', 'bad-snapshot', 'body-too-large', 'collection-not-found', 'duplicate-id', 'edit-conflict', 'has-source',
  'idempotency-key-reuse', 'insufficient-scope', 'too-deep', 'too-many-items']

for (const code of FINAL) {
  test(`an edit is given up after ${code}`, async () => {
    const { outbox, storage, problems } = await opened()
    const keys = answering(problem(409, code), problem(409, code))
    const edit = { op: 'merge', id: 'a', value: { n: 2 } }
    await assert.rejects(outbox.edit(edit), { code })
    assert.equal(keys.length, 1)
    assert.deepEqual(Object.keys(storage), [])
    assert.deepEqual(problems.map(({ code, edits }) => ({ code, edits })), [{ code, edits: [edit] }])
    assert.equal(outbox.item('a').n, 1)
  })
}

test('pauses grow, are as long as the service asks for, and at most an hour', async () => {
  const spans = await pauses(async () => {
    const { outbox } = await opened()
    const busy = (wait) => answer(503, '{"code":"overloaded"}', PROBLEM, wait && { 'Retry-After': wait })
    answering(busy(), busy(), busy('7'), busy('9999999999'), busy('soon'), busy('-5'), busy())
    await outbox.edit({ op: 'merge', id: 'a', value: { n: 2 } })
  })
  assert.deepEqual(spans, [250, 500, 1000 + 7000, 2000 + 3_600_000, 4000, 8000, 16000])
})

test('an edit that rests on another version is sent again after a pause, also if nothing newer comes', async () => {
  const { version } = await server.get(name)
  const source = new Replica({ held: { kind: 'snapshot', version, seq: 1, sections: [{ id: '', items: [{ id: 'a', n: 1 }] }] } })
  source.status = 'live'
  let asked = 0
  source.addEventListener('again', () => asked++)
  const conflict = problem(412, 'version-conflict')
  const keys = answering(conflict, conflict, conflict)
  const spans = await pauses(async () => {
    const outbox = new Outbox(source, `${proxy.client}/collections/${name}`, { storage: {}, signal: end.signal })
    await outbox.edit({ op: 'merge', id: 'a', value: { n: 2 } })
  })
  assert.equal(asked, 3)
  assert.equal(keys.length, 4)
  assert.deepEqual(spans, [250, 500, 1000])
})

test('a damaged entry of the storage loses itself alone, and is told', async () => {
  const prefix = `livedelta-edits ${proxy.client}/collections/${name} `
  const entry = (key, id) => JSON.stringify({ key, edits: [{ op: 'append', section: '', items: [{ id }] }] })
  const damaged = { '2-0.1': '{"key":"2-0.1","edits":[{"op":"app', '3-0.1': '', '4-0.1': 'null', '6-0.1': '{"key":"6-0.1"}', '7-0.1': '{"edits":5}' }
  const whole = { '1-0.1': entry('1-0.1', 'b'), '5-0.1': entry('5-0.1', 'c') }
  const others = { 'another app': '{', [`livedelta-edits ${proxy.client}/collections/other 1-0.1`]: '{' }
  const kept = Object.fromEntries(Object.entries({ ...damaged, ...whole }).map(([key, text]) => [prefix + key, text]))
  const { outbox, storage, problems } = await opened({ ...kept, ...others })
  assert.deepEqual(problems.map(({ code, text }) => [code, text]), Object.values(damaged).map((text) => ['damaged', text]))
  while (outbox.pending.length) await new Promise((resolve) => outbox.addEventListener('change', resolve, { once: true }))
  const { sections } = await server.get(name)
  assert.deepEqual(sections[0].items.map(({ id }) => id), ['a', 'b', 'c'])
  assert.deepEqual(storage, others)
})

test('news of several collections are not asked for where a redirect leads', async () => {
  const { followAll } = await import('../livedelta-many.js')
  let redirects = 3
  proxy.intercept = ({ method }, response) => method === 'POST' && redirects-- > 0 && !!response.writeHead(307, { Location: '/elsewhere' }).end()
  const { [name]: list } = followAll(proxy.client, { collections: [name], signal: end.signal, stream: false })
  assert.ok(await nextProblem(list))
  await until(list, ({ status }) => status === 'live')
  assert(proxy.requests.every((url) => !/elsewhere/.test(url)))
})
