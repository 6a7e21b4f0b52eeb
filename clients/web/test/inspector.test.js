import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { skip } from './support/browser.js'
import { compare } from './support/picture.js'
import { Server } from './support/server.js'
import { shared } from './support/shared.js'
import { scriptTimes, trace } from './support/trace.js'

const tests = shared({}, {}, { durable: true })
const inbox = (n) => JSON.parse(readFileSync(new URL(`../../../examples/inbox-${n}.json`, import.meta.url), 'utf8'))

const opened = []
afterEach(async () => {
  for (const page of opened.splice(0)) {
    tests.browser.off('message', page.listener)
    await page.close()
  }
})

/** Opens the inspector until the test ends, and notes what the browser complains of. */
async function open(place, { width = 1280, height = 800, server = tests.server } = {}) {
  const page = await tests.browser.open('about:blank')
  const complaints = []
  opened.push(page)
  page.listener = ({ method, params, sessionId }) => {
    if (sessionId !== page.session) return
    if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception.description)
    if (method === 'Log.entryAdded' && params.entry.source !== 'network') complaints.push(params.entry.text)
  }
  tests.browser.on('message', page.listener)
  await page.send('Log.enable')
  await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  await page.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' })
  await page.send('Emulation.setLocaleOverride', { locale: 'en-US' })
  const query = new URLSearchParams(place)
  await page.go(`${server.origin}/ui#${query}`)
  return Object.assign(page, { complaints })
}

/** Waits until an element's text matches. */
const until = (page, selector, pattern) => page.call(async (selector, source) => {
  const now = () => document.querySelector(selector)?.textContent ?? ''
  while (!new RegExp(source, 's').test(now())) {
    const what = { subtree: true, childList: true, characterData: true }
    await new Promise((resolve) => new MutationObserver(resolve).observe(document.body, what))
  }
}, selector, pattern.source)

const rows = (page) => page.call(() => Array.from(document.querySelectorAll('[role=treeitem]'), (node) => {
  const text = (name) => node.querySelector(name)?.textContent ?? ''
  return [text('.id'), text('.title'), text('.badge')].filter(Boolean).join(' ')
}))

const words = (page) => page.call(() => Array.from(document.querySelectorAll('#words li'), (node) => node.textContent))

const press = async (page, key) => {
  const codes = { Tab: 9, End: 35, Home: 36, Enter: 13, ArrowDown: 40 }
  const event = { key, code: key, windowsVirtualKeyCode: codes[key], text: key === 'Enter' ? '\r' : undefined }
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}

const place = (collection, more) => ({ client: 'u42', collection, ...more })

test('a list is shown, and follows a write: rows marked, the change in words and in bytes', { skip }, async () => {
  await tests.server.put('inbox', inbox(1))
  const page = await open(place('inbox'))
  await until(page, '#state', /live, version 1/)
  await page.call(() => {
    window.glided = []
    const { animate } = Element.prototype
    Element.prototype.animate = function (keyframes, timing) {
      if (keyframes.transform) window.glided.push(this.querySelector('.id').textContent)
      return animate.call(this, keyframes, timing)
    }
  })
  assert.deepEqual(await rows(page), ['today Today', 'm1 Invoice', 'm2 Groceries', 'm3 Trip', 'earlier Earlier', 'm4 Contract', 'm5 Photos'])
  await tests.server.put('inbox', inbox(2))
  await until(page, '#raw-size', /bytes; the snapshot has/)
  assert.deepEqual(await rows(page), [
    'pinned Pinned new', 'm4 Contract moved', 'm9 Tickets new', 'today Today', 'm6 Standup new', 'm1 Invoice', 'm3 Trip changed',
    'earlier Earlier', 'm5 Photos',
  ])
  assert((await page.call(() => window.glided)).includes('m4'), 'the row that moved is seen to move')
  assert.deepEqual(await words(page), [
    'section Pinned inserted at 0', 'm2 deleted from Today 1', 'm9 inserted at Pinned 1', 'm6 inserted at Today 0',
    'm4 moved from Earlier 0 to Pinned 0', 'm3 changed: unread true → false',
  ])
  await until(page, '#steps', /step 3: reload/)
  const step = (n) => page.call((n) => document.querySelectorAll('#steps button')[n + 1].click(), n)
  await step(1)
  assert.deepEqual((await rows(page)).slice(0, 2), ['pinned Pinned new', 'm9 Tickets new'])
  await step(3)
  assert.deepEqual((await rows(page)).filter((text) => text.endsWith('changed')), ['m3 Trip changed'])
  await step(-1) // play
  for (const text of [/before/, /step 1/, /step 2/, /step 3/]) await until(page, '#steps [aria-current=step]', text)
  await page.call(() => (navigator.clipboard.writeText = async (text) => (window.copied = text)))
  await page.call(() => document.querySelector('#curl').click())
  await until(page, '#copied', /copied/)
  const told = execFileSync('bash', ['-c', await page.call(() => window.copied)], { encoding: 'utf8' })
  assert.equal(told, await page.call(() => JSON.stringify(JSON.parse(document.querySelector('#raw').textContent))))
  assert.deepEqual(page.complaints, [])
})

test('the index comes in pages, and is searched', { skip }, async () => {
  const writes = Array.from({ length: 120 }, (_, n) => ({ collection: `c${n + 1000}`, put: [] }))
  const body = JSON.stringify({ writes })
  const url = `${tests.server.origin}/v1/clients/many/batch`
  assert((await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).ok)
  const page = await open({ client: 'many' })
  await until(page, '#index-state', /100 collections/)
  await page.call(() => document.querySelector('#more').click())
  await until(page, '#index-state', /120 collections/)
  assert(await page.call(() => document.querySelector('#more').hidden))
  await page.call(() => {
    document.querySelector('#search').value = '111'
    document.querySelector('#search').dispatchEvent(new Event('input'))
  })
  await until(page, '#index-state', /10 collections/)
  assert.deepEqual(page.complaints, [])
  await fetch(`${tests.server.origin}/v1/clients/many`, { method: 'DELETE' })
})

test('what changes elsewhere has a badge, live, with the size and the time of it', { skip }, async () => {
  await tests.server.put('seen', [])
  await tests.server.put('other', [{ id: 1 }])
  const page = await open(place('seen'))
  await until(page, '#collections', /other1 item · \d+ bytes · version 1 · no change seen yet/)
  await until(page, '#collections [aria-current=true]', /seen0 items · \d+ bytes · version 1 · \d+:\d+:\d+ [AP]M/)
  for (const n of [1, 2]) await tests.server.put('other', [{ id: 1, n }, { id: n + 1 }])
  await until(page, '#collections', /other2 items · \d+ bytes · version 3 · \d+:\d+:\d+ [AP]M2 changes/)
  await page.call(() => Array.from(document.querySelectorAll('#collections button')).find((node) => node.textContent.startsWith('other')).click())
  await until(page, '#state', /live, version 3/)
  assert(!(await page.call(() => document.querySelector('#collections').textContent)).includes('changes'))
  assert.deepEqual(page.complaints, [])
})

test('a collection that does not exist and a name that is none look like what they are', { skip }, async () => {
  const missing = await open(place('not-there'))
  await until(missing, '#state', /There is no collection not-there of u42; it is waited for/)
  await tests.server.put('not-there', [{ id: 1, title: 'now' }])
  await until(missing, '#list', /now/)
  const wrong = await open({ client: 'u42', collection: 'a b' })
  await until(wrong, '#state', /a client or collection is named by/)
  const body = JSON.stringify([{ id: 1 }])
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${tests.server.origin}/v1/clients/ada/collections/films`, { method: 'PUT', body, headers })
  await until(wrong, '#client-list', /ada.*u42/)
  await wrong.call(() => document.querySelector('#client-list button').click())
  await until(wrong, '#collections', /films1 item · \d+ bytes · version 1/)
  const none = await open({})
  await until(none, '#state', /Choose a collection/)
  await until(none, '#client-list', /ada.*u42/)
  assert.deepEqual([...missing.complaints, ...wrong.complaints, ...none.complaints], [])
  await fetch(`${tests.server.origin}/v1/clients/ada`, { method: 'DELETE' })
})

test('what is markup in a collection is text on the page', { skip }, async () => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  await tests.server.put('evil', { sections: [{ id: evil.slice(0, 30), title: evil, items: [{ id: '"><b>', title: evil }] }] })
  const page = await open(place('evil'))
  await until(page, '#list', /onerror/)
  assert.equal(await page.call(() => document.querySelectorAll('#list :is(img, script, b)').length), 0)
  assert.match(await page.call(() => document.title), /^evil of u42/)
  assert.deepEqual(page.complaints, [])
})

test('two versions are compared, and a link to that shows the same', { skip }, async () => {
  const versions = []
  for (const n of [1, 2, 3]) versions.push((await tests.server.put('past', [{ id: 'a', n }, { id: 'b' }])).version)
  const page = await open(place('past', { from: versions[0], to: versions[1] }))
  await until(page, '#change-title', /from version 1 to 2/)
  assert.deepEqual(await words(page), ['a changed: n 1 → 2'])
  assert.equal(await page.call(() => document.querySelector('#to-label').textContent.split(' ')[0]), '2')
  const depth = await page.call(() => history.length)
  for (const [at, change] of [[2, /from version 2 to 3/], [1, /from version 1 to 2/]]) {
    await page.call((at) => {
      const range = document.querySelector('#to-range')
      range.value = at
      range.dispatchEvent(new Event('input'))
    }, at)
    await until(page, '#change-title', change)
  }
  assert.equal(await page.call(() => history.length), depth, 'the way back does not lead through all that was scrubbed')
  await page.call(() => document.querySelector('#revert').click())
  await until(page, '#written', /^200 /)
  await until(page, '#state', /live, version 4/)
  await page.call(() => document.querySelector('#live').click())
  await page.call(() => document.querySelector('#list').focus())
  await press(page, 'Home')
  await press(page, 'Enter')
  await until(page, '#list pre', /"n": 2/)
  await page.call((version) => {
    document.querySelector('#held').value = version
    document.querySelector('#why').requestSubmit()
  }, 'zzzzzzzz.1.AAAAAAAAAAAAAAAA')
  await until(page, '#explained', /lineage-changed: .* deleted and made anew/)
  assert.deepEqual(page.complaints, [])
})

test('of 20,000 rows those in view have elements; the keyboard reaches the last', { skip }, async () => {
  await tests.server.put('large', Array.from({ length: 20_000 }, (_, n) => ({ id: `r${n}`, title: `row ${n}` })))
  const page = await open(place('large'))
  await until(page, '#state', /live/)
  assert((await rows(page)).length < 60)
  await page.call(() => document.querySelector('#list').focus())
  await press(page, 'End')
  await until(page, '#list [aria-selected=true]', /r19999/)
  await press(page, 'Enter')
  await until(page, '#list [aria-expanded=true] pre', /"title": "row 19999"/)
  assert.deepEqual(page.complaints, [])
})

test('20,000 rows scroll with little script for each frame', { skip }, async () => {
  await tests.server.put('smooth', Array.from({ length: 20_000 }, (_, n) => ({ id: `r${n}`, title: `row ${n}` })))
  const page = await open(place('smooth'))
  await until(page, '#state', /live/)
  await page.send('Page.bringToFront') // a page that is not seen draws no frames
  const frames = 200
  const events = await trace(tests.browser, page, async () => {
    const { top, gaps, long } = await page.call(scroll, frames)
    assert.equal(top, 20_000 * 32)
    console.log(`longest time between frames ${Math.max(...gaps).toFixed(0)} ms, median ${middle(gaps).toFixed(0)} ms; tasks over 50 ms: ${long}`)
  })
  const times = scriptTimes(events)
  const perFrame = times.reduce((sum, time) => sum + time, 0) / frames
  console.log(`${perFrame.toFixed(2)} ms of script for each of ${frames} frames, all rows in view new; the longest ${Math.max(...times).toFixed(1)} ms`)
  assert(perFrame < 8, 'half of the 16 ms that a frame has')
  assert.match((await rows(page)).at(-1), /r19999/)
  assert.deepEqual(page.complaints, [])
})

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

/** In the page: scrolls the list from its top to its end, a step each frame. */
async function scroll(frames) {
  const list = document.querySelector('#list')
  let long = 0
  const observer = new PerformanceObserver((entries) => (long += entries.getEntries().length))
  observer.observe({ entryTypes: ['longtask'] })
  const step = list.scrollHeight / frames
  const gaps = []
  let last = await new Promise(requestAnimationFrame)
  for (let n = 1; n <= frames; n++) {
    list.scrollTop = n * step
    const now = await new Promise(requestAnimationFrame)
    gaps.push(now - last)
    last = now
  }
  await new Promise(requestAnimationFrame)
  return { top: list.scrollTop + list.clientHeight, gaps, long }
}

test('two pasted lists are compared on a server that has nothing, and it has nothing after', { skip }, async () => {
  const server = await Server.start()
  try {
    const page = await open({}, { server })
    await until(page, '#state', /Choose a collection/)
    await page.call(() => (document.querySelector('#playground').closest('details').open = true))
    const paste = async (selector, text) => {
      await page.call((selector) => document.querySelector(selector).select(), selector)
      await page.send('Input.insertText', { text })
    }
    const compare = async (old, now) => {
      await paste('#old', old)
      await paste('#new', now)
      await page.call(() => document.querySelector('#playground').requestSubmit())
    }
    await compare('[{"id":"a"},{"id":"b"},{"id":"c"}]', '[{"id":"c"},{"id":"a","n":1},{"id":"d"}]')
    await until(page, '#diff-words', /b deleted.*d inserted.*c moved.*a changed/)
    await until(page, '#diff-state', /\d+ bytes; the new list has 40 bytes/)
    assert.equal(await page.call(() => JSON.parse(document.querySelector('#diff-raw').textContent).kind), 'delta')
    await compare('[{"id":"a"},{"id":"a"}]', '[]')
    await until(page, '#diff-state', /each item id must be unique/)
    await compare('[', '[]')
    await until(page, '#diff-state', /JSON/)
    assert.equal(await page.call(() => document.querySelector('#diff-words').textContent), '')
    const { clients } = await (await fetch(`${server.origin}/v1/clients`)).json()
    assert.deepEqual(clients, [])
    assert.deepEqual(page.complaints, [])
  } finally {
    await server.stop()
  }
})

test('lists are written by the page: put, edited, compared in the playground', { skip }, async () => {
  const page = await open(place('written'))
  await until(page, '#state', /There is no collection/)
  const act = (id, values = {}) => page.call((id, values) => {
    for (const [selector, value] of Object.entries(values)) {
      const control = document.querySelector(selector)
      control.value = value
      control.dispatchEvent(new Event('change'))
    }
    const element = document.querySelector(id)
    if (element.localName === 'form') element.requestSubmit()
    else element.click()
  }, id, values)
  await act('#put', { '#body': '[{"id":"a"}]' })
  await until(page, '#written', /^201 /)
  await act('#edit', { '#op': 'append', '#edit [data-member=items] input': '[{"id":"b"}]' })
  await until(page, '#list', /a.*b/)
  await act('#put', { '#body': '[{"id":"a"},{"id":"a"}]' })
  await until(page, '#written', /422 duplicate-id/)
  await act('#put-settings', { '#body': '{"animations":{"insert":"fade"}}' })
  await until(page, '#written', /^200 .*fade/)
  await act('#if-none')
  await act('#put', { '#body': '[]' })
  await until(page, '#written', /^412 /)
  await act('#playground')
  await until(page, '#diff-words', /m6 inserted at Today 2.*m1 changed/)
  assert.deepEqual(page.complaints, [])
})

test('every control has a name, texts have contrast in light and dark, Tab goes in order', { skip }, async () => {
  await tests.server.put('access', inbox(1))
  const page = await open(place('access'))
  await until(page, '#state', /live/)
  await tests.server.put('access', inbox(2))
  await until(page, '#words', /m4 moved/)
  await page.call(() => document.querySelectorAll('details').forEach((element) => (element.open = true)))
  const { nodes } = await page.send('Accessibility.getFullAXTree')
  const roles = ['button', 'textbox', 'searchbox', 'combobox', 'checkbox', 'slider', 'tree', 'treeitem', 'navigation', 'region']
  const nameless = nodes.filter(({ role, name, ignored }) => !ignored && roles.includes(role?.value) && !name?.value)
  assert.deepEqual(nameless.map(({ role }) => role.value), [])
  for (const value of ['light', 'dark']) {
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
    assert.deepEqual(await page.call(faint), [], value)
  }
  const reached = []
  for (let n = 0; n < 8; n++) {
    await press(page, 'Tab')
    reached.push(await page.call(() => document.activeElement.id || document.activeElement.textContent))
  }
  assert.deepEqual(reached.slice(0, 6), ['skip', 'client', 'collection', 'Open', 'token', 'search'])
  assert.deepEqual(page.complaints, [])
})

/** In the page: the texts that have less than 4.5 to 1 of contrast (WCAG 2.2, 1.4.3). */
function faint() {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const pixel = (...colors) => {
    canvas.clearRect(0, 0, 1, 1)
    for (const color of colors) {
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
    }
    return canvas.getImageData(0, 0, 1, 1).data
  }
  const light = (data) => {
    const [r, g, b] = [...data].map((value) => (value / 255 <= 0.04045 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const grounds = (element) => {
    if (!element) return ['Canvas']
    return [...grounds(element.parentElement), getComputedStyle(element).backgroundColor]
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = new Set()
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode
    if (!textContent.trim() || !element.checkVisibility() || element.matches('script, option')) continue
    const ground = grounds(element)
    const [a, b] = [light(pixel(...ground)), light(pixel(...ground, getComputedStyle(element).color))].sort((a, b) => b - a)
    const contrast = (a + 0.05) / (b + 0.05)
    if (contrast < 4.5) found.add(`${textContent.trim().slice(0, 20)}: ${contrast.toFixed(1)}`)
  }
  return [...found]
}

test('it looks as in docs/images, at 1280 and at 390 pixels', { skip }, async () => {
  const blank = await tests.browser.open('about:blank')
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await tests.server.delete('inbox').catch(() => {})
    await tests.server.put('inbox', inbox(1))
    const page = await open(place('inbox'), { width, height })
    await page.send('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-reduced-motion', value: 'reduce' }, { name: 'prefers-color-scheme', value: 'light' },
    ] })
    await until(page, '#state', /live/)
    await tests.server.put('inbox', inbox(2))
    await until(page, '#raw-size', /bytes/)
    await until(page, '#steps', /step 3/)
    await until(page, '#health', /^ready · .* waiting · \d+ streams? · p99 .* ms · 0 deltas refused by the judge/)
    await until(page, '#kept', /2 versions/)
    await until(page, '#collections [aria-current=true]', /6 items · \d+ bytes · version 2/)
    await page.call(still)
    const isNarrow = await page.call(() => document.documentElement.scrollWidth <= innerWidth)
    assert(isNarrow, `${width}: nothing is wider than the page`)
    const difference = await compare(page, blank, `inspector-${width}.png`)
    console.log(`${width} pixels: ${difference === undefined ? 'kept' : `${(difference * 100).toFixed(2)} % differs`}`)
    assert(!(difference > 0.04), `${width}: ${difference}`)
  }
})

/** In the page: puts what differs from run to run, collections of other tests, times and tokens, into one form. */
function still() {
  for (const entry of document.querySelectorAll('#collections li')) {
    if (!entry.querySelector('[aria-current=true]')) entry.remove()
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    node.textContent = node.textContent
      .replace(/\d+\/\d+\/\d{4}/, '11/22/2026').replace(/\d+:\d+:\d+ [AP]M/, '4:45:48 PM')
      .replace(/\d+ readers? waiting · \d+ streams?/, '2 readers waiting · 3 streams').replace(/p99 \S+ ms/, 'p99 1 ms')
      .replace(/ · resets: .*/, '')
      .replace(/[a-z0-9]{8}\.(\d+)\.[\w-]{16}/g, 'k3f9m2qx.$1.smi5BHIsjcU2NK83').replace(/\d+ collections?/, '1 collection')
  }
}
