// The page: shows a list live by the client that every page can use, and how it came to be so.

import { Replica, follow } from '../livedelta.js'
import { view as followView } from '../livedelta-view.js'
import { address, onMove } from './address.js'
import { clearChange, showChange, startChange } from './change.js'
import { at, count, size } from './elements.js'
import { startExample } from './example.js'
import { blame, differs, drawFilter, isView, startFilter, suggest, viewOptions, viewQuery, viewText } from './filter.js'
import { List } from './list.js'
import { member, read, rowsOf } from './rows.js'
import { ask, collectionPath, clientPath, setToken, token } from './service.js'
import { findLists, hasClients, moveSidebar, noteLastChange, startSidebar } from './sidebar.js'
import { drawTimeline, loadTimeline, logAnswer, startTimeline } from './timeline.js'
import { sentences } from './words.js'
import { openDrawer, startWrite } from './write.js'

const list = new List(at('list'))
let feed = new AbortController() // ends what the token was for
let view = new AbortController() // ends what the address was for
let idOf = ({ id }) => id
let live

/** Which part is seen: loading, empty, token, choose or list. */
const look = (name) => (document.body.dataset.view = name)

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
  clearChange()
  at('log').replaceChildren()
  at('about').textContent = ''
  drawFilter()
  at('timeline').hidden = true
  document.title = collection ? `${collection} of ${client} – LiveDelta` : 'LiveDelta'
  if (!collection) return state('')
  look('list')
  at('heading').textContent = collection
  state('Connecting')
  const settings = await ask(`${collectionPath(client, collection)}/settings`)
  if (signal.aborted) return
  if (settings.status === 401) return askForToken(settings)
  if (settings.body?.code === 'bad-identifier') return state(settings.body.detail, true)
  const { idPath = '/id' } = settings.body ?? {}
  idOf = (item) => member(item, idPath)
  const options = { collection, signal, token, id: idOf }
  live = isView() ? followView(clientPath(client), { ...options, ...viewOptions() }) : follow(clientPath(client), options)
  // Of what is not looked at any more nothing is heard, its end neither.
  live.addEventListener('change', ({ detail }) => heard(detail), { signal })
  live.addEventListener('problem', ({ detail }) => trouble(detail), { signal })
}

/** The replica changed, or its status did. */
async function heard(change) {
  sayStatus()
  if (!change) return
  const { version } = live.snapshot
  logAnswer(change)
  describe(live.snapshot)
  const isFirst = change.kind === 'snapshot' && !change.reset
  if (!address.to && !isFirst) present(change)
  if (!address.to && isFirst) list.show(rowsOf(read(live.snapshot, idOf)))
  const versions = await loadTimeline()
  if (versions.length) noteLastChange(address.collection, versions.at(-1).at)
  if (address.to) return isFirst && compare()
  // As if one had been there: the newest change, from the version before to this one.
  if (isFirst && live?.snapshot.version === version) await between(versions.at(-2)?.version, version)
}

function sayStatus() {
  const { status, problem, snapshot } = live
  if (status === 'missing') state(`There is no list ${address.collection} of ${address.client} yet; it is waited for.`, true)
  else if (problem?.status === 401) askForToken({ text: problem.message })
  else if (problem && blame(problem)) state('')
  else if (problem) trouble(problem)
  else if (status === 'live') state(`Live, version ${snapshot.seq}`)
  else state('Connecting')
}

const trouble = ({ code, message, status, errors }) => {
  if (code === 'bad-parameter' && blame({ code, message, errors })) return
  if (code !== 'collection-not-found') state([code ?? status ?? 'Not connected', message].join(': '), true)
}

function describe({ sections, view: seen }) {
  suggest(sections.flatMap(({ items }) => items.slice(0, 1))[0])
  if (seen) return (at('about').textContent = `${address.client} · ${viewText(seen)}`)
  const items = sections.reduce((sum, { items }) => sum + items.length, 0)
  const inSections = sections.some(({ id }) => id !== '') ? ` in ${count(sections.length, 'section')}` : ''
  at('about').textContent = `${address.client} · ${count(items, 'item')}${inSections}`
}

/** Shows a change, as a replica reports it. */
function present({ kind, reset, animate, previous, snapshot, ...delta }, isPast = false) {
  const now = read(snapshot, idOf)
  const old = kind === 'delta' ? read(previous, idOf) : undefined
  showChange({
    kind, reset, animate, isPast, old, now, from: previous, to: snapshot,
    entries: kind === 'delta' ? sentences(delta, now, old) : [], bytes: size(JSON.stringify(snapshot)),
  }, list)
}

/** Shows how one version that is kept became another. */
async function between(older, to) {
  const from = older === to ? undefined : older
  const path = collectionPath(address.client, address.collection)
  const seen = viewQuery()
  const { signal } = view
  const [old, delta] = await Promise.all(from
    ? [ask(`${path}?version=${from}${seen}`), ask(`${path}/delta?from=${from}&to=${to}&dialect=splice${seen}`)]
    : [ask(`${path}?version=${to}${seen}`), {}])
  const isHead = live?.snapshot.version === to
  if (signal.aborted || (address.to ? address.to !== to : !isHead)) return
  if (!from) return old.ok && present({ kind: 'first', snapshot: old.body })
  if (old.ok && delta.ok) {
    const replica = new Replica({ id: idOf, held: old.body })
    const change = replica.apply(delta.body)
    return present(change ?? { kind: 'first', snapshot: replica.snapshot }, true)
  }
  // Of a service that keeps nothing on disk the newest change is known, not all that was before.
  if (!isHead) return state((delta.body ?? old.body)?.detail ?? delta.text, true)
  if (!delta.ok) return present({ kind: 'first', snapshot: live.snapshot })
  const now = read(live.snapshot, idOf)
  const bytes = size(JSON.stringify(live.snapshot))
  showChange({ kind: 'delta', isPast: true, from: { version: from, seq: live.snapshot.seq - 1 }, to: live.snapshot, now, bytes, entries: sentences(delta.body, now) }, list)
}

/** After another version was chosen, or none any more. */
async function compare() {
  if (address.to) return between(address.from, address.to)
  if (!live?.snapshot.version) return
  sayStatus()
  const versions = await loadTimeline()
  if (!address.to) await between(versions.at(-2)?.version, live.snapshot.version)
}

/** Moves the window of what is seen: what comes and goes with it is one change. */
function move() {
  drawFilter()
  if (live?.status !== 'live') return open()
  live.setWindow(viewOptions().window)
}

function askForToken({ body, text }) {
  look('token')
  state('')
  at('denied').textContent = token() ? body?.detail ?? text : 'Enter a token that may read its lists.'
  at('token').focus()
}

/** Follows the change feed while the page is seen: a browser has six connections to a service, for all its pages. */
function listen() {
  feed.abort()
  feed = new AbortController()
  if (!document.hidden) startSidebar(feed.signal)
}

async function start() {
  const answer = await ask('/v1')
  if (answer.status === 401) return askForToken(answer)
  if (!answer.ok) return state(answer.body?.detail ?? answer.text, true)
  startChange(answer.body.dialects)
  listen()
  const opens = findLists()
  if (address.collection) await open()
  else if (!(await opens)) look(hasClients() ? 'choose' : 'empty')
}

onMove(async (address, old) => {
  document.body.dataset.menu = ''
  const isOther = differs(address, old, ['client', 'collection', 'where', 'order', 'select']) || !address.window !== !old.window
  const opens = moveSidebar(old)
  drawTimeline()
  if (!isOther && differs(address, old, ['window'])) return move()
  if (!isOther) return compare()
  await open()
  if (!address.collection && !(await opens)) look('choose')
})

at('access').onsubmit = (event) => {
  event.preventDefault()
  setToken(at('token').value)
  start()
}
at('other-token').onclick = () => {
  at('health-card').hidePopover()
  askForToken({ text: '' })
}
at('menu').onclick = () => {
  const isOpen = document.body.dataset.menu !== 'open'
  document.body.dataset.menu = isOpen ? 'open' : ''
  at('menu').ariaExpanded = String(isOpen)
}
at('skip').onclick = () => at('list').focus()
at('next').onclick = () => list.step(1)
at('previous').onclick = () => list.step(-1)
addEventListener('visibilitychange', listen)
startTimeline((version) => openDrawer(version))
startWrite()
startFilter()
startExample()
start()
