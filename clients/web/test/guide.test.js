// The guides of docs/guides that need a service with settings of its own, as they stand.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Browser, skip } from './support/browser.js'
import { until } from './support/inspector.js'
import { Server, binary } from './support/server.js'

const guide = (name) => readFileSync(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
const web = guide('web')

/** The first block of a kind in a guide that begins with some text. */
function block(guide, kind, start = '') {
  const [, text] = guide.split(`\`\`\`${kind}\n${start}`)
  return start + text.slice(0, text.indexOf('```'))
}

/** A folder for the test. */
function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), 'livedelta-guide-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The guide's files, in a folder of their own, with a key: its secret is what `livedelta keys new` prints. */
function folderOfGuide(t) {
  const folder = scratch(t)
  const k = randomBytes(32).toString('base64url')
  writeFileSync(join(folder, 'jwks.json'), JSON.stringify({ keys: [{ kty: 'oct', kid: '1', alg: 'HS256', k }] }))
  const command = web.match(/livedelta (keys new .*)/)[1].replaceAll("'", '').split(' ')
  const printed = execFileSync(binary, command, { cwd: folder, encoding: 'utf8' })
  return { folder, secret: printed.match(/ld_\S+/)[0] }
}

/** Runs a program of a guide that prints its address, on a port of its own. */
async function started(t, folder, command, ...args) {
  const process = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => process.kill())
  const [line] = await once(process.stdout, 'data')
  return String(line).trim()
}

test('the page of docs/guides/web.md follows a list of another origin with tokens of its backend', { skip }, async (t) => {
  const { folder, secret } = folderOfGuide(t)
  writeFileSync(join(folder, 'backend.mjs'), block(web, 'js'))
  const origin = await started(t, folder, 'node', 'backend.mjs', '0')
  const settings = JSON.parse(block(web, 'json').replaceAll('http://127.0.0.1:8000', origin))
  settings.auth = { ...settings.auth, keysFile: join(folder, 'keys'), jwks: `file:${join(folder, 'jwks.json')}` }
  const server = await Server.start({ ...settings, token: secret })
  t.after(() => server.stop())
  writeFileSync(join(folder, 'page.html'), block(web, 'html').replaceAll('http://127.0.0.1:8080', server.origin))
  await server.put('inbox', [{ id: 1, title: 'First' }])
  const browser = await Browser.start()
  t.after(() => browser.stop())

  const page = await browser.open(origin)
  await until(page, 'main', /^First$/)
  await until(page, '[role=status]', /^live$/)
  await server.put('inbox', [{ id: 2, title: 'Second' }, { id: 1, title: 'First' }])
  await until(page, 'main', /^SecondFirst$/)
  // The token is for this client alone, and the service is open to this origin alone.
  const status = (path) => page.call(async (url) => {
    const Authorization = `Bearer ${await (await fetch('/token')).text()}`
    return fetch(url, { headers: { Authorization } }).then(({ status }) => status, () => 'blocked')
  }, server.origin + path)
  assert.equal(await status('/v1/clients/u42/collections/inbox'), 200)
  assert.equal(await status('/v1/clients/u43/collections/inbox'), 403)
  const other = await browser.open('about:blank')
  assert.equal(await other.call((url) => fetch(url).then(() => 'open', () => 'blocked'), `${server.origin}/v1`), 'blocked')
})

test('the sessions of docs/guides/existing-backend.md let their users in', async (t) => {
  const folder = scratch(t)
  const page = guide('existing-backend')
  writeFileSync(join(folder, 'may.py'), block(page, 'python', '# may.py'))
  const backend = await started(t, folder, 'python3', 'may.py', '0')
  const { auth: { forward } } = JSON.parse(block(page, 'json', '{"auth"'))
  const server = await Server.start({ auth: { forward: { ...forward, url: forward.url.replace('http://127.0.0.1:8000', backend) } } })
  t.after(() => server.stop())
  const status = async (Cookie, client = 'u42', init = {}) => {
    const url = `${server.origin}/v1/clients/${client}/collections/tasks`
    return (await fetch(url, { ...init, headers: { Cookie, 'Content-Type': 'application/json' } })).status
  }
  assert.equal(await status('session=s3cret'), 404, 'may read what is not there yet')
  assert.equal(await status('session=s3cret', 'u43'), 403)
  assert.equal(await status('session=s3cret', 'u42', { method: 'PUT', body: '[]' }), 403)
  assert.equal(await status('session=other'), 401)
})
