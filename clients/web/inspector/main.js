// The inspector: shows a collection live by the client that every page can use, and how it came to be so.

import { Replica, follow } from '../livedelta.js'
import { address, go, onMove } from './address.js'
import { logAnswer, clearLog, drawTimeline, loadTimeline, startTimeline } from './timeline.js'
import { marksOf, offerDialects, showChange } from './change.js'
import { List } from './list.js'
import { startPlayground } from './playground.js'
import { member, rowsOfReplica } from './rows.js'
import { ask, collectionPath, clientPath, setToken, token } from './service.js'
import { moveSidebar, startSidebar } from './sidebar.js'
import { setVersion, startWrite } from './write.js'

const at = (id) => document.getElementById(id)
const list = new List(at('list'))
let feed = new AbortController() // ends what the token was for
let view = new AbortController() // ends what the address was for
let idOf = ({ id }) => id
let live

function state(text, isBad = false) {
  at('state').textContent = text
  at('state').className = isBad ? 'bad' : ''
}

/** Follows what the address names. */
async function open() {
  view.abort()
  view = new AbortController()
  const { signal } = view
  const { client, collection } = address
  live = undefined
  list.show([])
  showNothing()
  clearLog()
  document.title = collection ? `${collection} of ${client} – LiveDelta` : 'LiveDelta'
  at('heading').textContent = collection ? `${client} / ${collection}` : 'No collection'
  if (!client || !collection) return state('Choose a collection, or write one.')
  state('connecting')
  const settings = await ask(`${collectionPath(client, collection)}/settings`)
  if (signal.aborted) return
  if (settings.body?.code === 'bad-identifier') return state(settings.body.detail, true)
  const { idPath = '/id' } = settings.body ?? {}
  idOf = (item) => member(item, idPath)
  live = follow(clientPath(client), { collection, signal, token, id: idOf })
  // Of what is not looked at any more nothing is heard, its end neither.
  live.addEventListener('change', ({ detail }) => heard(detail), { signal })
  live.addEventListener('problem', ({ detail }) => trouble(detail), { signal })
}

/** The replica changed, or its status did. */
function heard(change) {
  sayStatus()
  setVersion(live.snapshot.version)
  if (!change) return
  logAnswer(change)
  loadTimeline()
  if (!address.to) present(change, live)
}

function sayStatus() {
  const { status, problem, snapshot } = live
  if (status === 'missing') state(`There is no collection ${address.collection} of ${address.client}; it is waited for.`, true)
  else if (problem) trouble(problem)
  else state(status === 'live' ? `live, version ${snapshot.seq}` : status)
}

const trouble = ({ code, message, status }) => {
  if (code !== 'collection-not-found') state([code ?? status ?? 'not connected', message].join(': '), true)
}

function present(change, replica) {
  const entries = showChange(change, idOf, list)
  list.show(rowsOfReplica(replica), marksOf(entries), change.animate ?? change.kind === 'delta')
  at('marked').textContent = entries.length ? `${list.marked.length} rows marked` : ''
}

function showNothing() {
  for (const id of ['words', 'steps']) at(id).replaceChildren()
  for (const id of ['change-title', 'raw', 'raw-size', 'reset', 'marked', 'words-more']) at(id).textContent = ''
}

/** Shows how one kept version became another. */
async function compare() {
  const { client, collection, from, to } = address
  if (!from || !to) {
    showNothing()
    if (live) list.show(rowsOfReplica(live))
    return live && sayStatus()
  }
  const path = collectionPath(client, collection)
  const [old, delta] = await Promise.all([ask(`${path}?version=${from}`), ask(`${path}/delta?from=${from}&to=${to}&dialect=splice`)])
  if (address.from !== from || address.to !== to) return
  const bad = [old, delta].find(({ ok }) => !ok)
  if (bad) return state(bad.body?.detail ?? bad.text, true)
  const replica = new Replica({ id: idOf, held: old.body })
  const change = replica.apply(delta.body)
  if (change) present(change, replica)
  else list.show(rowsOfReplica(replica))
}

/** The next marked row below the last one, or above it. */
let marked = -1
function jump(by) {
  const { length } = list.marked
  marked = length ? (marked + by + length) % length : -1
  if (length) list.jump(list.marked[marked])
  at('list').focus()
}

function fillForm() {
  at('client').value = address.client ?? ''
  at('collection').value = address.collection ?? ''
}

/** Follows the change feed while the page is seen: a browser has six connections to a service, for all its pages. */
function listen() {
  feed.abort()
  feed = new AbortController()
  if (!document.hidden) startSidebar(feed.signal)
}

async function start() {
  const { body, ok, status, text } = await ask('/v1')
  if (status === 401) at('token').focus()
  if (!ok) return state(body?.detail ?? text, true)
  offerDialects(body.dialects)
  startPlayground(body.dialects)
  listen()
  loadTimeline()
  await open()
  if (address.to) compare()
}

onMove((address, old) => {
  fillForm()
  moveSidebar(old)
  drawTimeline()
  if (address.client !== old.client || address.collection !== old.collection) open().then(loadTimeline)
  else compare()
})

at('where').onsubmit = (event) => {
  event.preventDefault()
  go({ client: at('client').value.trim(), collection: at('collection').value.trim(), from: null, to: null })
}
at('access').onsubmit = (event) => {
  event.preventDefault()
  setToken(at('token').value)
  start()
}
at('skip').onclick = () => at('list').focus()
at('next').onclick = () => jump(1)
at('previous').onclick = () => jump(-1)
addEventListener('visibilitychange', listen)
startTimeline()
startWrite()
fillForm()
start()
