// Requests to the service that sent this page.

import { events as eventsOf, parse } from '../livedelta.js'

let secret = ''

/** The bearer token; it is kept in memory and goes nowhere but into requests. */
export const token = () => secret || undefined
export const setToken = (text) => (secret = text.trim())

const authorization = () => (secret ? { Authorization: `Bearer ${secret}` } : {})

export const clientPath = (client) => `/v1/clients/${encodeURIComponent(client)}`
export const collectionPath = (client, name) => `${clientPath(client)}/collections/${encodeURIComponent(name)}`

/** The answer to a request; one that never came has the status 0. */
export async function ask(path, { method = 'GET', body, type = 'application/json', headers = {}, signal } = {}) {
  const sent = body === undefined ? {} : { 'Content-Type': type }
  try {
    const response = await fetch(path, { method, body, signal, redirect: body === undefined ? 'follow' : 'error', headers: { ...authorization(), ...sent, ...headers } })
    const text = await response.text()
    return { ok: response.ok, status: response.status, text, body: parsed(text), headers: response.headers }
  } catch (error) {
    return { ok: false, status: 0, text: error.message }
  }
}

function parsed(text) {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

const ATTEMPTS_MAX = 5
const PAUSE_MAX = 30_000 // milliseconds
const UNKNOWN = { code: 'outcome-unknown', detail: 'This may have been written, or not: see the versions that are kept.' }

/**
 * The answer to a write, which is carried out once at most: while its outcome is not known, or the service has no
 * room for it, it is sent again with the same key.
 */
export async function write(path, { headers, ...more }) {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let isUnknown = false
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(path, { ...more, headers: { ...headers, 'Idempotency-Key': key } })
    const { status, body } = answer
    const wait = Number(answer.headers?.get('Retry-After') ?? NaN) * 1000
    const mayBeDone = [0, 502, 504].includes(status) || body?.code === UNKNOWN.code
    const isDeferred = (status === 503 && wait >= 0) || body?.code === 'idempotency-in-flight'
    isUnknown ||= mayBeDone
    if (!mayBeDone && !isDeferred) {
      // These are decided before the key is looked up, and say nothing of an earlier attempt.
      return isUnknown && (status >= 500 || [401, 403, 408, 421, 429].includes(status)) ? { ...answer, body: UNKNOWN } : answer
    }
    if (attempt === ATTEMPTS_MAX || wait > PAUSE_MAX) return isUnknown ? { ...answer, body: UNKNOWN } : answer
    const pause = Math.max(wait || 0, Math.random() * 250 * 2 ** attempt)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** The data of a stream's events as they come, again and again from where it broke off. */
export async function* events(path, signal) {
  let last = ''
  while (!signal.aborted) {
    try {
      const headers = { Accept: 'text/event-stream', ...authorization(), ...(last && { 'Last-Event-ID': last }) }
      const response = await fetch(path, { headers, signal })
      if (!response.ok) return
      for await (const { event, id, data } of eventsOf(response.body, () => {})) {
        last = id ?? last
        if (data) yield { event, ...parsed(data) }
      }
    } catch {
      // It is asked again, as after an orderly end.
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 + Math.random() * 2000))
  }
}

/** The command that asks the same. */
export function curl(path, { method = 'GET', headers = {} } = {}) {
  const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`
  const fields = Object.entries(secret ? { Authorization: 'Bearer $TOKEN', ...headers } : headers)
  const words = fields.map(([name, value]) => `-H "${name}: ${value}"`)
  return ['curl -s', ...(method === 'GET' ? [] : [`-X ${method}`]), ...words, quote(location.origin + path)].join(' ')
}
