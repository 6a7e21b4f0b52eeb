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

/** The events of a stream whose bytes come in pieces of one size, as a browser tells of them. */
async function heard(events, text, size) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream({
    pull: (to) => (at < bytes.length ? to.enqueue(bytes.slice(at, (at += size))) : to.close()),
  })
  const list = []
  let lastID = ''
  for await (const { event = 'message', id = lastID, data } of events(body, () => {})) {
    lastID = id
    if (data !== undefined) list.push({ event, id, data })
  }
  return list
}

const streams = read('conformance/vectors/streams.json')
const SIZES = [1, 2, 3, 7, 1000, 1_000_000]

test('event streams of conformance/ are read as their events, wherever they are cut', async () => {
  assert(streams.length >= 20)
  for (const { name, stream, events: wanted } of streams) {
    for (const size of SIZES) assert.deepEqual(await heard(events, stream, size), wanted, `${name}, in pieces of ${size}`)
  }
})

const tests = shared({ 'page.html': '<!doctype html>' })

test('event streams of conformance/ are read in Chromium as their events, wherever they are cut', { skip }, async () => {
  const tab = await tests.open()
  const script = `async (streams, sizes) => {
    const heard = ${heard}
    const { events } = await import('./livedelta.js')
    const all = []
    for (const { stream } of streams) for (const size of sizes) all.push(await heard(events, stream, size))
    return all
  }`
  const all = await tab.call(script, streams, SIZES)
  const wanted = streams.flatMap(({ events }) => SIZES.map(() => events))
  assert.deepEqual(all, wanted)
})
