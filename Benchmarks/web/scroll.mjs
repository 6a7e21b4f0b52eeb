#!/usr/bin/env node
// A list of 100,000 rows in Chromium, scrolled through while others change it, against a release build of livedelta.
//
//     LIVEDELTA=PROGRAM Benchmarks/web/scroll.mjs [--rows 100000] [--changes 100] [--seconds 20] [--screens 3]
//
// Each frame scrolls on by a part of so many screens a second; each change inserts, deletes, moves or edits a row, half
// of them near what is seen. Script is what Chromium traces. Then as many frames are judged, up and down and at rest,
// each after all that is drawn in it: the first row that was seen and neither went nor was moved has moved by what was
// scrolled, to the pixel.

import { parseArgs } from 'node:util'
import { Browser } from '../../clients/web/test/support/browser.js'
import { generator, seed } from '../../clients/web/test/support/random.js'
import { Server } from '../../clients/web/test/support/server.js'
import { Site } from '../../clients/web/test/support/site.js'
import { scriptCalls, trace } from '../../clients/web/test/support/trace.js'
import { HEIGHT, page, start } from '../../clients/web/test/support/virtual.js'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' }, changes: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' }, screens: { type: 'string', default: '3' },
  },
})
const [count, changes, seconds, screens] = ['rows', 'changes', 'seconds', 'screens'].map((name) => Number(values[name]))
const random = generator(seed)
const server = await Server.start()
const site = await Site.start(server, { 'page.html': page })
const browser = await Browser.start()
let sent = 0
site.filter = (piece) => ((sent += piece.length), piece)

const row = (n) => ({ id: `r${n}`, title: `Row ${n}, with a title as long as titles are`, from: `Sender ${n % 17}`, unread: n % 3 === 0 })
await server.put('list', Array.from({ length: count - 1 }, (_, n) => row(n)))
const { length: whole } = JSON.stringify(await server.get('list'))
const tab = await browser.open(`${site.origin}/page.html`)
await tab.send('Emulation.setDeviceMetricsOverride', { width: 800, height: 700, deviceScaleFactor: 1, mobile: false })
await tab.send('Page.bringToFront') // a page that is not seen draws no frames
await tab.call(start, 'list', { window: 'first:60' })
await tab.call(() => seen())

let near = 0 // what is seen begins there
let isOver = false
let writes = 0
let made = 0

/** Changes the list at the rate that is wanted, as far as the service and this machine do so many. */
async function write() {
  const begin = performance.now()
  const open = new Set() // on their way
  const pick = (spread) => `r${Math.max(0, Math.min(count - 2, near + random(2 * spread) - spread))}`
  while (!isOver) {
    const id = random(2) ? pick(40) : `r${random(count - 1)}`
    const fresh = { ...row(0), id: `n${made}`, title: `New ${made}` }
    const edits = [
      [{ op: 'merge', id, value: { unread: random(2) === 0 } }],
      [{ op: 'insert', items: [fresh], before: id }],
      [{ op: 'delete', ids: [`n${made - 1}`], missing: 'ignore' }],
      [{ op: 'move', ids: [id], before: `r${random(count - 1)}` }],
    ][writes % 4]
    if (writes % 4 === 1) made++
    const edit = server.edit('list', edits).catch(() => {}).finally(() => open.delete(edit)) // a row may be moved before itself
    open.add(edit)
    while (open.size > 16) await Promise.race(open)
    writes++
    const wait = begin + (writes * 1000) / changes - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  }
  return (writes * 1000) / (performance.now() - begin)
}

const frames = seconds * 60
const by = Math.round((screens * 600) / 60)
const writing = write()
const before = sent
let result
let judged
const follow = setInterval(async () => (near = Math.round((await tab.call(() => scroller.scrollTop)) / HEIGHT)), 200)
const events = await trace(browser, tab, async () => {
  const begin = performance.now()
  result = await tab.call((frames, by) => scroll(frames, by, false), frames, by)
  result.seconds = (performance.now() - begin) / 1000
})
const bytes = sent - before
for (const pixels of [-by, 3 * by, 0, -2 * by, 5 * by]) {
  const { drifts } = await tab.call((frames, by) => scroll(frames, by), frames / 5, pixels)
  judged = [...(judged ?? []), ...drifts]
}
clearInterval(follow)
isOver = true
const rate = await writing
const right = await tab.call(() => seen())

/** Milliseconds of script in each frame of a trace. */
function perFrame(events) {
  const starts = events.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts).sort((a, b) => a - b)
  const calls = scriptCalls(events)
  const sums = new Map()
  let frame = 0
  for (const { ts, time } of calls) {
    while (starts[frame + 1] <= ts) frame++
    sums.set(frame, (sums.get(frame) ?? 0) + time)
  }
  return [...sums.values()].sort((a, b) => a - b)
}

const script = perFrame(events)
const part = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))]
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`
const gaps = result.gaps.sort((a, b) => a - b)
console.log(`seed ${seed}, ${browser.version}, ${count} rows, ${writes} changes (${rate.toFixed(0)} a second), ${by} pixels a frame
| | |
|---|---:|
| frames drawn, in seconds | ${frames}, ${result.seconds.toFixed(1)} (${(frames / result.seconds).toFixed(1)} a second) |
| time between frames: median, 99 of 100, longest | ${[0.5, 0.99, 1].map((share) => part(gaps, share).toFixed(1)).join(', ')} ms |
| script a frame: median, 99 of 100, longest | ${[0.5, 0.99, 1].map((share) => part(script, share).toFixed(2)).join(', ')} ms |
| frames with 4 ms of script and more | ${script.filter((time) => time >= 4).length} |
| frames judged, farthest that the anchor was off | ${judged.length}, ${Math.max(...judged.map(Math.abs))} pixels |
| questions, bytes of their answers | ${result.requests}, ${kilobytes(bytes)} |
| the whole list | ${kilobytes(whole)} |
| rows held, elements | ${right.held}, ${right.elements} |`)
await browser.stop()
await site.stop()
await server.stop()
process.exit(0)
