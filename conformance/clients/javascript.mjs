// Drives clients/web in the kit: node javascript.mjs URL CLIENT COLLECTION[,COLLECTION...] [TOKEN]
import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { follow } from '../../clients/web/livedelta.js'
import { followAll } from '../../clients/web/livedelta-many.js'
import { view } from '../../clients/web/livedelta-view.js'

const [url, client, names, token] = process.argv.slice(2)
const { CONFORM_FOLDER: folder, CONFORM_VIEW: seen } = process.env
const isMany = names.includes(',')
const kept = folder && !isMany ? `${folder}/held.json` : undefined
const held = kept && existsSync(kept) ? JSON.parse(readFileSync(kept)) : undefined
const options = { token: token ? () => token : undefined, held }
const base = `${url}/v1/clients/${client}`
const followed = isMany ? followAll(base, { ...options, collections: names.split(',') })
  : { [names]: (seen ? view : follow)(base, { ...options, ...JSON.parse(seen ?? '{}'), collection: names }) }

/** Whatever did not change is the same object as before, and what is asked for by id is what is shown. */
function check(replica, { snapshot, previous }) {
  const objects = ({ sections }) => sections.flatMap((section) => [[`s${section.id}`, section], ...section.items.map((item) => [`i${item.id}`, item])])
  const before = new Map(objects(previous))
  for (const [id, object] of objects(snapshot)) {
    const old = before.get(id)
    if (old && JSON.stringify(old) === JSON.stringify(object)) assert.equal(object, old)
  }
  for (const { id, items } of snapshot.sections) {
    assert.deepEqual(replica.ids(String(id)).map((each) => replica.item(each)), items)
  }
}

function print(name, event, { version, meta, sections }) {
  const lines = [`event: ${event}`, `version: ${version ?? ''}`, `meta: ${JSON.stringify(meta) ?? ''}`, `sections: ${JSON.stringify(sections)}`]
  console.log([...(isMany ? [`collection: ${name}`] : []), ...lines].join('\n'))
}

for (const [name, replica] of Object.entries(followed)) {
  if (held) print(name, 'kept', replica.snapshot)
  replica.addEventListener('change', ({ detail }) => {
    if (!detail) return
    check(replica, detail)
    if (kept) {
      writeFileSync(`${kept}.new`, JSON.stringify(detail.snapshot))
      renameSync(`${kept}.new`, kept)
    }
    print(name, detail.kind, detail.snapshot)
  })
  replica.addEventListener('problem', ({ detail }) => console.error(String(detail), detail.code ?? detail.cause ?? ''))
}
createInterface({ input: process.stdin }).on('line', (line) => followed[names].setWindow(line.slice('window: '.length)))
