import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Browser, skip as skipBrowser } from './support/browser.js'
import { react, reactFiles } from './support/react.js'
import { Server } from './support/server.js'
import { Site } from './support/site.js'

const skip = skipBrowser || (!existsSync(reactFiles['react.js']) && 'left out: there is no React')
const rows = 10_000
const rounds = 15
let server
let site
let browser

before(async () => {
  if (skip) return
  server = await Server.start()
  site = await Site.start(server, { 'page.html': react.page, 'react-module.js': react.module }, reactFiles)
  browser = await Browser.start()
}, { timeout: 60_000 })

after(async () => {
  await browser?.stop()
  await site?.stop()
  await server?.stop()
})

/** In the page: shows a collection in one of three ways, and says after each change that it did. */
async function start(way) {
  const list = document.querySelector('#list')
  const replica = follow('/v1/clients/u42', { collection: 'list' })
  const row = ({ title }, _, node = document.createElement('li')) => {
    node.textContent = title
    return node
  }
  const { createElement: h, memo } = React
  const Row = memo(({ item }) => h('li', null, item.title))
  const List = () => {
    const [{ items = [] } = {}] = useCollection(replica).sections
    return h('ul', null, items.map((item) => h(Row, { key: item.id, item })))
  }
  const ways = {
    'livedelta-dom': () => show(replica, list, { row }),
    'whole replacement': () => replica.addEventListener('change', () => {
      list.replaceChildren(...replica.snapshot.sections[0].items.map((item) => row(item)))
    }),
    'React, keyed and memoised': () => ReactDOM.createRoot(document.querySelector('#root')).render(h(List)),
  }
  ways[way]()
  const isDone = () => setTimeout(() => shown(replica.snapshot.version))
  const observer = new MutationObserver(() => requestAnimationFrame(isDone))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
}

/** Milliseconds of the processor that scripts took in a trace: outermost calls only. */
function scriptTime(events) {
  const names = ['FunctionCall', 'RunMicrotasks', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire']
  const calls = events.filter(({ ph, name }) => ph === 'X' && names.includes(name))
  calls.sort((a, b) => a.ts - b.ts || b.dur - a.dur)
  let end = 0
  let total = 0
  for (const { ts, dur, tdur = dur } of calls) {
    if (ts < end) continue
    end = ts + dur
    total += tdur
  }
  return total / 1000
}

async function trace(page, action) {
  const events = []
  const listener = ({ method, params }) => method === 'Tracing.dataCollected' && events.push(...params.value)
  const complete = browser.next('Tracing.tracingComplete')
  browser.on('message', listener)
  await page.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline', 'v8', 'v8.execute'] } })
  await action()
  await page.send('Tracing.end')
  await complete
  browser.off('message', listener)
  return events
}

async function measure(way) {
  const page = await browser.open(`${site.origin}/page.html`)
  await page.send('Runtime.addBinding', { name: 'shown' })
  const isShown = async (wanted) => {
    while ((await page.event('Runtime.bindingCalled')).payload !== wanted);
  }
  const { version } = await server.get('list')
  const first = isShown(version)
  await page.call(start, way)
  await first
  const times = []
  for (let round = 0; round < rounds; round++) {
    const events = await trace(page, async () => {
      const edits = [{ op: 'merge', id: `r${round * 613}`, value: { title: `${way} ${round}` } }]
      const { version } = await server.edit('list', edits)
      await isShown(version)
    })
    times.push(scriptTime(events))
  }
  await page.close()
  return times.sort((a, b) => a - b)[rounds >> 1]
}

test(`one change among ${rows} rows takes less than 4 ms of script`, { skip }, async () => {
  const item = (_, n) => ({ id: `r${n}`, title: `title of row ${n}`, unread: n % 3 === 0 })
  await server.put('list', Array.from({ length: rows }, item))
  const times = {}
  for (const way of ['livedelta-dom', 'React, keyed and memoised', 'whole replacement']) times[way] = await measure(way)
  for (const [way, time] of Object.entries(times)) {
    console.log(`${way}: ${time.toFixed(2)} ms of script, median of ${rounds}`)
  }
  assert(times['livedelta-dom'] < 4)
})
