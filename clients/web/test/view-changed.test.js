// A reader whose view was changed: the service begins anew with a token that has a mark, and the reader goes on.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { follow } from '../livedelta.js'
import { followAll } from '../livedelta-many.js'

// As long as a token may be: 64 bytes and a mark.
const MARKED = `k3f9m2qx.123456789012345678.${'Z'.repeat(36)}.v0a1B2c3d`
const snapshot = (version, id, reset) => ({ kind: 'snapshot', collection: 'list', version, seq: 1, sections: [{ id: '', items: [{ id }] }], reset })
const ANSWERS = [
  snapshot('k.1.a', 'hidden'),
  snapshot(MARKED, 'shown', { reason: 'view-changed', since: 'k.1.a' }),
  {
    kind: 'delta', collection: 'list', from: MARKED, to: 'k.2.b.v0a1B2c3d', seq: 2, order: [''], removed: [], added: [['', 1, 'new']],
    changed: [], deleted: [], items: { new: { id: 'new' } }, sections: {},
  },
]

for (const form of ['a stream', 'long polls', 'a stream of several', 'long polls of several']) {
  test(`a reset because the view changed replaces everything, and the feed goes on: ${form}`, { timeout: 60_000 }, async () => {
    const isMany = / of several/.test(form)
    const stream = /stream/.test(form)
    const answers = ANSWERS.map((answer) => (isMany ? { kind: 'sync', collections: { list: answer }, unchanged: [] } : answer))
    const asked = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      asked.push(request.url + body)
      if (stream) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        for (const answer of answers.splice(0)) response.write(`event: ${answer.kind}\ndata: ${JSON.stringify(answer)}\n\n`)
      } else if (answers.length) response.end(JSON.stringify(answers.shift()))
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const stop = new AbortController()
    const url = `http://127.0.0.1:${server.address().port}/v1/clients/u1`
    const options = { signal: stop.signal, stream }
    const replica = isMany ? followAll(url, { collections: ['list'], ...options }).list : follow(url, { collection: 'list', ...options })
    const seen = []
    try {
      await new Promise((resolve) => {
        replica.addEventListener('change', ({ detail }) => {
          if (detail) seen.push([detail.reset?.reason, replica.ids().join()])
          if (seen.length === 3) resolve()
        })
      })
      assert.deepEqual(seen, [[undefined, 'hidden'], ['view-changed', 'shown'], [undefined, 'shown,new']])
      if (!stream) assert(asked[2].includes(MARKED))
    } finally {
      stop.abort()
      server.closeAllConnections()
      server.close()
    }
  })
}
