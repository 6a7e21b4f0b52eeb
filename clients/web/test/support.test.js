import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'

test('a service that tests started ends when they are killed', async () => {
  const script = `
    import { Server } from '${new URL('support/server.js', import.meta.url)}'
    console.log((await Server.start()).origin)`
  const tests = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [origin] = await once(tests.stdout.setEncoding('utf8'), 'data')
  const socket = connect(new URL(origin).port, '127.0.0.1')
  await once(socket, 'connect')
  // A service that is killed may reset its connections.
  const ended = new Promise((resolve) => socket.resume().on('error', () => {}).on('close', resolve))
  tests.kill('SIGKILL')
  await ended
  const [error] = await once(connect(new URL(origin).port, '127.0.0.1'), 'error')
  assert.match(error.code, /ECONNREFUSED|ECONNRESET/)
})
