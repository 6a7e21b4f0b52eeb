// Event streams as the standard allows them, which a proxy may make of what the service writes.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { follow } from '../livedelta.js'

const SNAPSHOT = '{"kind":"snapshot","collection":"list","version":"a.1.x","seq":1,"sections":[{"id":"","items":[{"id":"é: 1\u2028"}]}]}'
const LINES = ['retry: 1000', '', 'event: snapshot', 'id: a.1.x', `data: ${SNAPSHOT}`, '', '']

/** What a replica holds after a stream of these bytes, sent one by one. */
async function held(stream) {
  const server = createServer(async (request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const byte of Buffer.from(stream)) {
      response.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = new AbortController()
  try {
    const url = `http://127.0.0.1:${server.address().port}/v1/clients/u1`
    const replica = follow(url, { collection: 'list', signal: stop.signal })
    for await (const { version, sections } of replica) return { version, ids: sections[0].items.map(({ id }) => id) }
  } finally {
    stop.abort()
    server.closeAllConnections()
    server.close()
  }
}

const FORMS = {
  'as the service writes it': LINES.join('\n'),
  'lines that end with CR LF': LINES.join('\r\n'),
  'no space after the colon': LINES.map((line) => line.replace(': ', ':')).join('\n'),
  'comments between and within': [': a', '', ...LINES.slice(0, 3), ': b', ...LINES.slice(3)].join('\n'),
}

for (const [form, stream] of Object.entries(FORMS)) {
  test(`a stream is read: ${form}`, { timeout: 300_000 }, async () => {
    assert.deepEqual(await held(stream), { version: 'a.1.x', ids: ['é: 1\u2028'] })
  })
}
