// Chromium without a window, driven over a pipe by the DevTools protocol.

import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const binary = process.env.PATH.split(':').map((directory) => join(directory, 'chromium')).find(existsSync)

export const skip = !binary && 'left out: there is no chromium'

export class Browser extends EventEmitter {
  #process
  #profile
  #pending = new Map()
  #count = 0

  static async start() {
    const browser = new Browser()
    browser.#profile = mkdtempSync(join(tmpdir(), 'livedelta-chromium-'))
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
    const places = ['--remote-debugging-pipe', `--user-data-dir=${browser.#profile}`]
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] // it reads from 3 and writes to 4
    browser.#process = spawn(binary, [...flags, ...places], { stdio })
    browser.#read()
    browser.version = (await browser.send('Browser.getVersion')).product
    return browser
  }

  async stop() {
    const ended = once(this.#process, 'close')
    this.#process.stdio[3].on('error', () => {})
    this.send('Browser.close').catch(() => {})
    await ended
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20 })
  }

  send(method, params = {}, sessionId) {
    const id = ++this.#count
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, method }))
  }

  /** The parameters of the next event of a kind, of one page or of any. */
  next(wanted, session) {
    return new Promise((resolve) => {
      const listener = ({ method, params, sessionId }) => {
        if (method !== wanted || (session && sessionId !== session)) return
        this.off('message', listener)
        resolve(params)
      }
      this.on('message', listener)
    })
  }

  /** Opens a page and waits until it is loaded. */
  async open(url) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new Page(this, sessionId, targetId)
    await page.send('Page.enable')
    await page.send('Runtime.enable')
    await page.go(url)
    return page
  }

  #read() {
    let rest = ''
    this.#process.stdio[4].setEncoding('utf8').on('data', (text) => {
      const messages = (rest + text).split('\0')
      rest = messages.pop()
      for (const message of messages) this.#take(JSON.parse(message))
    })
  }

  #take({ id, error, result, method, params, sessionId }) {
    if (!id) return this.emit('message', { method, params, sessionId })
    const { resolve, reject, method: asked } = this.#pending.get(id)
    this.#pending.delete(id)
    if (error) reject(new Error(`${asked}: ${error.message}`))
    else resolve(result)
  }
}

class Page {
  #browser
  #target

  constructor(browser, session, target) {
    this.#browser = browser
    /** What the events of this page have as their session. */
    this.session = session
    this.#target = target
  }

  /** Goes to an address and waits until it is loaded. */
  async go(url) {
    const loaded = this.event('Page.loadEventFired')
    await this.send('Page.navigate', { url })
    await loaded
  }

  /** Closes it, through the browser: its own session may end before it answers. */
  close() {
    return this.#browser.send('Target.closeTarget', { targetId: this.#target })
  }

  send(method, params) {
    return this.#browser.send(method, params, this.session)
  }

  event(wanted) {
    return this.#browser.next(wanted, this.session)
  }

  /** Calls a function in the page, with arguments that JSON can say; a promise is waited for. */
  async call(f, ...args) {
    const expression = `(${f})(...${JSON.stringify(args)})`
    const asked = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', asked)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
}
