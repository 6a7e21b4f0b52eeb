// The real service, on a port of its own, with a data directory that is removed at the end.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { read, written } from './random.js'

/** The program under test. */
export const binary = process.env.LIVEDELTA ?? new URL('../../../../.build/release/livedelta', import.meta.url).pathname

/** The environment, without what the service would take for settings. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LIVEDELTA')))

/** Has a process end when this one has gone, however it went: the input of what waits for that ends then. */
function guard(child) {
  if (!child.pid) return
  const script = 'read -r _; kill -9 "$1" 2>/dev/null'
  const watch = spawn('sh', ['-c', script, 'sh', child.pid], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.on('exit', () => watch.kill())
}

export class Server {
  #data
  #process
  #settings

  /** `token` is what the requests of tests are sent with; the rest are the service's settings. */
  static async start({ durable = false, token, ...settings } = {}) {
    const server = new Server()
    server.token = token
    server.#settings = settings
    server.#data = mkdtempSync(join(tmpdir(), 'livedelta-web-'))
    server.store = durable ? join(server.#data, 'store') : ':memory:'
    await server.restart()
    return server
  }

  /** Starts the process, on another port than before. */
  async restart() {
    const config = join(this.#data, 'config.json')
    writeFileSync(config, JSON.stringify(this.#settings))
    const listen = ['--listen', '127.0.0.1:0', '--ops', '127.0.0.1:0', '--data', this.store]
    this.#process = spawn(binary, ['serve', '--json', '--durability', 'normal', '--config', config, ...listen], { env })
    guard(this.#process)
    let complaint = ''
    this.#process.stderr.on('data', (text) => (complaint += text))
    const lines = createInterface({ input: this.#process.stdout })
    this.origin = await new Promise((resolve, reject) => {
      this.#process.on('error', reject)
      this.#process.on('exit', (code) => reject(new Error(`the service ended with ${code}: ${complaint}`)))
      lines.on('line', (line) => {
        const { listening } = JSON.parse(line)
        if (listening) resolve(`http://${listening[0]}`)
      })
    })
    this.client = `${this.origin}/v1/clients/u42`
  }

  /** Ends the process as the loss of power would. */
  async kill() {
    if (this.#process.exitCode !== null || this.#process.signalCode) return
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await ended
  }

  async stop() {
    await this.kill()
    rmSync(this.#data, { recursive: true, force: true })
  }

  async request(method, path, body, type = 'application/json') {
    const authorization = this.token && { Authorization: `Bearer ${this.token}` }
    const init = { method, headers: { 'Content-Type': type, ...authorization }, body: body && written(body) }
    const response = await fetch(this.client + path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text && read(text)
  }

  edit(name, edits) {
    return this.request('PATCH', `/collections/${name}`, { edits }, 'application/vnd.livedelta.edits+json')
  }

  /** The delta between two versions that are kept, in the dialect `staged`. */
  between(name, from, to) {
    return this.request('GET', `/collections/${name}/delta?from=${from}&to=${to}`)
  }

  put(name, body) {
    return this.request('PUT', `/collections/${name}`, body)
  }

  get(name) {
    return this.request('GET', `/collections/${name}`)
  }

  delete(name) {
    return this.request('DELETE', `/collections/${name}`)
  }
}
