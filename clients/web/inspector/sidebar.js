// The clients and lists that there are, found by themselves, with what the change feed tells of them.

import { address, go } from './address.js'
import { ago, at, button, count, h } from './elements.js'
import { ask, clientPath, events } from './service.js'
import { reason } from './words.js'

const CLIENTS_MAX = 1000
const SEARCH_FROM = 9
const clients = new Set()
let pages = { names: [], next: null, problem: null } // of the client that is looked at
let reading // the timer of the next reading of the index
const news = new Map() // name -> { changes, at, isDeleted }, of that client; `at` is when it changed last

/** Reads which clients there are, and the lists of the one that is looked at: returns whether it opens the only one. */
export async function findLists() {
  const { body } = await ask('/v1/clients?limit=1000')
  for (const { client } of body?.clients ?? []) note(client)
  note(address.client)
  return chooseOnly()
}

export const hasClients = () => clients.size > 0

function note(client) {
  if (!client || clients.has(client) || clients.size >= CLIENTS_MAX) return false
  at('client-names').append(new Option('', client))
  return clients.add(client)
}

/** Opens the only client that there is, and its only list; returns whether it does. */
async function chooseOnly() {
  if (!address.client && clients.size === 1) return go({ client: [...clients][0] }, true)
  await load()
  const { names } = pages
  return !address.collection && names.length === 1 && go({ collection: names[0].name }, true)
}

/** Reads the index of the client's lists, or the next page of it. */
async function load(cursor) {
  const { client } = address
  if (!client) return draw()
  const query = new URLSearchParams(cursor ? { cursor, limit: 100 } : { limit: Math.max(100, pages.names.length) })
  const { ok, body, text } = await ask(`${clientPath(client)}/collections?${query}`)
  if (client !== address.client) return
  const names = [...(cursor ? pages.names : []), ...(body?.collections ?? [])]
  pages = { names, next: body?.next, problem: ok ? null : (body?.detail ?? text) }
  draw()
}

function draw() {
  const { names, next, problem } = pages
  const wanted = at('search').value.trim()
  const shown = names.filter(({ name }) => name.includes(wanted))
  const focused = document.activeElement?.dataset.entry
  at('clients').replaceChildren(...[...clients].sort().slice(0, 100).map((client) => {
    const isOpen = client === address.client
    const open = () => go({ client, collection: null, from: null, to: null })
    const entry = button(client, open, { className: 'client', ariaExpanded: String(isOpen) })
    entry.dataset.entry = client
    return h('li', {}, entry, ...(isOpen ? [h('ul', { id: 'collections' }, ...shown.map(listEntry))] : []))
  }))
  if (focused) [...at('clients').querySelectorAll('[data-entry]')].find(({ dataset }) => dataset.entry === focused)?.focus()
  at('search-label').hidden = names.length < SEARCH_FROM
  at('more').hidden = !next
  at('index-state').textContent = problem ?? (names.length >= SEARCH_FROM ? count(shown.length, 'list') : '')
}

function listEntry({ name, seq, items }) {
  const { changes = 0, at: date, isDeleted } = news.get(name) ?? {}
  const texts = isDeleted ? ['deleted'] : [count(items, 'item'), ...(date ? [ago(date)] : [`version ${seq}`])]
  const open = () => {
    news.set(name, { at: news.get(name)?.at })
    go({ collection: name, from: null, to: null })
  }
  const entry = button('', open, { className: 'entry', ariaCurrent: String(name === address.collection) })
  entry.dataset.entry = `${address.client}/${name}`
  entry.append(
    h('span', { className: 'name', textContent: name }),
    h('span', { className: 'note', textContent: texts.join(' · ') }),
    ...(changes ? [h('span', { className: 'badge', textContent: count(changes, 'change') })] : []),
  )
  return h('li', {}, entry)
}

/** Notes a change that the feed tells of; the list that is looked at needs no badge. */
function hear({ event, client, name, deleted }) {
  note(client)
  if (client && client === address.client) {
    const changes = name === address.collection ? 0 : (news.get(name)?.changes ?? 0) + 1
    news.set(name, { changes, at: new Date(), isDeleted: deleted })
  }
  draw()
  // The feed tells no sizes: the index does, at most twice a second.
  if (event === 'reset' || (client && (client === address.client || !address.collection))) reading ??= setTimeout(readAgain, 500)
}

async function readAgain() {
  reading = undefined
  if (address.collection) return load()
  if (!(await chooseOnly()) && hasClients() && document.body.dataset.view === 'empty') document.body.dataset.view = 'choose'
}

/** Notes when the list that is looked at changed last: the feed tells only of changes since the page was opened. */
export function noteLastChange(name, date) {
  news.set(name, { ...news.get(name), at: date })
  draw()
}

/** What is to be said of the service's health: pairs of a term and its meaning. */
function healthTerms({ ready, waiting, streams, p99Milliseconds, refusedDeltas, resets }) {
  const reasons = Object.entries(resets).filter(([, number]) => number).map(([name, number]) => `${number}: ${reason({ reason: name })}`)
  return [
    ['Ready', ready ? 'yes' : 'no: it does not take requests now'],
    ['Readers waiting for the next change', `${waiting}, and ${count(streams, 'stream')} open`],
    ['99 of 100 requests were answered within', `${p99Milliseconds ?? 'more than 10,000'} ms`],
    ['Changes that were wrong, and not sent', refusedDeltas ? `${refusedDeltas}; their readers got the whole list instead` : 'none'],
    ['Whole lists sent in place of a change', reasons.join('; ') || 'none'],
  ]
}

const terms = (pairs) => at('health-list').replaceChildren(...pairs.flatMap(([term, text]) => [
  h('dt', { textContent: term }), h('dd', { textContent: text }),
]))

/** Says how the service itself is, every ten seconds. */
async function watchHealth(signal) {
  while (!signal.aborted) {
    const { ok, status, body, text } = await ask('/ui/health', { signal })
    if (signal.aborted) return
    const isGood = ok ? body.ready : status === 403
    at('health').dataset.state = isGood ? 'good' : 'bad'
    at('health-word').textContent = isGood ? 'Service ready' : ok ? 'Service not ready' : 'Service not reached'
    terms(ok ? healthTerms(body) : [['Not shown', body?.detail ?? text]])
    if (status === 403) return // it is for operators
    await new Promise((resolve) => setTimeout(resolve, 10_000))
  }
}

/** Follows the change feed and the service's health until `signal` ends it. */
export async function startSidebar(signal) {
  at('search').oninput = draw
  at('more').onclick = () => load(pages.next)
  watchHealth(signal)
  for await (const event of events('/v1/changes', signal)) hear(event)
}

/** After the address changed: returns whether it goes on to the only list. */
export function moveSidebar(old) {
  note(address.client)
  if (old.client === address.client && address.collection) return draw()
  news.clear()
  pages = { names: [], next: null, problem: null }
  return chooseOnly()
}
