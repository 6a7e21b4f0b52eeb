import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { pretty, readable } from '../inspector/elements.js'
import { write } from '../inspector/service.js'
import { Proxy } from './support/proxy.js'
import { Server } from './support/server.js'

let server
let proxy
let keys
const { random } = Math

before(async () => (server = await Server.start()))
after(() => server.stop())
beforeEach(async () => {
  keys = []
  proxy = await Proxy.start(server)
  Math.random = () => 0.001 // the shortest pauses
})
afterEach(async () => {
  Math.random = random
  await proxy.stop()
})

const append = (id) => write(`${proxy.client}/collections/list`, {
  method: 'PATCH', type: 'application/vnd.livedelta.edits+json',
  body: `{"edits":[{"op":"append","section":"","items":[{"id":"${id}"}]}]}`,
})

/** Answers the first requests in these ways, each after the service has carried it out. */
function answering(...ways) {
  proxy.intercept = ({ headers }) => (keys.push(headers['idempotency-key']), false)
  proxy.answer = (response) => ways.shift()?.(response) ?? false
}

const refusing = (status, code, headers = {}) => (response) => {
  response.writeHead(status, headers).end(JSON.stringify({ status, code }))
  return true
}
const lost = (response) => (response.destroy(), true)

test('a write whose answer is lost is sent again with its key, and done once', async () => {
  await server.put('list', [])
  answering(lost, refusing(503, 'outcome-unknown'), refusing(502, ''), refusing(503, 'overloaded', { 'Retry-After': 0 }))
  assert.equal((await append('a')).status, 200)
  assert.equal(keys.length, 5)
  assert.equal(new Set(keys).size, 1)
  assert.equal((await server.get('list')).seq, 2)
  assert.equal((await append('b')).status, 200)
  assert.equal(new Set(keys).size, 2)
})

test('what remains unknown after a bounded number of attempts is told as such', async () => {
  await server.put('list', [])
  answering(...Array(9).fill(refusing(503, 'outcome-unknown')))
  assert.equal((await append('c')).body.code, 'outcome-unknown')
  assert.equal(keys.length, 5)
  answering(lost, refusing(401, 'token-expired'))
  assert.equal((await append('d')).body.code, 'outcome-unknown')
})

test('JSON is shown on several lines with its numbers and escapes as they are', () => {
  const text = '{"id":9007199254740993,"a":[{},[ ],1.50,"x\\u0041,:\\"{"],"b":null}'
  const lines = ['{', '  "id": 9007199254740993,', '  "a": [', '    {},', '    [],', '    1.50,', '    "x\\u0041,:\\"{"', '  ],', '  "b": null', '}']
  assert.equal(pretty(text), lines.join('\n'))
  assert.equal(pretty('no JSON'), 'no JSON')
})

test('JSON to read has lists of numbers and texts on one line, and its texts as they are', () => {
  const text = '{"steps":[{"move":{"items":[[0,1,0,0],[1,"a, b",2]]},"counts":[2]}],"deleted":[]}'
  const lines = [
    '{', '  "steps": [', '    {', '      "move": {', '        "items": [', '          [0, 1, 0, 0],', '          [1, "a, b", 2]',
    '        ]', '      },', '      "counts": [2]', '    }', '  ],', '  "deleted": []', '}',
  ]
  assert.equal(readable(text), lines.join('\n'))
})
