import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { skip } from './support/browser.js'
import { click, inbox, opener, place, press, rows, until, untilThere } from './support/inspector.js'
import { compare } from './support/picture.js'
import { Server } from './support/server.js'
import { shared } from './support/shared.js'
import { scriptTimes, trace } from './support/trace.js'

const tests = shared({}, {}, { durable: true })
const open = opener(tests)
const long = Array.from({ length: 20_000 }, (_, n) => ({ id: `r${n}`, title: `Row ${n}`, from: `Sender ${n % 17}` }))

test('of 20,000 rows those in view have elements; the keyboard reaches the last', { skip }, async () => {
  await tests.server.put('large', long)
  const page = await open(place('large'))
  await until(page, '#state', /Live/)
  await until(page, '#list', /Row 0/)
  assert((await rows(page)).length < 60)
  await page.call(() => document.querySelector('#list').focus())
  await press(page, 'End')
  await until(page, '#list [aria-selected=true]', /Row 19999/)
  await press(page, 'Enter')
  await until(page, '#list [aria-expanded=true] pre', /"title": "Row 19999"/)
  assert.deepEqual(page.complaints, [])
})

test('20,000 rows scroll with little script for each frame', { skip }, async () => {
  await tests.server.put('smooth', long)
  const page = await open(place('smooth'))
  await until(page, '#change-title', /No change to show yet/)
  await page.send('Page.bringToFront') // a page that is not seen draws no frames
  const frames = 200
  const events = await trace(tests.browser, page, async () => {
    const { top, gaps, long } = await page.call(scroll, frames)
    assert.equal(top, 20_000 * 40)
    console.log(`longest time between frames ${Math.max(...gaps).toFixed(0)} ms, median ${middle(gaps).toFixed(0)} ms; tasks over 50 ms: ${long}`)
  })
  const times = scriptTimes(events)
  const perFrame = times.reduce((sum, time) => sum + time, 0) / frames
  console.log(`${perFrame.toFixed(2)} ms of script for each of ${frames} frames, all rows in view new; the longest ${Math.max(...times).toFixed(1)} ms`)
  assert(perFrame < 8, 'half of the 16 ms that a frame has')
  assert.match((await rows(page)).at(-1), /Row 19999/)
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

test('every control has a name, texts have contrast in light and dark, Tab goes in order', { skip }, async () => {
  await tests.server.put('access', inbox(1))
  await tests.server.put('access', inbox(2))
  const page = await open(place('access'))
  await until(page, '#steps', /Before12/)
  const reached = []
  for (let n = 0; n < 9; n++) {
    await press(page, 'Tab')
    reached.push(await page.call(() => document.activeElement.id || document.activeElement.dataset.entry))
  }
  assert.deepEqual(reached.slice(0, 3), ['skip', 'health', 'write'])
  assert(reached.includes('u42/access'), String(reached))
  const check = async () => {
    await page.call(() => document.querySelectorAll('details').forEach((element) => (element.open = true)))
    const { nodes } = await page.send('Accessibility.getFullAXTree')
    const roles = ['button', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'slider', 'tree', 'treeitem', 'navigation', 'region', 'dialog', 'meter']
    const nameless = nodes.filter(({ role, name, ignored }) => !ignored && roles.includes(role?.value) && !name?.value)
    assert.deepEqual(nameless.map(({ role }) => role.value), [])
    for (const value of ['light', 'dark']) {
      await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }, { name: 'prefers-reduced-motion', value: 'reduce' }] })
      assert.deepEqual(await page.call(faint), [], value)
    }
  }
  await check()
  await click(page, '#write')
  await until(page, '#diff-state', /changes nothing/)
  await page.call(() => (document.querySelector('#ask').hidden = false))
  await check()
  await page.call(() => document.querySelector('#drawer').close())
  for (const view of ['empty', 'token', 'choose']) {
    await page.call((view) => (document.body.dataset.view = view), view)
    await check()
  }
  assert.deepEqual(page.complaints, [])
})

test('with less motion wished for, nothing glides', { skip }, async () => {
  await tests.server.put('calm', inbox(1))
  const page = await open(place('calm'), { motion: 'reduce' })
  await until(page, '#change-title', /No change to show yet/)
  await page.call(() => (Element.prototype.animate = () => (window.hasMoved = true)))
  await tests.server.put('calm', inbox(2))
  await until(page, '#words', /Contract moved/)
  assert.equal(await page.call(() => window.hasMoved), undefined)
})

test('a phone sees the list first, and nothing is wider than it', { skip }, async () => {
  await tests.server.put('phone', inbox(1))
  await tests.server.put('phone', inbox(2))
  const page = await open(place('phone'), { width: 390, height: 844 })
  await until(page, '#steps', /Before12/)
  const tops = await page.call(() => ['#list', '#timeline', '#change'].map((id) => document.querySelector(id).getBoundingClientRect().top))
  assert.deepEqual(tops, tops.toSorted((a, b) => a - b))
  assert(tops[0] < 844 / 3, `the list begins at ${tops[0]}`)
  assert(await page.call(() => document.documentElement.scrollWidth <= innerWidth))
  assert(await page.call(() => document.documentElement.scrollHeight < 2 * innerHeight))
  await click(page, '#menu')
  assert.equal(await page.call(() => document.querySelector('#menu').ariaExpanded), 'true')
  assert(await page.call(() => document.querySelector('#nav').checkVisibility()))
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

/** 600 rows in three sections, and as they are after 150 changes. */
function manyChanges() {
  const row = (n) => ({ id: `r${n}`, title: `Message ${n}`, from: `Sender ${n % 17}` })
  const titles = ['Inbox', 'Archive', 'Receipts']
  const sections = titles.map((title, at) => ({ id: title, title, items: Array.from({ length: 200 }, (_, n) => row(n * 3 + at)) }))
  const [inbox, archive, receipts] = structuredClone(sections)
  inbox.items.splice(3, 40)
  inbox.items.splice(6, 0, ...archive.items.splice(150, 20))
  for (let n = 0; n < 100; n += 2) archive.items[n].read = true
  for (let n = 0; n < 40; n++) receipts.items.splice(n * 3, 0, { id: `n${n}`, title: `New message ${n}` })
  return [{ sections }, { sections: [inbox, archive, receipts] }]
}

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 390, height: 844 }
const ready = (page) => until(page, '#raw-size', /Sent in/)
const asks = (page) => untilThere(page, '[data-view=token]')
const offers = (page) => untilThere(page, '[data-view=empty]')
const twoInboxes = [inbox(1), inbox(2)]

/** Name of the picture, size and scheme, the versions that there are, and what is waited for. */
const PICTURES = [
  ['inspector-1280', WIDE, twoInboxes, ready],
  ['inspector-390', NARROW, twoInboxes, ready],
  ['inspector-1280-dark', { ...WIDE, scheme: 'dark' }, twoInboxes, ready],
  ['inspector-390-dark', { ...NARROW, scheme: 'dark' }, twoInboxes, ready],
  ['inspector-empty', WIDE, [], offers],
  ['inspector-150-changes', NARROW, manyChanges(), ready],
  ['inspector-20000-rows', WIDE, [long, long.map((item, n) => (n === 9 ? { ...item, starred: true } : item))], ready],
  ['inspector-401', WIDE, null, asks],
]

test('it looks as in docs/images', { skip }, async (t) => {
  const blank = await tests.browser.open('about:blank')
  for (const [name, size, versions, shown] of PICTURES) {
    const hash = createHash('sha256').update('a-secret').digest('hex')
    const server = await Server.start(versions ? { durable: true } : { auth: { keys: `writer sha256:${hash} write:**` } })
    t.after(() => server.stop())
    for (const version of versions ?? []) await server.put('inbox', version)
    const page = await open({}, { ...size, server, motion: 'reduce' })
    await shown(page)
    if (versions) await untilThere(page, '#health[data-state=good]')
    if (versions?.length) await until(page, '#version', /^Version 2, just now: /)
    await page.call(still)
    assert(await page.call(() => document.documentElement.scrollWidth <= innerWidth), `${name}: nothing is wider than the page`)
    const difference = await compare(page, blank, `${name}.png`)
    console.log(`${name}: ${difference === undefined ? 'kept' : `${(difference * 100).toFixed(2)} % differs`}`)
    assert(!(difference > 0.04), `${name}: ${difference}`)
  }
})

/** In the page: puts what differs from run to run into one form, and has all of it drawn anew. */
async function still() {
  document.activeElement.blur()
  const first = document.querySelector('#first')
  first.textContent = first.textContent.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:8080')
  for (const opacity of ['0', '']) {
    document.body.style.opacity = opacity
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
}
