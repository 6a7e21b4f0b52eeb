import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { edited } from '../livedelta-edits.js'
import { generator, seed } from './support/random.js'
import { RandomEdits } from './support/edits.js'
import { Server } from './support/server.js'

const rounds = Number(process.env.VERSIONS ?? 2000)
let server

before(async () => (server = await Server.start()))
after(() => server.stop())

/** The sections that the service has after edits; undefined if it refuses them. */
async function asked(edits) {
  try {
    await server.edit('list', edits)
  } catch (error) {
    if (/ (409|422) /.test(error.message)) return undefined
    throw error
  }
  return (await server.get('list')).sections
}

function tried(sections, edits) {
  try {
    return edited(sections, edits)
  } catch {
    return undefined
  }
}

test(`${rounds} random edits make of a list what the service makes of it, seed ${seed}`, async () => {
  console.log(`seed ${seed}`)
  const random = generator(seed)
  const random_edits = new RandomEdits(random, 'x')
  await server.put('list', { sections: [{ id: 'a', title: 'A', items: [{ id: 1 }, { id: '2' }] }, { id: 'b', items: [] }] })
  let { sections } = await server.get('list')
  const counts = {}
  for (let round = 0; round < rounds; round++) {
    const edits = random_edits.next(sections)
    const before = JSON.stringify(sections)
    const expected = await asked(edits)
    const here = tried(sections, edits)
    assert.equal(JSON.stringify(sections), before, 'what was given stays as it was')
    // Where the service refuses, what shows until then does not count.
    if (expected) assert.deepEqual(here, expected, JSON.stringify({ edits, before }))
    for (const { op } of edits) counts[`${op}${expected ? '' : ' refused'}`] = 1 + (counts[`${op}${expected ? '' : ' refused'}`] ?? 0)
    sections = expected ?? sections
  }
  console.log(counts)
  for (const op of RandomEdits.OPERATIONS) assert(counts[op] > 0, `${op} was never taken`)
})
