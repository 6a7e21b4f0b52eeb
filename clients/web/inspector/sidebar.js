// The clients that are known, and the collections of one, with what the change feed tells of them.

import { address, go } from './address.js'
import { button, count, h } from './elements.js'
import { ask, clientPath, events } from './service.js'

const at = (id) => document.getElementById(id)
const CLIENTS_MAX = 1000
const clients = new Set()
const pages = { names: [], next: null, problem: null }
let reading // the timer of the next reading of the index
const news = new Map() // name -> { changes, at, isDeleted }, of the client that is looked at; `at` is when it changed last

function note(client) {
  if (!client || clients.has(client) || clients.size >= CLIENTS_MAX) return
  clients.add(client)
  at('clients').append(h('option', { value: client }))
  drawClients()
}

/** The clients there are, as far as they are known: at most a hundred. */
function drawClients() {
  const entries = [...clients].sort().slice(0, 100).map((client) => {
    const open = () => go({ client, collection: null, from: null, to: null })
    return h('li', {}, button(client, open, { className: 'entry', ariaCurrent: String(client === address.client) }))
  })
  at('client-list').replaceChildren(...entries)
  at('others').hidden = clients.size < 2
}

/** Reads the index of the client's collections, or the next page of it. */
async function load(cursor) {
  const { client } = address
  if (!client) return draw()
  const query = new URLSearchParams(cursor ? { cursor, limit: 100 } : { limit: Math.max(100, pages.names.length) })
  const answer = await ask(`${clientPath(client)}/collections?${query}`)
  if (client !== address.client) return
  pages.names = [...(cursor ? pages.names : []), ...(answer.body?.collections ?? [])]
  pages.next = answer.body?.next
  pages.problem = answer.ok ? null : (answer.body?.detail ?? answer.text)
  draw()
}

function draw() {
  const wanted = at('search').value.trim()
  const shown = pages.names.filter(({ name }) => name.includes(wanted))
  at('collections').replaceChildren(...shown.map(entry))
  at('more').hidden = !pages.next
  const none = address.client ? 'no collections' : 'Name a client'
  at('index-state').textContent = pages.problem ?? (shown.length ? count(shown.length, 'collection') : none)
}

/** The time, with the date unless it is today's. */
const when = (date) => (date.toDateString() === new Date().toDateString() ? date.toLocaleTimeString() : date.toLocaleString())

function entry({ name, seq, items, bytes }) {
  const { client, collection } = address
  const { changes = 0, at: date, isDeleted } = news.get(name) ?? {}
  const size = bytes === undefined ? [] : [count(bytes, 'byte')] // unknown before it was loaded
  const held = isDeleted ? ['deleted'] : [count(items, 'item'), ...size, `version ${seq}`]
  const texts = [...held, date ? when(date) : 'no change seen yet']
  const parts = [
    h('span', { className: 'name', textContent: name }),
    h('span', { className: 'note', textContent: texts.join(' · ') }),
    ...(changes ? [h('span', { className: 'badge live', textContent: count(changes, 'change') })] : []),
  ]
  const open = () => {
    news.set(name, { at: news.get(name)?.at })
    go({ collection: name, from: null, to: null })
    draw()
  }
  const link = button('', open, { className: 'entry', ariaCurrent: String(name === collection) })
  link.append(...parts)
  return h('li', {}, link)
}

/** Notes a change that the feed tells of; the page that is looked at needs no badge. */
function hear({ event, client, name, deleted }) {
  if (event === 'reset') return load()
  note(client)
  if (!client || client !== address.client) return
  const changes = name === address.collection ? 0 : (news.get(name)?.changes ?? 0) + 1
  news.set(name, { changes, at: new Date(), isDeleted: deleted })
  draw()
  // The feed tells no sizes: the index does, at most twice a second.
  reading ??= setTimeout(() => {
    reading = undefined
    load()
  }, 500)
}

/** Notes when the collection that is looked at changed last: the feed tells only of changes since the page was opened. */
export function noteLastChange(name, date) {
  news.set(name, { ...news.get(name), at: date })
  draw()
}

/** Readers wait in long polls and in streams; a reset is a snapshot where a delta was asked for. */
function healthText({ ready, waiting, streams, p99Milliseconds, refusedDeltas, resets }) {
  const reasons = Object.entries(resets).filter(([, number]) => number).map(([reason, number]) => `${reason} ${number}`)
  return [
    ready ? 'ready' : 'not ready', `${count(waiting, 'reader')} waiting`, count(streams, 'stream'),
    `p99 ${p99Milliseconds ?? 'over 10,000'} ms`, `${count(refusedDeltas, 'delta')} refused by the judge`,
    ...(reasons.length ? [`resets: ${reasons.join(', ')}`] : []),
  ].join(' · ')
}

/** Says how the service itself is, every ten seconds. */
async function watchHealth(signal) {
  while (!signal.aborted) {
    const { ok, status, body, text } = await ask('/ui/health', { signal })
    if (status === 403) return // it is for operators
    if (signal.aborted) return
    at('health').textContent = ok ? healthText(body) : body?.detail ?? text
    await new Promise((resolve) => setTimeout(resolve, 10_000))
  }
}

/** Starts, and starts anew when the token is another one. */
export async function startSidebar(signal) {
  at('search').oninput = draw
  at('more').onclick = () => load(pages.next)
  note(address.client)
  load()
  watchHealth(signal)
  ask('/v1/clients?limit=1000').then(({ body }) => {
    for (const { client } of body?.clients ?? []) note(client)
  })
  for await (const event of events('/v1/changes', signal)) hear(event)
}

/** After the address changed. */
export function moveSidebar(old) {
  note(address.client)
  drawClients()
  if (old.client === address.client) return draw()
  news.clear()
  pages.names = []
  load()
}
