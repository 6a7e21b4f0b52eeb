// A proxy between client and service that does what proxies, networks and gateways do.

import { once } from 'node:events'
import http from 'node:http'

export class Proxy {
  /** The path and query of each request, in order. */
  requests = []
  /** Answers a request itself by returning true: `(request, response) => boolean`. */
  intercept = () => false
  /** Replaces the service's answer to a request by returning true: `(response) => boolean`. */
  answer = () => false
  /** What becomes of each piece of a stream's body: `(piece, response, answer) => piece`. */
  filter = (piece) => piece
  /** Whether bodies of streams are held back until they end. */
  buffers = false
  #target
  #server
  #responses = new Set()
  #waiting = []

  static async start(server) {
    const proxy = new Proxy()
    proxy.#target = server
    proxy.#server = http.createServer((request, response) => proxy.#serve(request, response))
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    proxy.client = `http://127.0.0.1:${proxy.#server.address().port}/v1/clients/u42`
    return proxy
  }

  /** Breaks every connection that is open. */
  cut() {
    for (const response of this.#responses) response.destroy()
  }

  /** The next request that matches. */
  next(pattern = /./) {
    return new Promise((resolve) => this.#waiting.push({ pattern, resolve }))
  }

  async stop() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #serve(request, response) {
    const { method, url, headers } = request
    this.requests.push(url)
    this.#waiting = this.#waiting.filter(({ pattern, resolve }) => !(pattern.test(url) && (resolve(request), true)))
    if (this.intercept(request, response)) return
    this.#responses.add(response)
    const upstream = http.request(this.#target.origin + url, { method, headers })
    upstream.on('response', (answer) => this.#relay(answer, response))
    upstream.on('error', () => response.destroy())
    response.on('close', () => {
      this.#responses.delete(response)
      upstream.destroy()
    })
    request.pipe(upstream)
  }

  #relay(answer, response) {
    const isStream = answer.headers['content-type'] === 'text/event-stream'
    if (isStream && this.buffers) return answer.resume()
    if (this.answer(response)) return answer.resume()
    response.writeHead(answer.statusCode, answer.headers)
    answer.on('data', (piece) => response.write(isStream ? this.filter(piece, response, answer) : piece))
    answer.on('end', () => response.end())
    answer.on('error', () => response.destroy())
  }
}
