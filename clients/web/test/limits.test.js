import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { follow } from '../livedelta.js'
import { followAll } from '../livedelta-many.js'
import { Proxy } from './support/proxy.js'
import { Server } from './support/server.js'
import { plain, until } from './support/until.js'

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
const allOf = (...collections) => followAll(proxy.client, { collections, signal: end.signal })
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

for (const number of [180, 256]) {
  test(`${number} collections are followed, with the versions that are held, and after their streams broke`, async () => {
    const names = Array.from({ length: number }, (_, n) => `${name}-${n}`)
    const puts = (n) => names.map((collection) => ({ collection, put: [{ id: 'n', n }] }))
    const batch = (n) => server.request('POST', '/batch', { atomic: true, writes: puts(n) })
    await server.request('DELETE', '') // a client has 256 collections at most
    await batch(0)
    const all = Object.values(allOf(...names))
    const n = (replica) => replica.item('n')?.n
    const areAt = (wanted) => Promise.all(all.map((replica) => until(replica, () => n(replica) === wanted)))
    await areAt(0)
    assert(all.every(({ status }) => status === 'live'))
    for (const wanted of [1, 2]) {
      proxy.cut()
      await batch(wanted)
      await areAt(wanted)
    }
    assert(proxy.requests.every((url) => url.length < 8000))
    assert(proxy.requests.length < 20)
    await server.request('DELETE', '')
  })
}

for (const status of [414, 431]) {
  test(`where a URL is too long with ${status}, several collections are asked for by long polls`, async () => {
    await write(1)
    proxy.intercept = ({ method }, response) => method === 'GET' && refuse(response, status, 'bad-request')
    const { [name]: replica } = allOf(name)
    await assertNewest(replica)
    await write(1, 2)
    await assertNewest(replica)
  })

  test(`a refusal with ${status} that no other question avoids ends it, and says why`, async () => {
    proxy.intercept = (_, response) => refuse(response, status, 'bad-request')
    for (const replica of [followed(), allOf(name)[name]]) {
      await until(replica, ({ status }) => status === 'closed')
      assert.equal(replica.problem.status, status)
    }
  })
}

for (const buffers of [false, true]) {
  test(`ids beyond 2^53 are those of the service, ${buffers ? 'polled' : 'streamed'}`, async () => {
    proxy.buffers = buffers
    const ids = ['9007199254740993', '9007199254740992', '-0', '0']
    const items = (n) => ids.map((id) => ({ id: `int:${id}`, n }))
    await server.put(name, items(0))
    const replica = followed({ firstByte: 50 })
    await assertNewest(replica)
    const { version } = await server.put(name, items(1).toReversed())
    await until(replica, isAt(version))
    assert.deepEqual(replica.ids(), ids.toReversed())
    assert.deepEqual(ids.map((id) => replica.item(id)), ids.map((id) => ({ id: Number(id) ? id : replica.item(id).id, n: 1 })))
  })
}

test('ids of another member that numbers do not hold exactly end it, and say why', async () => {
  await server.request('PUT', `/collections/${name}`, { sections: [], settings: { idPath: '/key' } })
  await fetch(`${server.client}/collections/${name}`, {
    method: 'PUT', body: '[{"key":9007199254740993}]', headers: { 'Content-Type': 'application/json' },
  })
  const replica = followed({ id: ({ key }) => key })
  await until(replica, ({ status }) => status === 'closed')
  assert.equal(replica.problem.code, 'inexact-id')
})
