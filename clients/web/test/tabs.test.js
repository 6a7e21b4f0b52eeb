import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skip } from './support/browser.js'
import { shared } from './support/shared.js'

const page = `<!doctype html><script type=module>
  import { follow } from './livedelta.js'
  import { share } from './livedelta-tabs.js'
  import { keep, load, forget } from './livedelta-store.js'
  Object.assign(window, { follow, share, keep, load, forget })
</script>`

const tests = shared({ 'page.html': page })

/** In the page: `at(version)` is the snapshot as soon as it is of this version. */
async function start(collection) {
  window.end = new AbortController()
  window.replica = share('/v1/clients/u42', { collection, signal: end.signal })
  window.at = async (version) => {
    while (replica.snapshot.version !== version) {
      await new Promise((resolve) => replica.addEventListener('change', resolve, { once: true }))
    }
    return replica.snapshot
  }
}

const at = (page, { version }) => page.call((version) => window.at(version), version)
const questions = (name) => tests.site.requests.filter((url) => url.includes(`/${name}/delta`))

test('tabs share one connection, and another goes on when the one that has it leaves', { skip }, async () => {
  await tests.server.put('shared', [{ id: 0 }])
  const first = await tests.server.get('shared')
  const pages = [await tests.open(), await tests.open(), await tests.open(), await tests.open()]
  for (const page of pages) {
    await page.call(start, 'shared')
    await at(page, first) // the first one has the lock before another asks for it
  }
  for (let version = 1; version < 20; version++) {
    await tests.server.put('shared', [{ id: version }, { id: 0 }])
    const newest = await tests.server.get('shared')
    for (const page of pages) assert.deepEqual(await at(page, newest), newest)
  }
  const leave = (page) => page.call(() => {
    end.abort()
    return new Promise((resolve) => replica.addEventListener('change', () => resolve(replica.status)))
  })
  assert.equal(await leave(pages.pop()), 'closed')
  assert.equal(questions('shared').length, 1)
  const held = await tests.server.get('shared')
  const asked = tests.site.next(/shared.delta/)
  assert.equal(await leave(pages.shift()), 'closed')
  await asked
  await tests.server.put('shared', [{ id: 'after' }])
  const newest = await tests.server.get('shared')
  for (const page of pages) assert.deepEqual(await at(page, newest), newest)
  assert.equal(questions('shared').length, 2)
  assert.equal(new URLSearchParams(questions('shared')[1]).get('since'), held.version)
})

test('what was kept is shown before the network answers, and followed on from by a delta', { skip }, async () => {
  await tests.server.put('kept', [{ id: 1 }])
  const held = await tests.server.get('kept')
  const first = await tests.open()
  await first.call(async (version) => {
    const end = new AbortController()
    const replica = follow('/v1/clients/u42', { collection: 'kept', signal: end.signal })
    const isOver = keep(replica, 'kept', 0)
    while ((await load('kept'))?.version !== version);
    end.abort()
    await isOver
  }, held.version)
  await tests.server.put('kept', [{ id: 1 }, { id: 2 }])
  const second = await tests.open()
  const [shown, kind] = await second.call(async () => {
    const replica = follow('/v1/clients/u42', { collection: 'kept', held: await load('kept') })
    const { snapshot } = replica
    const kind = await new Promise((resolve) => {
      replica.addEventListener('change', ({ detail }) => detail && resolve(detail.kind))
    })
    return [snapshot, kind]
  })
  assert.deepEqual(shown, held)
  assert.equal(kind, 'delta')
  assert.equal(await second.call(async () => forget('kept').then(() => load('kept'))), undefined)
})
