// Writes collections of a LiveDelta service, from a backend in Node.
//
// Each write has an Idempotency-Key and is repeated with it while the service is away or busy, or while the outcome is
// not known, so that it is made once.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from '../livedelta.js'

const JSON_TYPE = 'application/json'
const EDITS_TYPE = 'application/vnd.livedelta.edits+json'
const PAUSE_MAX = 30_000 // milliseconds
const RETRY_AFTER_MAX = 3600 // seconds: nobody waits longer

/** The service, or what is in front of it, refused a request: `code` is for programs; a page of a proxy has none. */
export class Problem extends Error {
  name = 'Problem'

  constructor(status, { code = '', detail = '', current, errors = [] }, retryAfter) {
    const places = errors.slice(0, 10).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`)
    super(`${status} ${code || 'without a code'}: ${detail}${places.join('')}`)
    Object.assign(this, { status, code, detail, current, errors, retryAfter })
  }
}

/** The service cannot be reached, or a connection to it was lost, and repeating did not help. */
export class Disconnected extends Error {
  name = 'Disconnected'
}

/** A write may or may not have been made; repeat it with `key` to have it made once. */
export class OutcomeUnknown extends Disconnected {
  name = 'OutcomeUnknown'

  constructor(reason, key) {
    super(`${reason.message}; repeat the write with the key ${key} to have it made once`, { cause: reason })
    this.key = key
  }
}

const write = (collection, kind, value, { ifVersion } = {}) => ({ collection, [kind]: value, ...(ifVersion && { ifVersion }) })

/** The write of a batch that stores a whole collection. */
export const put = (collection, content, options) => write(collection, 'put', content, options)
/** The write of a batch that edits a collection. */
export const edits = (collection, edits, options) => write(collection, 'edits', edits, options)
/** The write of a batch that deletes a collection. */
export const remove = (collection, options) => write(collection, 'delete', true, options)

// Names as the service has them in paths; `.` and `..` would be taken for steps.
const segment = (name) => encodeURIComponent(name).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'))

const isTemporary = ({ status, code }) => [429, 502, 503, 504].includes(status) || code === 'idempotency-in-flight'

/** Whether a lost connection says that another would be lost too: the certificate cannot be verified. */
const isUntrusted = ({ cause }) => /CERT|SIGNATURE|TLS_CERT/.test(cause?.code ?? '')

/** Whether nothing was sent. */
const isRefused = ({ cause }) => ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(cause?.code)

/** A LiveDelta service. */
export class Service {
  #address
  #token
  #timeout
  #patience

  constructor(address, { token, timeout = 30_000, patience = 30_000 } = {}) {
    const { protocol, origin, pathname } = new URL(address)
    if (!/^https?:$/.test(protocol)) throw new TypeError(`${address} is not http://HOST[:PORT] or https://HOST[:PORT]`)
    this.#address = origin + pathname.replace(/\/$/, '')
    this.#token = token
    this.#timeout = timeout
    this.#patience = patience
  }

  /** A collection, whether it exists or not. */
  collection(client, name) {
    return new Collection(this, client, name)
  }

  /** Writes several collections of a client in one request; resolves to a Map of their receipts, by name. */
  async batch(client, writes, { atomic = true, key = randomUUID() } = {}) {
    const path = `/v1/clients/${segment(client)}/batch`
    const { body } = await this.request('POST', path, { body: { atomic, writes }, key })
    if (!Array.isArray(body?.results)) throw new OutcomeUnknown(new Error('an answer that is no receipt'), key)
    const result = ({ collection, status, problem, version }) =>
      [collection, problem ? new Problem(status, problem) : { version: version ?? null, changed: true }]
    return new Map(body.results.map(result))
  }

  /** Deletes a client and all its collections. */
  async forget(client) {
    await this.request('DELETE', `/v1/clients/${segment(client)}`, { isOptional: true })
  }

  /**
   * Sends a request, again while that is worth it. With `key` a write is made once; with `isOptional` a collection that
   * does not exist is an answer without a body.
   */
  async request(method, path, { body, type = JSON_TYPE, key, fields, isOptional } = {}) {
    const headers = { ...(body !== undefined && { 'Content-Type': type }), ...(key && { 'Idempotency-Key': key }), ...fields }
    const init = { method, headers, body: JSON.stringify(body) }
    let end
    let mayBeMade = false
    let isStale = false
    for (let attempt = 0; ; attempt++) {
      let error
      try {
        const answer = await this.#send(path, init, isStale)
        if (answer.status < 300) return answer
        error = answer.problem
        if (isOptional && error.code === 'collection-not-found') return { status: 404, body: undefined, fields: answer.fields }
        if (error.status === 401 && !isStale && typeof this.#token === 'function') {
          isStale = true // the token may have expired: another one, once
          continue
        }
        if (!isTemporary(error)) throw error
        // What a proxy says of a write does not say whether the service had it.
        mayBeMade ||= !error.code || ['outcome-unknown', 'idempotency-in-flight'].includes(error.code)
      } catch (lost) {
        if (lost instanceof Problem) throw lost
        error = new Disconnected(`${method} ${path}: ${lost.cause?.message ?? lost.message}`, { cause: lost })
        if (isUntrusted(lost)) throw error
        mayBeMade ||= !isRefused(lost)
      }
      const pause = (error.retryAfter ?? 0) * 1000 + Math.random() * Math.min(PAUSE_MAX, 100 * 2 ** attempt)
      end ??= Date.now() + this.#patience
      if (Date.now() + pause > end) throw key && mayBeMade ? new OutcomeUnknown(error, key) : error
      await sleep(pause)
    }
  }

  async #send(path, init, isStale) {
    const token = typeof this.#token === 'function' ? await this.#token(isStale) : this.#token
    const headers = { ...init.headers, ...(token && { Authorization: `Bearer ${token}` }) }
    const signal = AbortSignal.timeout(this.#timeout)
    const response = await fetch(this.#address + path, { ...init, headers, redirect: 'manual', signal })
    const { status, headers: fields } = response
    const text = await response.text()
    if (status >= 300) return { status, fields, problem: problem(status, fields, text) }
    return { status, fields, body: text && parse(text) } // another text is no answer of the service
  }
}

function problem(status, fields, text) {
  const seconds = fields.get('Retry-After') ?? ''
  const retryAfter = /^[0-9]{1,9}$/.test(seconds) ? Math.min(Number(seconds), RETRY_AFTER_MAX) : undefined
  if (/^application\/problem\+json\b/.test(fields.get('Content-Type'))) {
    try {
      return new Problem(status, JSON.parse(text), retryAfter)
    } catch {
      // cut, or not of the service after all
    }
  }
  const place = status < 400 ? `a redirect to ${fields.get('Location')}, which is not followed: use the service's own address` : text.slice(0, 200)
  return new Problem(status, { detail: place }, retryAfter)
}

/** A named list of sections of items. */
export class Collection {
  #service
  #path

  constructor(service, client, name) {
    this.#service = service
    this.#path = `/v1/clients/${segment(client)}/collections/${segment(name)}`
    Object.assign(this, { client, name })
  }

  /** The newest version, or a retained one; undefined if the collection does not exist. */
  async get({ version } = {}) {
    const query = version ? `?version=${encodeURIComponent(version)}` : ''
    const { body } = await this.#service.request('GET', this.#path + query, { isOptional: !version })
    if (body && body.kind !== 'snapshot') throw new Disconnected(`GET ${this.#path}: an answer that is no snapshot`)
    return body
  }

  /** Stores the whole collection: `{ sections }`, `{ items }` or a list of items. */
  put(content, { create, ...options } = {}) {
    return this.#write('PUT', content, { ...options, fields: create && { 'If-None-Match': '*' } })
  }

  /** Makes edits in order, all in one version or none. */
  edit(edits, options) {
    return this.#write('PATCH', { edits }, { ...options, type: EDITS_TYPE })
  }

  /**
   * Reads the collection, and writes what `change` makes of it, unless somebody else has written meanwhile: then it does
   * so again. Of a collection that does not exist `change` is given `{ sections: [] }`; undefined leaves all as it is.
   */
  async update(change, { attempts = 20 } = {}) {
    for (let attempt = 1; ; attempt++) {
      const held = await this.get()
      const { sections = [], meta } = held ?? {}
      const content = await change({ sections, ...(meta !== undefined && { meta }) })
      if (content === undefined) return undefined
      try {
        return await this.put(content, held ? { ifVersion: held.version } : { create: true })
      } catch (error) {
        if (error.status !== 412 || attempt >= attempts) throw error
      }
      await sleep(Math.random() * 10 * 2 ** Math.min(attempt, 6))
    }
  }

  /** Deletes the collection; resolves to false if there is none. */
  async delete({ ifVersion, key = randomUUID() } = {}) {
    const fields = ifVersion && { 'Collection-If-Version': ifVersion }
    const { status } = await this.#service.request('DELETE', this.#path, { key, fields, isOptional: true })
    return status !== 404
  }

  /** Makes the content of a retained version the newest version. */
  revert(to, options) {
    return this.#write('POST', { to }, { ...options, path: '/revert' })
  }

  async #write(method, body, { ifVersion, key = randomUUID(), type, fields, path = '' }) {
    const all = { ...(ifVersion && { 'Collection-If-Version': ifVersion }), ...fields }
    const answer = await this.#service.request(method, this.#path + path, { body, type, key, fields: all })
    const { version, changed, previous = null, counts = {} } = answer.body || {}
    if (version === undefined || changed === undefined) throw new OutcomeUnknown(new Error('an answer that is no receipt'), key)
    return { version, changed, previous, counts, replayed: answer.fields.get('Idempotency-Replayed') === 'true' }
  }
}
