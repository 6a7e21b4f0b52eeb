import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { follow } from '../livedelta.js'
import { followAll } from '../livedelta-many.js'
import { Proxy } from './support/proxy.js'
import { RandomList, generator, seed } from './support/random.js'
import { Server } from './support/server.js'
import { plain, until } from './support/until.js'

const versions = Number(process.env.VERSIONS ?? 2000)
let server
let proxy

before(async () => {
  server = await Server.start()
  proxy = await Proxy.start(server)
  proxy.buffers = true
})

after(async () => {
  await proxy.stop()
  await server.stop()
})

/** What did not change must be the same object as before. */
function assertShared({ detail }) {
  if (!detail) return
  const { snapshot, previous } = detail
  const items = (of) => of.sections.flatMap((section) => section.items)
  const old = new Map(items(previous).map((item) => [String(item.id), item]))
  for (const item of items(snapshot)) {
    const held = old.get(String(item.id))
    if (held && JSON.stringify(held) === JSON.stringify(item)) assert.equal(item, held)
  }
  for (const section of snapshot.sections) {
    const held = previous.sections.find(({ id }) => id === section.id)
    if (held && JSON.stringify(held) === JSON.stringify(section)) assert.equal(section, held)
  }
}

/** A reader that was away: comes back with an old snapshot, and is done when it holds the newest. */
async function comeBack(held, newest, counts) {
  const away = new AbortController()
  const replica = follow(server.client, { collection: 'list', held, signal: away.signal })
  const { snapshot } = replica
  replica.addEventListener('change', ({ detail }) => detail && counts[detail.reset?.reason ?? detail.kind]++)
  replica.addEventListener('change', assertShared)
  assert.deepEqual(plain(snapshot), held)
  await until(replica, ({ snapshot }) => snapshot.version === newest.version)
  assert.deepEqual(plain(replica.snapshot), newest)
  away.abort()
}

test(`${versions} random versions: every replica equals the snapshot after each, seed ${seed}`, async () => {
  console.log(`seed ${seed}`)
  const random = generator(seed)
  const list = new RandomList(random)
  const end = new AbortController()
  const { signal } = end
  const settings = { retention: { versions: 8 } }
  await server.put('list', { ...list.next(), settings })
  await server.put('other', [{ id: 0 }])
  const { list: together, other } = followAll(server.client, { collections: ['list', 'other'], signal })
  const replicas = {
    stream: follow(server.client, { collection: 'list', signal }),
    poll: follow(proxy.client, { collection: 'list', signal, firstByte: 50 }),
    together,
  }
  for (const replica of Object.values(replicas)) replica.addEventListener('change', assertShared)
  const counts = { snapshot: 0, delta: 0, 'history-compacted': 0, 'lineage-changed': 0, deleted: 0 }
  const past = []
  for (let version = 1; version < versions; version++) {
    const isNew = random(500) === 0
    if (isNew) await server.delete('list')
    await server.put('list', isNew ? { ...list.next(), settings } : list.next())
    if (random(10) === 0) await server.put('other', [{ id: 0, version }])
    const newest = await server.get('list')
    for (const [name, replica] of Object.entries(replicas)) {
      await until(replica, ({ snapshot }) => snapshot.version === newest.version)
      assert.deepEqual(plain(replica.snapshot), newest, `${name}, version ${version}, seed ${seed}`)
      for (const section of newest.sections) {
        assert.deepEqual(replica.ids(String(section.id)), section.items.map(({ key }) => key))
        for (const item of section.items) assert.deepEqual(plain(replica.item(item.key)), item)
      }
    }
    past.push(newest)
    if (random(10) === 0) await comeBack(past[random(past.length)], newest, counts)
    if (past.length > 20) past.splice(random(past.length), 1)
  }
  const newest = await server.get('other')
  await until(other, ({ snapshot }) => snapshot.version === newest.version)
  assert.deepEqual(plain(other.snapshot), newest)
  console.log('readers that came back:', counts)
  assert(counts.delta > 0 && counts['history-compacted'] > 0)
  end.abort()
})
