// The versions that are kept, on one line to scrub along: each as a bar of what it changed.

import { address, go } from './address.js'
import { ago, at, count, h } from './elements.js'
import { viewQuery } from './filter.js'
import { ask, collectionPath } from './service.js'
import { KINDS, reason, tallyText } from './words.js'

const LOG_MAX = 100
const CHANGED_MAX = 10_000
const NAMES_MAX = 12 // of bars that have a number
const SPACING = 56 // of bars, where there is room
const changed = new Map() // version and view -> how many rows it changed by kind; null if that is not kept
let versions = [] // the oldest first
let run = 0 // which reading is the newest

/** Reads the versions that are kept; returns them, the oldest first. */
export async function loadTimeline() {
  const { client, collection } = address
  const own = ++run
  const path = collectionPath(client, collection)
  const answer = client && collection ? await ask(`${path}/versions`) : {}
  if (own !== run) return []
  versions = (answer.body?.versions ?? []).toReversed()
  drawTimeline()
  readChanges(path, own)
  return versions
}

/** Reads what each version changed, the newest first. */
async function readChanges(path, own) {
  const seen = viewQuery()
  for (let n = versions.length - 1; n > 0 && own === run; n--) {
    const { version } = versions[n]
    if (changed.has(version + seen)) continue
    const { body } = await ask(`${path}/delta?from=${versions[n - 1].version}&to=${version}&dialect=splice&items=patch${seen}`)
    if (changed.size >= CHANGED_MAX) changed.clear()
    changed.set(version + seen, body?.kind === 'delta' ? countsOf(body) : null)
    if (own === run) drawTimeline()
  }
}

function countsOf({ added, removed, changed, deleted, left = [] }) {
  const gone = new Set(removed)
  const moved = added.filter(([, , id]) => gone.has(id)).length
  return { inserted: added.length - moved, moved, changed: changed.length, deleted: deleted.length, left: left.length }
}

/** The indices of the version that is shown and of the one that it is compared with. */
function chosen() {
  const place = (version, otherwise) => {
    const found = versions.findIndex((entry) => entry.version === version)
    return found < 0 ? otherwise : found
  }
  const to = place(address.to, versions.length - 1)
  return { to, from: place(address.from, Math.max(0, to - 1)) }
}

/** "Version 2, 3 minutes ago: 2 new, 1 moved". */
function say(entry) {
  const counts = changed.get(entry.version + viewQuery())
  const what = entry === versions[0] ? '' : counts === null ? ': what it changed is not kept' : counts ? `: ${tallyText(counts) || 'nothing in its rows'}` : ''
  return `Version ${entry.seq}, ${ago(entry.at)}${what}`
}

export function drawTimeline() {
  const { to, from } = chosen()
  const last = versions.length - 1
  at('timeline').hidden = !versions.length
  if (!versions.length) return
  at('scrub').max = last
  at('scrub').value = to
  at('track').hidden = last === 0
  at('track').style.maxWidth = `${last * SPACING + 16}px`
  at('scrub').ariaValueText = at('version').textContent = `${say(versions[to])}${last ? '' : ', the only one so far'}`
  at('version').title = new Date(versions[to].at).toLocaleString()
  at('bars').replaceChildren(...versions.map((entry, n) => bar(entry, n, to)))
  at('base-label').hidden = to === 0
  const options = versions.slice(0, to).map(({ version, seq }) => new Option(`version ${seq}`, version))
  at('base').replaceChildren(...options.toReversed())
  at('base').value = versions[from].version
  at('live').hidden = !address.to
  at('restore').hidden = to === last
}

/** A version's bar: its height says how much it changed, its colours what. */
function bar({ version, seq }, n, to) {
  const counts = changed.get(version + viewQuery())
  const all = counts ? Object.values(counts).reduce((sum, number) => sum + number, 0) : 0
  const parts = Object.keys(KINDS).filter((kind) => counts?.[kind]).map((kind) => {
    const part = h('i', { className: kind })
    part.style.flexGrow = counts[kind]
    return part
  })
  const column = h('div', { className: 'column' }, ...parts)
  column.style.height = `${6 + Math.min(34, 6 * Math.log2(1 + all))}px`
  const isNamed = n === to || (n % Math.ceil(versions.length / NAMES_MAX) === 0 && Math.abs(n - to) > versions.length / 2 / NAMES_MAX)
  const place = h('div', { className: n === to ? 'chosen' : '' }, column, h('span', { textContent: isNamed ? seq : '' }))
  place.style.left = `${(n / Math.max(1, versions.length - 1)) * 100}%`
  return place
}

/** Notes what this reader was sent, so that one sees why it was the whole list. */
export function logAnswer({ kind, reset, snapshot }) {
  const what = kind === 'delta' ? 'a change' : kind === 'snapshot' ? 'the whole list' : kind
  const line = `${new Date().toLocaleTimeString()} ${what}, version ${snapshot.seq ?? 'none'}${reset ? `, ${reason(reset)}` : ''}`
  at('log').prepend(h('li', { textContent: line }))
  while (at('log').childElementCount > LOG_MAX) at('log').lastChild.remove()
}

/** Asks as a reader would who holds a version, and says what it would get and why. */
async function explain(event) {
  event.preventDefault()
  const held = at('held').value.trim()
  const answer = await ask(`${collectionPath(address.client, address.collection)}/delta?since=${encodeURIComponent(held)}`)
  const { kind, reset, detail, steps, seq } = answer.body ?? {}
  const texts = {
    delta: `The change to version ${seq}, in ${count(steps?.length ?? 0, 'step')}.`,
    snapshot: reset ? `The whole list. ${reason({ since: held, ...reset })}` : 'The whole list: it holds nothing yet.',
    unchanged: 'Nothing: it has the newest version.',
  }
  at('explained').textContent = texts[kind] ?? detail ?? answer.text
}

/** `restore` is called with the version that is to become the newest. */
export function startTimeline(restore) {
  at('scrub').oninput = () => {
    const n = Number(at('scrub').value)
    const isLive = n === versions.length - 1
    go({ from: isLive ? null : versions[Math.max(0, n - 1)].version, to: isLive ? null : versions[n].version }, Boolean(address.to))
  }
  at('base').onchange = () => go({ from: at('base').value, to: versions[chosen().to].version }, Boolean(address.to))
  at('live').onclick = () => go({ from: null, to: null })
  at('restore').onclick = () => restore(address.to)
  at('why').onsubmit = explain
}
