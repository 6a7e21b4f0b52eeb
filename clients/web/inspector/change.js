// A change: in words, as steps to play, and as the service says it in each dialect.

import { address, go } from './address.js'
import { button, choice, count, h, pretty, size } from './elements.js'
import { ask, collectionPath, curl } from './service.js'
import { frames } from './steps.js'
import { reason, words } from './words.js'

const at = (id) => document.getElementById(id)
const WORDS_MAX = 200

/** The kinds of a change's rows, for the list to show. */
export const marksOf = (entries) => new Map(entries.filter(({ key }) => key).map(({ kind, key }) => [key, kind]))

const kindOf = (change) => (change.kind === 'delta' ? 'delta' : change.reset ? 'reset' : change.kind)

/** Shows a change that a replica reports; returns its entries. */
export function showChange(change, idOf, list) {
  const entries = change.kind === 'delta' ? words(change, idOf) : []
  const { previous, snapshot, reset } = change
  at('change-title').textContent = title(change, entries)
  at('change-title').dataset.kind = kindOf(change)
  at('words').replaceChildren(...entries.slice(0, WORDS_MAX).map(({ kind, key, text }) => {
    const jump = button(text, () => list.jump(key), { className: kind })
    return h('li', {}, jump)
  }))
  at('words-more').textContent = entries.length > WORDS_MAX ? `and ${count(entries.length - WORDS_MAX, 'more change')}` : ''
  at('reset').textContent = reset ? reason(reset) : ''
  at('steps').replaceChildren()
  at('raw').textContent = ''
  at('raw-size').textContent = ''
  if (change.kind === 'delta') showRaw(previous.version, snapshot.version, change, idOf, list)
  return entries
}

function title({ kind, reset, previous, snapshot }, entries) {
  if (kind === 'deleted') return 'the collection was deleted'
  if (kind !== 'delta') return reset ? 'a snapshot, in place of a delta' : `the whole content: version ${snapshot.seq}`
  return `${count(entries.length, 'change')}, from version ${previous.seq} to ${snapshot.seq}`
}

/** Asks for the delta in the dialect that is chosen, and for the snapshot's size. */
async function showRaw(from, to, change, idOf, list) {
  const { client, collection, dialect = 'staged' } = address
  const path = `${collectionPath(client, collection)}/delta?from=${from}&to=${to}`
  const [raw, staged] = await Promise.all([ask(`${path}&dialect=${dialect}`), ask(path)])
  const whole = size(JSON.stringify(change.snapshot))
  at('raw').textContent = pretty(raw.text)
  at('raw-size').textContent = raw.ok
    ? `${count(size(raw.text), 'byte')}; the snapshot has ${count(whole, 'byte')}`
    : raw.body?.detail ?? raw.text
  at('curl').onclick = () => copy(curl(`${path}&dialect=${dialect}`))
  if (staged.body?.steps) showSteps(change, staged.body, idOf, list)
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    at('copied').textContent = 'copied'
  } catch {
    at('copied').textContent = text // not every page may write there
  }
}

function showSteps(change, delta, idOf, list) {
  const play = (n) => {
    const { rows, marks } = [...frames(change.previous, delta, idOf)][n]
    list.show(rows, marks, true)
  }
  const names = (step) => Object.keys(step).filter((name) => name !== 'counts').join(', ')
  at('steps').replaceChildren(
    button('before', () => play(0)),
    ...delta.steps.map((step, n) => button(`step ${n + 1}: ${names(step)}`, () => play(n + 1))),
  )
}

/** The choice of a dialect; those there are, `GET /v1` says. */
export function offerDialects(dialects) {
  at('dialects').replaceChildren(choice(dialects, address.dialect ?? 'staged', (dialect) => go({ dialect })))
}
