import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Replica, parse } from '../livedelta.js'
import { plain } from './support/until.js'

const snapshot = (version, sections, more) => ({
  kind: 'snapshot', collection: 'c', version, seq: 1, sections, ...more,
})
const flat = (...items) => [{ id: '', items }]
const delta = (from, to, more) => ({
  kind: 'delta', collection: 'c', from, to, seq: 2,
  order: [''], removed: [], added: [], changed: [], items: {}, sections: {}, deleted: [], ...more,
})
const holding = (...items) => new Replica({ held: snapshot('1', flat(...items)) })

test('a delta makes of one version the next, sections, items and meta', () => {
  const replica = new Replica()
  const item = (id, more) => ({ id, ...more })
  const today = { id: 'today', title: 'Today', items: [item('m1'), item('m2'), item('m3')] }
  const earlier = { id: 'earlier', items: [item('m4'), item('m5')] }
  replica.apply(snapshot('1', [today, earlier], { meta: { theme: 'dark' } }))
  const change = replica.apply(delta('1', '2', {
    order: ['pinned', 'today', 'earlier'], removed: ['m2', 'm4'], changed: ['m3'], deleted: ['m2'],
    added: [['pinned', 0, 'm4'], ['pinned', 1, 'm9'], ['today', 0, 'm6']],
    items: { m3: item('m3', { read: true }), m6: item('m6'), m9: item('m9') },
    sections: { pinned: { id: 'pinned', title: 'Pinned' } }, meta: null,
  }))
  assert.deepEqual(plain(replica.snapshot), {
    kind: 'snapshot', collection: 'c', version: '2', seq: 2,
    sections: [
      { id: 'pinned', title: 'Pinned', items: [item('m4'), item('m9')] },
      { id: 'today', title: 'Today', items: [item('m6'), item('m1'), item('m3', { read: true })] },
      { id: 'earlier', items: [item('m5')] },
    ],
  })
  assert.equal(change.previous.version, '1')
  assert.deepEqual(replica.ids('today'), ['m6', 'm1', 'm3'])
  assert.equal(replica.item('m2'), undefined)
})

test('an answer that does not follow from what is held is refused, and changes nothing', () => {
  const misfits = {
    'another version': delta('0', '2'),
    'an unknown section': delta('1', '2', { added: [['x', 0, 'b']], items: { b: { id: 'b' } } }),
    'a place behind the end': delta('1', '2', { added: [['', 2, 'b']], items: { b: { id: 'b' } } }),
    'an item without content': delta('1', '2', { added: [['', 1, 'b']] }),
    'an item without content whose id every object has': delta('1', '2', { added: [['', 1, 'constructor']] }),
    'more items gone than deleted': delta('1', '2', { removed: ['a'] }),
    'fewer items gone than deleted': delta('1', '2', { deleted: ['a'] }),
    'content of an item that is neither held nor added': delta('1', '2', { items: { b: { id: 'b' } } }),
    'another change of such an item': delta('1', '2', { changed: ['b'], items: { b: { id: 'b' } } }),
    'a change without content': delta('1', '2', { changed: ['a'] }),
    'content of an item that goes': delta('1', '2', { removed: ['a'], deleted: ['a'], items: { a: { id: 'a' } } }),
    'an item that is added twice': delta('1', '2', { added: [['', 1, 'b'], ['', 2, 'b']], items: { b: { id: 'b' } } }),
    'an item that is added and stays': delta('1', '2', { added: [['', 1, 'a']] }),
  }
  for (const [name, answer] of Object.entries(misfits)) {
    const replica = holding({ id: 'a' })
    const held = replica.snapshot
    assert.equal(replica.apply(answer), undefined, name)
    assert.equal(replica.snapshot, held, name)
    assert.deepEqual(replica.item('a'), { id: 'a' }, name)
  }
})

test('what is no answer at all throws, and the whole can be taken after it', () => {
  const unknown = delta('1', '2', { order: ['', 'new'] })
  for (const answer of [{}, { kind: 'unchanged', version: '0' }, { kind: 'delta', from: '1' }, unknown]) {
    const replica = holding({ id: 'a' })
    const held = replica.snapshot
    assert.throws(() => replica.apply(answer))
    assert.equal(replica.snapshot, held)
    assert(replica.apply(snapshot('2', flat({ id: 'a' }, { id: 'b' }))))
    assert.deepEqual(replica.ids(), ['a', 'b'])
  }
})

test('an answer that brings nothing is no change', () => {
  assert.equal(holding().apply({ kind: 'unchanged', version: '1' }), null)
  assert.equal(new Replica().apply({ kind: 'deleted', version: '1' }), null)
})

test('what did not change is the same object, after deltas and after snapshots', () => {
  const replica = new Replica()
  const sections = () => [
    { id: 's', t: 1, items: [{ id: 1, n: {} }, { id: 2 }] },
    { id: 't', items: [{ id: 3 }] },
    { id: 'u', items: [] },
  ]
  replica.apply(snapshot('1', sections()))
  const [s, t, u] = replica.snapshot.sections
  replica.apply(delta('1', '2', { order: ['s', 't', 'u'], changed: ['3'], items: { 3: { id: 3, n: 1 } } }))
  assert.deepEqual(replica.snapshot.sections.map((section) => [s, t, u].includes(section)), [true, false, true])
  replica.apply(snapshot('3', sections()))
  assert.equal(replica.snapshot.sections[0], s)
  assert.deepEqual(replica.snapshot.sections[1], t)
  const other = sections()
  other[0].t = 2
  replica.apply(snapshot('4', other))
  assert.notEqual(replica.snapshot.sections[0], s)
  assert.equal(replica.snapshot.sections[0].items[0], s.items[0])
})

test('ids that no number holds exactly are kept by their text', () => {
  const ids = ['9007199254740992', '9007199254740993', '-9007199254740993', '-0', '0', '100000000000000000000001']
  const items = ids.map((id, n) => `{"id":${id},"n":${n}}`)
  const text = `{"kind":"snapshot","version":"1","seq":1,"sections":[{"id":9007199254740993,"items":[${items}]}]}`
  const replica = new Replica({ held: parse(text) })
  assert.deepEqual(replica.ids('9007199254740993'), ids)
  const change = '{"9007199254740993":{"~patch":{"n":9}},"-0":{"id": -0 }}'
  assert(replica.apply(delta('1', '2', {
    order: ['9007199254740993'], changed: ['9007199254740993', '-0'], items: parse(change),
  })))
  assert.deepEqual(ids.map((id) => replica.item(id).n), [0, 9, 2, undefined, 4, 5])
  assert.equal(replica.item('9007199254740993').id, '9007199254740993')
  assert.equal(replica.item('-0').id, '-0')
})

test('parse changes nothing but ids that no number holds exactly', () => {
  for (const text of [
    '{"id":7,"at":9007199254740993}', '[{"id":1e3},{"id":-1},{"id":0}]', '{"a":"{\\"id\\":9007199254740993}"}',
    '{"id":9007199254740993.5}', '{"id":-0.0}', '{"x\\"id":9007199254740993}', '"\\n"', '{"grid":9007199254740993}',
  ]) assert.deepEqual(parse(text), JSON.parse(text), text)
  assert.equal(parse(`{"text":"${'x\\"'.repeat(1 << 20)}"}`).text.length, 2 << 20)
})

test('ids that may be rounded are refused by name, and change nothing', () => {
  for (const id of [9007199254740993, -0, 1.5, undefined, {}]) {
    const replica = holding({ id: 'a' })
    const held = replica.snapshot
    assert.throws(() => replica.apply(snapshot('2', flat({ id }))), { code: 'inexact-id' })
    assert.equal(replica.snapshot, held)
    assert.deepEqual(replica.ids(), ['a'])
    assert.equal(holding({ id }).snapshot.version, '', 'what was kept with such ids is not held')
  }
})

test('merge patches are those of RFC 7396', () => {
  // Appendix A: what is held, the patch, what comes of it.
  const rows = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [['a', 'b'], ['c', 'd'], ['c', 'd']],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]
  for (const [held, patch, result] of rows) {
    const replica = new Replica({ id: () => 'x', held: snapshot('1', flat({ held })) })
    assert(replica.apply(delta('1', '2', { changed: ['x'], items: { x: { '~patch': { held: patch } } } })))
    assert.deepEqual(replica.item('x'), { held: result })
  }
})

test('a patch shares what it does not name, and takes __proto__ as a name', () => {
  const text = '{"id":"a","keep":{},"__proto__":{"x":1}}'
  const replica = holding(JSON.parse(text))
  const { keep } = replica.item('a')
  const items = JSON.parse('{"a":{"~patch":{"__proto__":{"y":2},"n":1}}}')
  assert(replica.apply(delta('1', '2', { changed: ['a'], items })))
  assert.equal(JSON.stringify(replica.item('a')), '{"id":"a","keep":{},"__proto__":{"x":1,"y":2},"n":1}')
  assert.equal(replica.item('a').keep, keep)
})

test('an item whose only member is ~patch comes wrapped', () => {
  const replica = new Replica({ id: () => 'x', held: snapshot('1', flat({ '~patch': 1 })) })
  assert(replica.apply(delta('1', '2', { changed: ['x'], items: { x: { '~item': { '~patch': 2 } } } })))
  assert.deepEqual(replica.item('x'), { '~patch': 2 })
})

test('items of the same id have ids of their own, wherever the id is', () => {
  const held = snapshot('1', flat({ key: { n: 7 } }, { key: { n: 7 }, k: 2 }))
  const replica = new Replica({ id: (item) => item.key.n, held })
  assert.deepEqual(replica.ids(), ['7', '7#2'])
  assert.equal(replica.item('7#2').k, 2)
  assert(replica.apply(delta('1', '2', { removed: ['7#2'], deleted: ['7#2'] })))
  assert.deepEqual(replica.ids(), ['7'])
})

test('the ids of sections are where those of items are, but that of a flat list', () => {
  const sections = [{ key: { n: 's' }, id: 'other', items: [{ key: { n: 7 } }] }, { key: { n: 't' }, items: [] }]
  const replica = new Replica({ id: ({ key }) => key.n, held: snapshot('1', sections) })
  assert.deepEqual(replica.order, ['s', 't'])
  assert(replica.apply(delta('1', '2', { order: ['t', 's'], removed: ['7'], added: [['t', 0, '7']] })))
  assert.deepEqual(plain(replica.snapshot.sections), [{ ...sections[1], items: sections[0].items }, { ...sections[0], items: [] }])
  assert(replica.apply(snapshot('3', flat({ key: { n: 8 } }))))
  assert.deepEqual([replica.order, replica.ids()], [[''], ['8']])
  const made = new Replica({ id: ({ key }) => key, held: snapshot('1', [{ id: 's', items: [{ key: 7 }] }]) })
  assert.deepEqual([made.order, made.ids('s')], [['s'], ['7']])
})

test('sections of the same id have ids of their own', () => {
  const items = [{ id: 1 }, { id: 1, k: 2 }]
  const sections = [{ id: 's', n: 1, items: [items[0]] }, { id: 's', n: 2, items: [items[1]] }]
  const replica = new Replica({ held: snapshot('1', sections) })
  assert.deepEqual(plain(replica.snapshot.sections), sections)
  assert.deepEqual(replica.ids('s#2'), ['1#2'])
  assert(replica.apply(delta('1', '2', { order: ['s#2', 's'] })))
  assert.deepEqual(plain(replica.snapshot.sections), sections.toReversed())
})

test('a loop sees the newest snapshot each time round, not those it was too busy for', async () => {
  const replica = new Replica()
  const seen = []
  const add = (n) => replica.publish('live', replica.apply(snapshot(String(n), flat({ id: n }))))
  setImmediate(() => add(1))
  for await (const { version } of replica) {
    seen.push(version)
    for (const n of [2, 3, 4]) if (seen.length === 1) add(n)
    if (seen.length === 2) setImmediate(() => replica.publish('closed'))
  }
  assert.deepEqual(seen, ['1', '4'])
})

test('a loop throws why its replica was closed', async () => {
  const replica = new Replica()
  replica.publish('closed', null, new Error('gone'))
  await assert.rejects(async () => {
    for await (const _ of replica);
  }, /gone/)
})

test('a section whose id is a number is found by its text', () => {
  const replica = new Replica()
  replica.apply({ kind: 'snapshot', version: 'a', seq: 1, sections: [{ id: 7, items: [{ id: 1 }] }] })
  assert.deepEqual(replica.ids('7'), ['1'])
})
