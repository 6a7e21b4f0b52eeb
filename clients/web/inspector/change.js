// A change: in words, as steps to play, and as the service says it in each dialect.

import { address, go } from './address.js'
import { button, choice, count, h, pretty, size } from './elements.js'
import { ask, collectionPath, curl } from './service.js'
import { frames } from './steps.js'
import { reason, words } from './words.js'

const at = (id) => document.getElementById(id)
const WORDS_MAX = 200
const STEP_MILLISECONDS = 800 // twice what a row takes to its place

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

/** Offers to show the list before and after each step, one by one or all in turn. */
function showSteps(change, delta, idOf, list) {
  const shown = [...frames(change.previous, delta, idOf)]
  const names = (step) => Object.keys(step).filter((name) => name !== 'counts').join(', ')
  const texts = ['before', ...delta.steps.map((step, n) => `step ${n + 1}: ${names(step)}`)]
  let turn = 0 // counts what was chosen, which ends what played before
  const show = (n) => {
    for (const [at, one] of buttons.entries()) one.ariaCurrent = at === n ? 'step' : null
    list.show(shown[n].rows, shown[n].marks, true)
    return ++turn
  }
  const buttons = texts.map((text, n) => button(text, () => show(n)))
  const play = button('play', async () => {
    for (const n of shown.keys()) {
      const own = show(n)
      await new Promise((resolve) => setTimeout(resolve, STEP_MILLISECONDS))
      if (turn !== own || !play.isConnected) return
    }
  })
  at('steps').replaceChildren(play, ...buttons)
}

/** The choice of a dialect; those there are, `GET /v1` says. */
export function offerDialects(dialects) {
  at('dialects').replaceChildren(choice(dialects, address.dialect ?? 'staged', (dialect) => go({ dialect })))
}
