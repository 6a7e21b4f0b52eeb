import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { follow } from '../livedelta.js'
import { followAll } from '../livedelta-many.js'
import { Proxy } from './support/proxy.js'
import { Server } from './support/server.js'
import { nextProblem, plain, until } from './support/until.js'

let server
let proxy
let end
let count = 0
let name

before(async () => (server = await Server.start({ durable: true })))
after(() => server.stop())
beforeEach(async () => {
  name = `list${count++}`
  end = new AbortController()
  proxy = await Proxy.start(server)
})
afterEach(async () => {
  end.abort()
  await proxy.stop()
})

const followed = (options) => follow(proxy.client, { collection: name, signal: end.signal, ...options })
const write = (...ids) => server.put(name, ids.map((id) => ({ id })))
const isAt = (version) => (replica) => replica.snapshot.version === version

/** Waits until the replica holds the newest version, and compares. */
async function assertNewest(replica) {
  const newest = await server.get(name)
  await until(replica, isAt(newest.version))
  assert.deepEqual(plain(replica.snapshot), newest)
}

/** Answers with a problem. */
function refuse(response, status, code, headers = {}) {
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
  response.end(JSON.stringify({ status, code, detail: code }))
  return true
}

test('a service that was killed is followed on by a delta, from the version held', async () => {
  await write(1, 2)
  const replica = followed()
  await assertNewest(replica)
  const { version } = replica.snapshot
  const trouble = nextProblem(replica)
  await server.kill()
  await trouble
  assert.equal(replica.status, 'connecting')
  await server.restart()
  await write(2, 3)
  const changed = new Promise((resolve) => replica.addEventListener('change', ({ detail }) => detail && resolve(detail)))
  await until(replica, ({ status }) => status === 'live')
  assert.equal((await changed).kind, 'delta')
  await assertNewest(replica)
  assert(proxy.requests.slice(1).every((url) => new URLSearchParams(url).get('since') === version))
})

test('an event that is cut off in its middle changes nothing; the next connection brings it whole', async () => {
  await write(1)
  const replica = followed()
  await assertNewest(replica)
  proxy.filter = (piece, response) => {
    proxy.filter = (piece) => piece
    setImmediate(() => response.destroy())
    return piece.subarray(0, piece.length / 2)
  }
  const trouble = nextProblem(replica)
  const { snapshot } = replica
  await write(1, 2)
  await trouble
  assert.equal(replica.snapshot, snapshot)
  await assertNewest(replica)
})

test('a stream that is cut again and again stays a stream', async () => {
  await write(1)
  const replica = followed()
  for (let cuts = 0; cuts < 3; cuts++) {
    await assertNewest(replica)
    const trouble = nextProblem(replica)
    proxy.cut()
    await trouble
    await write(1, cuts + 2)
  }
  await assertNewest(replica)
  assert(proxy.requests.every((url) => !url.includes('wait=25')))
})

test('where no byte of a stream comes through, long polls are asked, and streams no more', async () => {
  proxy.buffers = true
  await write(1)
  const replica = followed({ firstByte: 50 })
  for (let id = 2; id < 6; id++) {
    await assertNewest(replica)
    await write(1, id)
  }
  await assertNewest(replica)
  // The stream may be given up before its request arrives.
  assert(proxy.requests.filter((url) => !url.includes('wait=25')).length <= 1)
})

test('no question is asked twice when the answer to the first brought something', async () => {
  proxy.buffers = true
  await write(1)
  const replica = followed({ firstByte: 50 })
  for (let id = 2; id < 20; id++) {
    await assertNewest(replica)
    await write(id)
  }
  await assertNewest(replica)
  const [, ...polls] = proxy.requests
  assert.equal(new Set(polls).size, polls.length)
})

test('answers without news that come at once are asked for in growing intervals', async () => {
  await write(1)
  const { version } = await server.get(name)
  proxy.buffers = true
  proxy.intercept = ({ url }, response) => {
    if (!url.includes('wait=25')) return false
    response.end(JSON.stringify({ kind: 'unchanged', version }))
    return true
  }
  const drawn = []
  const { random } = Math
  Math.random = () => drawn.push(drawn.length) && 0.001
  const replica = followed({ firstByte: 50, held: await server.get(name) })
  for (let polls = 0; polls < 5; polls++) await proxy.next(/wait=25/)
  Math.random = random
  assert(drawn.length >= 4, 'each of them waits')
  assert.equal(replica.status, 'live')
})

test('a line on which nothing comes is given up', async () => {
  await write(1)
  let held = 0
  proxy.filter = (piece) => (held++ ? '' : piece)
  const replica = followed({ firstByte: 2000, silence: 1000 })
  await assertNewest(replica)
  assert.equal((await nextProblem(replica)).code, 'silence')
  await assertNewest(replica)
})

test('a delta from another version than is held is dropped, and the whole asked for', async () => {
  await write(1)
  const replica = followed()
  await assertNewest(replica)
  proxy.filter = (piece) => String(piece).replace(/"from":"[^"]*"/, '"from":"x.1.y"')
  proxy.intercept = ({ headers }) => delete headers['accept-encoding'] && false
  proxy.cut()
  await proxy.next()
  const trouble = nextProblem(replica)
  await write(1, 2)
  while ((await trouble).code !== 'mismatch') assert.fail('the problem is a mismatch')
  proxy.filter = (piece) => piece
  await assertNewest(replica)
  assert.equal(new URLSearchParams(proxy.requests.at(-1)).get('since'), '')
})

test('a version that the service cannot read is dropped, and the whole asked for', async () => {
  await write(1)
  const replica = followed({ held: { kind: 'snapshot', version: 'nonsense', sections: [] } })
  assert.equal((await nextProblem(replica)).code, 'bad-token')
  await assertNewest(replica)
})

test('a version of another lineage is replaced, with the reason', async () => {
  await write(1)
  const held = await server.get(name)
  await server.delete(name)
  await write(1, 2)
  const replica = followed({ held })
  const [{ detail }] = await once(replica, 'change')
  assert.equal(detail.reset.reason, 'lineage-changed')
  assert.equal(replica.item(1), replica.snapshot.sections[0].items[0])
  await assertNewest(replica)
})

for (const buffers of [false, true]) {
  test(`a deleted collection is empty and missing, and comes back, ${buffers ? 'polled' : 'streamed'}`, async () => {
    proxy.buffers = buffers
    await write(1)
    const replica = followed({ firstByte: 50, wait: 1 })
    await assertNewest(replica)
    await server.delete(name)
    await until(replica, ({ status }) => status === 'missing')
    assert.deepEqual(replica.snapshot.sections, [])
    assert.equal(replica.item(1), undefined)
    await write(2)
    await assertNewest(replica)
    assert.equal(replica.status, 'live')
  })
}

test('a collection that was deleted while nobody looked is empty and missing', async () => {
  await write(1)
  const held = await server.get(name)
  await server.delete(name)
  const replica = followed({ held })
  await until(replica, ({ status }) => status === 'missing')
  assert.deepEqual(replica.snapshot.sections, [])
})

test('a collection that never existed is missing, and waited for', async () => {
  const replica = followed()
  await until(replica, ({ status }) => status === 'missing')
  await write(1)
  await assertNewest(replica)
})

test('a missing collection that is told of in a stream is waited for in it', async () => {
  proxy.intercept = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write('retry: 15000\n\nevent: problem\ndata: {"status":404,"code":"collection-not-found"}\n\n')
    const data = '{"kind":"snapshot","version":"l.1.d","seq":1,"sections":[]}'
    setImmediate(() => response.write(`event: snapshot\nid: l.1.d\ndata: ${data}\n\n`))
    return true
  }
  const replica = followed()
  await until(replica, ({ status }) => status === 'missing')
  await until(replica, isAt('l.1.d'))
  assert.equal(proxy.requests.length, 1)
})

test('an expired token is asked for again, once', async () => {
  await write(1)
  const asked = []
  proxy.intercept = ({ headers }, response) => {
    return headers.authorization !== 'Bearer new' && refuse(response, 401, 'token-expired')
  }
  const token = (isStale) => asked.push(isStale) && (isStale ? 'new' : 'old')
  const replica = followed({ token })
  await assertNewest(replica)
  assert.deepEqual(asked, [undefined, true])
})

test('a token that stays refused ends it, and the loop throws', async () => {
  proxy.intercept = (_, response) => refuse(response, 401, 'unauthenticated')
  const replica = followed({ token: () => 'x' })
  await assert.rejects(async () => {
    for await (const _ of replica);
  }, { code: 'unauthenticated', status: 401 })
  assert.equal(replica.status, 'closed')
  assert.equal(proxy.requests.length, 2)
})

test('a stream that ends because its token expired goes on with another', async () => {
  await write(1)
  const asked = []
  proxy.intercept = (_, response) => {
    if (asked.at(-1)) return false
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.end('retry: 1\n\nevent: end\ndata: {"reason":"token-expired","reconnect":true}\n\n')
    return true
  }
  const replica = followed({ token: (isStale) => asked.push(isStale) && 'x' })
  await assertNewest(replica)
  assert.deepEqual(asked, [undefined, true])
})

test('a token provider that fails is asked again', async () => {
  await write(1)
  let isFirst = true
  const token = () => {
    if (!isFirst) return 'x'
    isFirst = false
    throw new Error('no network')
  }
  await assertNewest(followed({ token }))
})

test('what may not be read ends it', async () => {
  proxy.intercept = (_, response) => refuse(response, 403, 'insufficient-scope')
  const replica = followed()
  await until(replica, ({ status }) => status === 'closed')
  assert.equal(replica.problem.code, 'insufficient-scope')
})

test('a stream that the service rotates is asked for again at once', async () => {
  await write(1)
  let isFirst = true
  proxy.intercept = (_, response) => {
    if (!isFirst) return false
    isFirst = false
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.end('retry: 100000000\n\nevent: end\ndata: {"reason":"rotate","reconnect":true}\n\n')
    return true
  }
  await assertNewest(followed())
})

test('Retry-After is kept', async () => {
  await write(1)
  let refusedAt
  proxy.intercept = (_, response) => {
    if (refusedAt) return false
    refusedAt = performance.now()
    return refuse(response, 503, 'overloaded', { 'Retry-After': 1 })
  }
  const replica = followed()
  assert.equal((await nextProblem(replica)).status, 503)
  await proxy.next()
  assert(performance.now() - refusedAt >= 999)
  await assertNewest(replica)
})

test('a page of another, where an answer should be, is no answer', async () => {
  await write(1)
  let left = 3
  proxy.intercept = (_, response) => left-- > 0 && (response.end('<html>\n\nPlease log in'), true)
  await assertNewest(followed())
})

test('streams in a content coding are read event by event', async () => {
  await server.put(name, [{ id: 1, text: 'long '.repeat(1000) }])
  let coding
  proxy.filter = (piece, _, { headers }) => ((coding = headers['content-encoding']), piece)
  const replica = followed()
  await assertNewest(replica)
  await write(1, 2)
  await assertNewest(replica)
  assert.equal(coding, 'gzip')
})

for (const buffers of [false, true]) {
  test(`collections followed together change together, ${buffers ? 'polled' : 'streamed'}`, async () => {
    proxy.buffers = buffers
    const put = (n) => [`${name}a`, `${name}b`].map((collection) => ({ collection, put: [{ id: 'n', n }] }))
    const batch = (n) => server.request('POST', '/batch', { atomic: true, writes: put(n) })
    await batch(0)
    const both = followAll(proxy.client, { collections: [`${name}a`, `${name}b`, `${name}c`], firstByte: 50, signal: end.signal })
    const [a, b, c] = Object.values(both)
    const n = (replica) => replica.item('n')?.n
    for (const replica of [a, b]) replica.addEventListener('change', () => assert.equal(n(a), n(b)))
    for (let version = 0; version < 20; version++) {
      await batch(version)
      await until(b, () => n(b) === version)
    }
    await until(c, ({ status }) => status === 'missing')
    await server.put(`${name}c`, [])
    await until(c, ({ status }) => status === 'live')
    assert.equal(proxy.requests.every((url) => url.includes('/sync')), true)
  })
}

test('a signal ends the request and every loop', async () => {
  await write(1)
  const replica = followed()
  const seen = []
  for await (const { version } of replica) {
    seen.push(version)
    end.abort()
  }
  assert.equal(seen.length, 1)
  assert.equal(replica.status, 'closed')
  assert.equal(replica.problem, undefined)
})

test('a signal that was given before, or during a pause, ends it too', async () => {
  assert.equal(followed({ signal: AbortSignal.abort() }).status, 'closed')
  await server.kill()
  const replica = followed()
  await nextProblem(replica)
  end.abort()
  await until(replica, ({ status }) => status === 'closed')
  await server.restart()
})

for (const [what, options, prepare] of [
  ['the option `stream: false`', { stream: false }, () => () => {}],
  ['no `TextDecoderStream` and no `document`, as in React Native', {}, () => {
    const { TextDecoderStream } = globalThis
    delete globalThis.TextDecoderStream
    assert.equal(globalThis.document, undefined)
    return () => (globalThis.TextDecoderStream = TextDecoderStream)
  }],
]) {
  test(`with ${what} it follows by long polls, also after a failure of the network`, async () => {
    const restore = prepare()
    try {
      const accepted = []
      let isCut = false
      proxy.intercept = ({ headers }, response) => {
        accepted.push(headers.accept)
        return isCut && !(isCut = !response.destroy())
      }
      await write(1)
      const replica = followed(options)
      await assertNewest(replica)
      await write(1, 2)
      await assertNewest(replica)
      const trouble = nextProblem(replica)
      isCut = true
      await write(2)
      await trouble
      await assertNewest(replica)
      assert(accepted.length >= 3)
      assert(!accepted.includes('text/event-stream'), accepted)
    } finally {
      restore()
    }
  })
}

/** Has pauses be short while something is done. */
async function withShortPauses(act) {
  const { random } = Math
  Math.random = () => 0.01
  try {
    await act()
  } finally {
    Math.random = random
  }
}

test('answers that come in a circle, as between two caches, are reported and asked for ever more slowly', async () => {
  const answers = []
  for (const id of [1, 2]) {
    await write(id)
    answers.push(JSON.stringify(await server.get(name)))
  }
  let isBroken = true
  let turn = 0
  proxy.intercept = (_, response) => isBroken && (response.end(answers[turn++ % 2]), true)
  await withShortPauses(async () => {
    const replica = followed({ stream: false })
    assert.equal((await nextProblem(replica)).code, 'loop')
    assert(turn <= 13, `${turn} requests`)
    isBroken = false
    await write(3)
    await assertNewest(replica)
  })
})

test('streams that end at once, again and again, are reported and asked for ever more slowly', async () => {
  let turn = 0
  proxy.intercept = (_, response) => {
    turn++
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.end('event: end\ndata: {"reason":"rotate","reconnect":true}\n\n')
    return true
  }
  await withShortPauses(async () => {
    assert.equal((await nextProblem(followed())).code, 'loop')
    assert(turn <= 14, `${turn} requests`)
  })
})

test('a refusal for good is told as a problem before the replica is closed', async () => {
  await write(1)
  proxy.intercept = (_, response) => refuse(response, 403, 'insufficient-scope')
  const replica = followed()
  const told = []
  replica.addEventListener('problem', ({ detail }) => told.push(`${detail.code} while ${replica.status}`))
  await until(replica, ({ status }) => status === 'closed')
  assert.deepEqual(told, ['insufficient-scope while connecting'])
  assert.equal(replica.problem.code, 'insufficient-scope')
})
