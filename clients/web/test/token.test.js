import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Browser, skip } from './support/browser.js'
import { Server } from './support/server.js'
import { Site } from './support/site.js'

const page = `<!doctype html><script type=module>
  import { follow } from './livedelta.js'
  Object.assign(window, { follow })
</script>`

const secret = (name) => `secret-of-${name}`

/** A line of a keys file. */
const key = (name, scopes, more = '') => {
  return `${name} sha256:${createHash('sha256').update(secret(name)).digest('hex')} ${scopes} ${more}`
}

let browser
before(async () => !skip && (browser = await Browser.start()))
after(() => browser?.stop())

/** Starts a service that knows some keys, until the test ends; its own requests have that of the writer. */
async function start(t, ...keys) {
  const all = [key('writer', 'write:**'), ...keys]
  const server = await Server.start({ token: secret('writer'), auth: { keys: all.join(';') } })
  t.after(() => server.stop())
  return server
}

test('a page whose key expires asks for another, and goes on', { skip }, async (t) => {
  const soon = new Date(Date.now() + 3000).toISOString().replace(/\.\d+/, '')
  const server = await start(t, key('early', 'read:**', `expires=${soon}`), key('late', 'read:u42/list'))
  const site = await Site.start(server, { 'page.html': page })
  t.after(() => site.stop())
  const late = new Promise((resolve) => {
    const { intercept } = site
    site.intercept = (request, response) => {
      if (request.headers.authorization === `Bearer ${secret('late')}`) resolve()
      return intercept(request, response)
    }
  })
  const tab = await browser.open(`${site.origin}/page.html`)
  const { version } = await server.put('list', [{ id: 1 }])
  await tab.call((version, early, late) => {
    window.asked = []
    const token = (isStale) => asked.push(isStale) && (isStale ? late : early)
    const replica = follow('/v1/clients/u42', { collection: 'list', token })
    window.at = async (version) => {
      while (replica.snapshot.version !== version) {
        await new Promise((resolve) => replica.addEventListener('change', resolve, { once: true }))
      }
    }
    return at(version)
  }, version, secret('early'), secret('late'))
  await late
  const next = await server.put('list', [{ id: 2 }])
  await tab.call((version) => at(version), next.version)
  assert.deepEqual(await tab.call(() => asked), [null, true])
})

test('the inspector asks for a token, keeps it in memory only, and shows what it allows', { skip }, async (t) => {
  const server = await start(t, key('reader', 'read:u42/**'), key('one-list', 'read:u42/list'), key('operator', 'admin'))
  await server.put('list', [{ id: 1, title: 'a list of theirs' }])
  const tab = await browser.open(`${server.origin}/ui#client=u42&collection=list`)
  const enter = async (token) => tab.call((token) => {
    document.querySelector('#token').value = token
    document.querySelector('#access').requestSubmit()
  }, token)
  const until = (selector, pattern) => tab.call(async (selector, source) => {
    const what = { subtree: true, childList: true, characterData: true }
    while (!new RegExp(source).test(document.querySelector(selector).textContent)) {
      await new Promise((resolve) => new MutationObserver(resolve).observe(document.body, what))
    }
  }, selector, pattern.source)
  await until('#denied', /Enter a token/)
  assert.equal(await tab.call(() => document.activeElement.id), 'token')
  await enter(secret('nobody'))
  await until('#denied', /credential is unknown/)
  await enter(secret('one-list'))
  await until('#list', /a list of theirs/)
  await until('#index-state', /does not allow/)
  await enter(` ${secret('reader')} `)
  await until('#collections', /list1 item/)
  await until('#state', /Live, version 1/)
  await enter(secret('operator'))
  await until('#health-list', /^Readyyes/)
  await until('#state', /does not allow/)
  const kept = await tab.call(async () => JSON.stringify([
    location.href, document.cookie, Object.entries(localStorage), Object.entries(sessionStorage),
    await indexedDB.databases(), document.documentElement.outerHTML,
  ]))
  assert(!kept.includes('secret-of'))
})
