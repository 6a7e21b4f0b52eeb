import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Browser, skip } from './support/browser.js'
import { Server } from './support/server.js'
import { Site } from './support/site.js'

const root = new URL('../../../', import.meta.url)
const read = (path) => readFileSync(new URL(path, root), 'utf8')

test('the page of examples/web follows the inbox from another origin', { skip }, async () => {
  const site = await Site.start(null, {}, {}, root)
  const server = await Server.start({ cors: { origins: [site.origin] } })
  const browser = await Browser.start()
  try {
    const put = async (n) => {
      await server.put('inbox', JSON.parse(read(`examples/inbox-${n}.json`)))
      return (await server.get('inbox')).sections
    }
    const shown = (sections) => sections.flatMap(({ title, items }) => {
      return [`${title} (${items.length})`, ...items.map(({ title }) => title)]
    })
    const first = shown(await put(1))
    const page = await browser.open(`${site.origin}/examples/web/index.html?service=${server.origin}`)
    const until = (texts) => page.call(async (texts) => {
      const now = () => Array.from(document.querySelectorAll('main :is(h2, p)'), ({ textContent }) => textContent)
      while (JSON.stringify(now()) !== JSON.stringify(texts)) {
        const what = { subtree: true, childList: true, characterData: true }
        await new Promise((resolve) => new MutationObserver(resolve).observe(document.body, what))
      }
    }, texts)
    await until(first)
    await until(shown(await put(2)))
    assert.equal(await page.call(() => document.querySelector('[role=status]').textContent), 'live')
  } finally {
    await browser.stop()
    await server.stop()
    await site.stop()
  }
})
