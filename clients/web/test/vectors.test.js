// examples/vectors.json: what the service answers, and what a reader in any language must make of it.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Replica } from '../livedelta.js'
import { RandomList, generator } from './support/random.js'
import { Server } from './support/server.js'
import { plain } from './support/until.js'

const file = new URL('../../../examples/vectors.json', import.meta.url)
const FIRST = 'aaaaaaaa.1.aaaaaaaaaaaaaaaa'
const SECOND = 'aaaaaaaa.2.bbbbbbbbbbbbbbbb'

const items = (...ids) => ids.map((id) => ({ id, title: `Item ${id}` }))
const section = (id, ...ids) => ({ id, title: `Section ${id}`, items: items(...ids) })
const changed = (list, ...ids) => list.map((item) => (ids.includes(item.id) ? { ...item, title: 'Changed' } : item))

/** What each case is about, and the two versions as a writer PUTs them. */
const CASES = [
  ['an item is inserted', items('a', 'b'), items('a', 'x', 'b')],
  ['an item is deleted', items('a', 'b', 'c'), items('a', 'c')],
  ['an item moves down', items('a', 'b', 'c', 'd'), items('b', 'c', 'a', 'd')],
  ['the order is reversed', items('a', 'b', 'c', 'd'), items('d', 'c', 'b', 'a')],
  ['an item changes', items('a', 'b', 'c'), changed(items('a', 'b', 'c'), 'b')],
  ['an item moves and changes', items('a', 'b', 'c'), changed(items('c', 'a', 'b'), 'c')],
  ['an item changes between one that is deleted and one that is inserted', items('a', 'b', 'c'), [...changed(items('b'), 'b'), ...items('x', 'c')]],
  ['everything is replaced', items('a', 'b'), items('x', 'y', 'z')],
  ['the last item is deleted', items('a'), []],
  ['the first item is inserted', [], items('a')],
  ['an id is a number, then its text', items(7, 8), [{ id: '7', title: 'Seven' }, { id: 8, title: 'Item 8' }]],
  ['ids that objects of some languages have by themselves', items('__proto__', 'constructor', 'a b', 'é/😀'), items('constructor', 'é/😀', '__proto__', 'toString')],
  ['members of an item come, go and become null', [{ id: 'a', x: 1, y: { z: [1, 2] } }], [{ id: 'a', y: { z: [2] }, w: null }]],
  ['an item moves to another section', { sections: [section('s', 'a', 'b'), section('t', 'c')] }, { sections: [section('s', 'a'), section('t', 'b', 'c')] }],
  ['two sections change places', { sections: [section('s', 'a'), section('t', 'b')] }, { sections: [section('t', 'b'), section('s', 'a')] }],
  ['a section is inserted, with an item of another', { sections: [section('s', 'a', 'b')] }, { sections: [section('n', 'b', 'c'), section('s', 'a')] }],
  ['a section is deleted, and its item stays', { sections: [section('s', 'a', 'b'), section('t', 'c')] }, { sections: [section('t', 'c', 'a')] }],
  ['a section becomes empty', { sections: [section('s', 'a'), section('t')] }, { sections: [section('s'), section('t')] }],
  ['a header changes', { sections: [section('s', 'a')] }, { sections: [{ ...section('s', 'a'), title: 'Other', open: true }] }],
  ['meta appears', { items: items('a'), meta: null }, { items: items('a'), meta: { theme: 'dark' } }],
  ['meta disappears', { items: items('a'), meta: { theme: 'dark' } }, { items: items('a') }],
]

/** Lists with many changes at once, always the same; ids that are integers of any size are texts. */
function manyAtOnce() {
  const list = new RandomList(generator(8))
  const versions = Array.from({ length: 120 }, () => JSON.parse(JSON.stringify(list.next()).replaceAll('"int:', '"')))
  return [[20, 40], [40, 41], [60, 50], [80, 110], [119, 90]].map(([from, to]) => {
    return [`versions ${from} and ${to} of a random list`, versions[from], versions[to]]
  })
}

/** What the service answers about the two versions of a case, with its tokens in one form. */
async function vector(server, [name, before, after], n) {
  const first = await server.put(`list${n}`, before)
  const held = await server.get(`list${n}`)
  const second = await server.put(`list${n}`, after)
  const result = await server.get(`list${n}`)
  const answer = await server.request('GET', `/collections/list${n}/delta?from=${first.version}&to=${second.version}&dialect=splice`)
  const text = JSON.stringify({ name, held, answer, result })
  return JSON.parse(text.replaceAll(first.version, FIRST).replaceAll(second.version, SECOND).replaceAll(`"list${n}"`, '"list"'))
}

/** What an answer without a delta, and a delta that does not fit, are to a reader. `result: null`: ask for everything. */
function others({ held, answer, result }) {
  const { sections } = result
  return [
    { name: 'nothing has changed', held, answer: { kind: 'unchanged', collection: 'list', version: FIRST, seq: 1 }, result: held },
    { name: 'a delta from a version that is not held', held: { ...held, version: SECOND }, answer, result: null },
    { name: 'everything, because the version is unknown', held, answer: { ...result, reset: { reason: 'diverged' } }, result },
    { name: 'the first answer', held: null, answer: { kind: 'snapshot', collection: 'list', version: SECOND, seq: 2, sections }, result },
  ]
}

test('examples/vectors.json is what the service answers', async () => {
  const server = await Server.start({ durable: true })
  try {
    const vectors = []
    for (const [n, two] of [...CASES, ...manyAtOnce()].entries()) vectors.push(await vector(server, two, n))
    const found = [...vectors, ...others(vectors[0])]
    const kinds = new Set(found.map(({ answer }) => answer.kind))
    assert.deepEqual([...kinds].sort(), ['delta', 'snapshot', 'unchanged'])
    if (process.env.UPDATE_VECTORS) {
      writeFileSync(file, `[\n${found.map((vector) => JSON.stringify(vector)).join(',\n')}\n]\n`)
    }
    assert.deepEqual(found, JSON.parse(readFileSync(file, 'utf8')))
  } finally {
    await server.stop()
  }
})

test('a replica makes of each vector what it says', () => {
  for (const { name, held, answer, result } of JSON.parse(readFileSync(file, 'utf8'))) {
    const replica = new Replica({ held: held ?? undefined })
    const change = replica.apply(answer)
    if (!result) assert.equal(change, undefined, name)
    else assert.deepEqual(plain(change?.snapshot ?? replica.snapshot).sections, result.sections, name)
  }
})
