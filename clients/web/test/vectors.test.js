// The vectors of conformance/, and examples/vectors.json, a part of them: what a reader in any language must make of an answer.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Replica, events, parse } from '../livedelta.js'
import { skip } from './support/browser.js'
import { shared } from './support/shared.js'
import { plain } from './support/until.js'

const read = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))

test('a replica makes of each vector what it says', () => {
  for (const { name, held, answer, result } of read('examples/vectors.json')) {
    const replica = new Replica({ held: held ?? undefined })
    const change = replica.apply(answer)
    if (!result) assert.equal(change, undefined, name)
    else assert.deepEqual(plain(change?.snapshot ?? replica.snapshot).sections, result.sections, name)
  }
})

/** A version as a writer PUTs it, as the sections that a snapshot has. */
function sections(content) {
  const { sections = [{ id: '', items: content.items ?? content }] } = content
  return sections
}

const text = (value) => parse(JSON.stringify(value))

test('a replica makes the new version of each pair of conformance/, with merge patches and without', () => {
  const pairs = read('conformance/vectors/pairs.json')
  assert.equal(pairs.length, 400)
  for (const { name, old, new: wanted, contents, patches, answers } of pairs) {
    for (const items of [contents.items, { ...contents.items, ...patches }]) {
      const replica = new Replica({ held: text({ kind: 'snapshot', version: 'a', sections: sections(old) }) })
      const change = replica.apply(text({ kind: 'delta', from: 'a', to: 'b', ...contents, ...answers.splice, items }))
      assert.ok(change, name)
      assert.deepEqual(plain(replica.snapshot.sections), text(sections(wanted)), name)
    }
  }
})

test('a replica of a view makes of each delta of conformance/ what is seen afterwards', () => {
  const steps = read('conformance/vectors/views.json').filter(({ kind }) => kind === 'delta')
  assert.equal(steps.length, 100)
  for (const { why, before, after, contents, answers } of steps) {
    const replica = new Replica({ held: text({ kind: 'snapshot', version: 'a', sections: before }) })
    assert.ok(replica.apply(text({ kind: 'delta', from: 'a', to: 'b', ...contents, ...answers.splice })), why)
    assert.deepEqual(plain(replica.snapshot.sections), text(after), why)
    assert.deepEqual(plain(replica.snapshot.view), contents.view, why)
  }
})

test('a merge patch gives the result of each vector', () => {
  for (const { why, target, patch, result } of read('conformance/vectors/patches.json')) {
    const item = (value) => Object.fromEntries([['id', 'x'], ...Object.entries(value)])
    const replica = new Replica({ held: { kind: 'snapshot', version: 'a', sections: [{ id: '', items: [item(target)] }] } })
    replica.apply({
      kind: 'delta', from: 'a', to: 'b', order: [''], removed: [], added: [], changed: ['x'], deleted: [], sections: {},
      items: { x: { '~patch': patch } },
    })
    assert.deepEqual(replica.item('x'), item(result), why)
  }
})

/**
 * The events of a stream, and the pause that it sets, as a browser tells of them. `cut` is the size of the pieces in
 * which its bytes come, or, if negative, where the only cut is.
 */
async function heard(events, { stream, hex }, cut) {
  const bytes = hex ? Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16)) : new TextEncoder().encode(stream)
  let at = 0
  const body = new ReadableStream({
    pull(to) {
      const end = cut > 0 ? at + cut : at < -cut ? -cut : bytes.length
      if (at < bytes.length) to.enqueue(bytes.slice(at, end))
      else to.close()
      at = end
    },
  })
  const list = []
  let lastID = ''
  let pause
  for await (const { event, id = lastID, data, retry } of events(body, () => {})) {
    lastID = id
    pause = retry === undefined ? pause : Math.min(retry, 30_000)
    if (data !== undefined) list.push({ event: event || 'message', id, data })
  }
  return { events: list, ...(pause === undefined ? {} : { retry: pause }) }
}

const streams = read('conformance/vectors/streams.json')

/** Pieces of several sizes, and two of them with the cut at each byte. */
function cuts({ stream, hex }) {
  const count = hex ? hex.length / 2 : Buffer.byteLength(stream)
  const step = count > 1000 ? 97 : 1
  return [1, 2, 3, 7, 1_000_000, ...Array.from({ length: Math.ceil(count / step) }, (_, at) => -at * step - 1)]
}

const wanted = ({ events, retry }) => ({ events, ...(retry === undefined ? {} : { retry }) })

test('event streams of conformance/ are read as their events, wherever they are cut', async () => {
  assert(streams.length >= 70)
  for (const stream of streams) {
    for (const cut of cuts(stream)) assert.deepEqual(await heard(events, stream, cut), wanted(stream), `${stream.name}, cut ${cut}`)
  }
})

const tests = shared({ 'page.html': '<!doctype html>' })

test('event streams of conformance/ are read in Chromium as their events, wherever they are cut', { skip }, async () => {
  const tab = await tests.open()
  const script = `async (cases) => {
    const heard = ${heard}
    const { events } = await import('./livedelta.js')
    const all = []
    for (const [stream, cuts] of cases) for (const cut of cuts) all.push(await heard(events, stream, cut))
    return all
  }`
  const all = await tab.call(script, streams.map((stream) => [stream, cuts(stream)]))
  assert.deepEqual(all, streams.flatMap((stream) => cuts(stream).map(() => wanted(stream))))
})
