// The versions that are kept: to scrub through, and to compare any two.

import { address, go } from './address.js'
import { count, h } from './elements.js'
import { ask, collectionPath } from './service.js'
import { noteLastChange } from './sidebar.js'
import { reason } from './words.js'

const at = (id) => document.getElementById(id)
let versions = [] // the oldest first
let log = []

/** Reads the versions that are kept. */
export async function loadTimeline() {
  const { client, collection } = address
  const answer = client && collection ? await ask(`${collectionPath(client, collection)}/versions`) : {}
  if (client !== address.client || collection !== address.collection) return
  versions = (answer.body?.versions ?? []).toReversed()
  if (versions.length) noteLastChange(collection, new Date(versions.at(-1).at))
  drawTimeline()
}

const label = ({ seq, at }) => `${seq} · ${new Date(at).toLocaleString()}`

export function drawTimeline() {
  const last = versions.length - 1
  const place = (version, otherwise) => {
    const found = versions.findIndex((entry) => entry.version === version)
    return found < 0 ? otherwise : found
  }
  const to = place(address.to, last)
  const from = place(address.from, Math.max(0, to - 1))
  for (const [id, place] of [['from', from], ['to', to]]) {
    at(`${id}-range`).max = Math.max(0, last)
    at(`${id}-range`).value = place
    at(`${id}-range`).disabled = last < 1
    at(`${id}-range`).ariaValueText = at(`${id}-label`).textContent = versions[place] ? label(versions[place]) : 'none'
  }
  at('kept').textContent = `${count(versions.length, 'version')} kept`
  at('live').hidden = !address.to
}

/** Notes what this reader was sent, so that one sees why it was a snapshot. */
export function logAnswer({ kind, reset, snapshot }) {
  const line = `${new Date().toLocaleTimeString()} ${kind}, version ${snapshot.seq ?? 'none'}${reset ? `, ${reason(reset)}` : ''}`
  log = [line, ...log].slice(0, 100)
  drawLog()
}

export function clearLog() {
  log = []
  drawLog()
}

const drawLog = () => at('log').replaceChildren(...log.map((text) => h('li', { textContent: text })))

/** Asks as a reader would who holds a version, and says what it would get and why. */
async function explain(event) {
  event.preventDefault()
  const { client, collection } = address
  const answer = await ask(`${collectionPath(client, collection)}/delta?since=${encodeURIComponent(at('held').value.trim())}`)
  const { kind, reset, detail, steps, seq } = answer.body ?? {}
  const texts = {
    delta: `a delta of ${count(steps?.length ?? 0, 'step')} to version ${seq}`,
    snapshot: reset ? `a snapshot. ${reason({ since: at('held').value, ...reset })}` : 'a snapshot: it holds nothing yet',
    unchanged: 'nothing: it has the newest version',
  }
  at('explained').textContent = texts[kind] ?? detail ?? answer.text
}

export function startTimeline() {
  const pick = () => {
    const [from, to] = ['from', 'to'].map((id) => versions[at(`${id}-range`).value]?.version)
    if (from && to) go({ from, to }, Boolean(address.to))
  }
  at('from-range').oninput = pick
  at('to-range').oninput = () => {
    const place = Number(at('to-range').value)
    if (at('beside').checked) at('from-range').value = Math.max(0, place - 1)
    pick()
  }
  at('live').onclick = () => go({ from: null, to: null })
  at('why').onsubmit = explain
}
