// The story of a change: in sentences, as steps to play, and folded away as the service sends it.

import { address } from './address.js'
import { at, button, copy, count, h, readable, size } from './elements.js'
import { viewQuery } from './filter.js'
import { rowsOf } from './rows.js'
import { ask, collectionPath, curl } from './service.js'
import { captionOf, frames } from './steps.js'
import { KINDS, reason, tally, tallyText } from './words.js'

const GROUPED_FROM = 21
const USES = {
  staged: 'UIKit, AppKit',
  ops: 'RecyclerView',
  splice: 'web pages',
  diffable: 'diffable data sources',
  'json-patch': 'generic tools',
  snapshot: 'the whole list',
}
const WORDS_MAX = 200
const STEP_MILLISECONDS = 1000 // twice what a row takes to its place
let shown // the change that the panel tells: { list, now, old, entries, marks, path, frames, captions }
let turn = 0 // counts what was chosen to be played, which ends what played before

/** The elements of sentences; beyond twenty they are groups to open, one for each kind. */
export function tellSentences(entries, onJump) {
  const line = ({ kind, key, title, text }) => {
    const parts = [h('span', { className: 'sign', ariaHidden: 'true' }), h('span', {}, h('b', { textContent: title }), ` ${text}`)]
    const isRow = onJump && key && kind !== 'deleted' && kind !== 'left'
    return h('li', { className: kind }, isRow ? h('button', { type: 'button', onclick: () => onJump(key) }, ...parts) : h('p', {}, ...parts))
  }
  if (entries.length < GROUPED_FROM) return entries.map(line)
  return Object.keys(KINDS).flatMap((kind) => {
    const group = entries.filter((entry) => entry.kind === kind)
    if (!group.length) return []
    const names = group.slice(0, 3).map(({ title }) => title).join(', ')
    const rest = group.length > 3 ? ` and ${count(group.length - 3, 'other')}` : ''
    const lines = h('ul')
    const summary = h('summary', {}, h('b', { textContent: tallyText({ [kind]: group.length }) }), `: ${names}${rest}`)
    const fold = h('details', { ontoggle: () => {
      const more = group.length > WORDS_MAX ? [h('li', { className: 'note', textContent: `and ${count(group.length - WORDS_MAX, 'other')}` })] : []
      if (!lines.childElementCount) lines.append(...group.slice(0, WORDS_MAX).map(line), ...more)
    } }, summary, lines)
    return [h('li', { className: kind }, fold)]
  })
}

/** What became of which row; of one that moved and changed, that it moved. */
const marksOf = (entries) => new Map(entries.filter(({ key }) => key).toReversed().map(({ kind, key }) => [key, kind]))

/**
 * Tells a change: `kind`, `reset`, `from` and `to` (`{ version, seq }`), its `entries`, what it led to and from
 * as `read` returns it (`old` if it is kept), the bytes of the snapshot, and whether it `isPast`, so that the list
 * is scrolled to it.
 */
export function showChange(change, list) {
  const { kind, reset, from, to, entries = [], old, now } = change
  const counts = tally(entries)
  const isDelta = kind === 'delta'
  turn++
  shown = { ...change, list, marks: marksOf(entries) }
  at('change-title').textContent = titleText(change)
  const isMove = isDelta && from.version === to.version // of the window
  at('change-versions').textContent = isMove ? `The window moved, in version ${to.seq}` : isDelta ? `From version ${from.seq} to version ${to.seq}` : ''
  at('chips').replaceChildren(...Object.keys(KINDS).filter((kind) => counts[kind]).map((kind) => {
    return h('li', { className: kind }, h('span', { className: 'sign', ariaHidden: 'true' }), tallyText({ [kind]: counts[kind] }))
  }))
  at('words').replaceChildren(...tellSentences(entries, (key) => list.jump(key)))
  at('reset').textContent = reset ? reason(reset) : kind === 'first' ? 'This is the oldest version that is kept. The next one is told here as it comes.' : ''
  for (const id of ['raw', 'caption']) at(id).textContent = ''
  at('steps').replaceChildren()
  at('size').hidden = true
  at('play').hidden = true
  at('previous').disabled = at('next').disabled = !entries.length
  if (now) list.show(rowsOf(now), shown.marks, change.animate ?? isDelta)
  if (change.isPast) list.reveal(list.marked[0])
  if (isDelta && !old) at('caption').textContent = 'The version before is not kept whole, so this change cannot be played.'
  if (isDelta && !isMove) showRaw(shown)
  return shown
}

function titleText({ kind, reset, entries = [] }) {
  if (kind === 'deleted') return 'The list was deleted'
  if (kind === 'delta') return entries.length ? `${count(entries.length, 'change')}` : 'Nothing that is shown changed'
  if (kind === 'first') return 'No change to show yet'
  return reset ? 'The whole list, in place of a change' : 'The whole list'
}

const percent = (share) => (share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`)

/** Asks for the change in the format that is chosen, and for its steps. */
async function showRaw(change) {
  const { from, to, old, now, bytes } = change
  const dialect = at('dialects').value || 'staged'
  const path = `${collectionPath(address.client, address.collection)}/delta?from=${from.version}&to=${to.version}&items=patch${viewQuery()}`
  const [raw, staged] = await Promise.all([ask(`${path}&dialect=${dialect}`), dialect === 'staged' ? null : ask(path)])
  if (change !== shown) return
  at('raw').textContent = readable(raw.text)
  at('curl').onclick = () => copy(curl(`${path}&dialect=${dialect}`), at('copied'))
  at('size').hidden = !raw.ok
  if (!raw.ok) return
  const share = size(raw.text) / bytes
  at('meter').value = Math.min(1, Math.max(0.01, share))
  at('raw-size').textContent = `Sent in ${count(size(raw.text), 'byte')}, ${percent(share)} of the whole list, which has ${count(bytes, 'byte')}.`
  const { steps } = (staged ?? raw).body
  if (steps && old) offerSteps(change, [...frames(old, now, steps)], steps)
}

/** Offers to show the list before and after each step, one by one or all in turn. */
function offerSteps(change, all, steps) {
  change.frames = all
  change.captions = ['Before the change', ...steps.map((step, n) => `Step ${n + 1} of ${steps.length}: ${captionOf(step)}`)]
  at('steps').replaceChildren(...change.captions.map((text, n) => button(n ? String(n) : 'Before', () => showStep(n), { ariaLabel: text, title: text })))
  at('caption').textContent = `${count(steps.length, 'step')} that any list view can animate, checked before being sent.`
  at('play').hidden = false
}

function showStep(n) {
  const { list, frames, captions } = shown
  for (const [place, step] of [...at('steps').children].entries()) step.ariaCurrent = place === n ? 'step' : null
  list.show(frames[n].rows, frames[n].marks, true)
  at('caption').textContent = captions[n]
  return ++turn
}

/** Plays the steps in turn, then marks all that changed. */
async function play() {
  const { list, frames, now, marks, to } = shown
  for (const n of frames.keys()) {
    const own = showStep(n)
    list.reveal(list.marked[0])
    await new Promise((resolve) => setTimeout(resolve, STEP_MILLISECONDS))
    if (turn !== own) return
  }
  for (const step of at('steps').children) step.ariaCurrent = null
  list.show(rowsOf(now), marks, false)
  at('caption').textContent = `This is version ${to.seq}.`
}

/** Clears what is told, for another list. */
export function clearChange() {
  turn++
  shown = undefined
  for (const id of ['chips', 'words', 'steps']) at(id).replaceChildren()
  for (const id of ['change-title', 'change-versions', 'reset', 'caption', 'raw']) at(id).textContent = ''
  at('size').hidden = at('play').hidden = true
  at('previous').disabled = at('next').disabled = true
}

/** Offers the formats that there are, as `GET /v1` lists them. */
export function startChange(dialects) {
  at('dialects').replaceChildren(...dialects.map((name) => new Option(USES[name] ? `${name}: ${USES[name]}` : name, name)))
  at('dialects').onchange = () => shown?.kind === 'delta' && showRaw(shown)
  at('play').onclick = play
}
