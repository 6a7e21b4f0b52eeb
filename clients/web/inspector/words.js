// A change in sentences: "Contract moved from Earlier to the top of Pinned".

import { digits } from './elements.js'
import { titleOf } from './rows.js'

export const KINDS = { inserted: 'new', moved: 'moved', changed: 'changed', deleted: 'deleted', left: 'left' }

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b)
const nameOf = (section) => titleOf(section.header, section.id) // '' of a flat list

function show(value) {
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** The members in which two values differ, with both. */
function differences(old = {}, now = {}) {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !same(old[name], now[name]))
  return names.map((name) => {
    if (!(name in now)) return `${name} removed`
    return name in old ? `${name} from ${show(old[name])} to ${show(now[name])}` : `${name} set to ${show(now[name])}`
  }).join(', ')
}

/** Where each item of what was read is. */
function places({ sections }) {
  return new Map(sections.flatMap((section) => section.ids.map((id, at) => [id, { section, at }])))
}

/**
 * The sentences of a delta, one for each item and section: `{ kind, key, title, text }`; `kind` is inserted, moved,
 * changed, deleted or left, `key` the row that it is about.
 *
 * `delta` is what a replica reports; `old` and `now` are what `read` returns. Without `old`, which is not always kept,
 * they say less.
 */
export function sentences({ added, removed, changed, deleted, left = [], order, sections, meta }, now, old) {
  const [before, after] = [places(old ?? { sections: [] }), places(now)]
  const gone = new Set(removed)
  const title = (id) => titleOf(now.items.get(id) ?? old?.items.get(id), id)
  const entry = (kind, id, text) => ({ kind, key: `item ${id}`, title: title(id), text })
  const where = (id, near, inside) => {
    const { section, at } = after.get(id)
    const name = nameOf(section)
    const end = at === 0 ? 'top' : at === section.ids.length - 1 ? 'end' : ''
    if (end) return `${near} the ${end}${name && ` of ${name}`}`
    return `${name && `${inside} ${name}, `}below ${title(section.ids[at - 1])}`
  }
  const from = (id) => {
    const section = before.get(id)?.section
    const isOther = section && section.id !== after.get(id)?.section.id
    return isOther && nameOf(section) ? ` from ${nameOf(section)}` : ''
  }
  return [
    ...sectionSentences(order, sections, now, old),
    ...added.map(([, , id]) => {
      return gone.has(id) ? entry('moved', id, `moved${from(id)} ${where(id, 'to', 'to')}`) : entry('inserted', id, `is new ${where(id, 'at', 'in')}`)
    }),
    ...changed.map((id) => {
      const what = old ? differences(old.items.get(id), now.items.get(id)) : ''
      return entry('changed', id, what ? `changed: ${what}` : 'changed')
    }),
    ...deleted.map((id) => entry('deleted', id, `was deleted${from(id)}`)),
    ...left.map((id) => entry('left', id, 'left what is shown, and is still in the list')),
    ...(meta === undefined ? [] : [{ kind: 'changed', title: 'What belongs to the list itself', text: 'changed' }]),
  ]
}

function sectionSentences(order, headers, now, old) {
  const was = new Map(old?.sections.map((section) => [section.id, section]))
  const is = new Map(now.sections.map((section) => [section.id, section]))
  const stayed = order.filter((id) => was.has(id))
  const kept = [...was.keys()].filter((id) => is.has(id))
  const entry = (kind, id, section, text) => ({ kind, key: `section ${id}`, title: `Section ${nameOf(section)}`, text })
  const where = (at) => (at === 0 ? 'at the top' : `below ${nameOf(is.get(order[at - 1]))}`)
  const unnamed = (id) => id === ''
  return [
    ...order.flatMap((id, at) => {
      if (unnamed(id) || !old) return []
      if (!was.has(id)) return [entry('inserted', id, is.get(id), `is new ${where(at)}`)]
      return stayed.indexOf(id) === kept.indexOf(id) ? [] : [entry('moved', id, is.get(id), `moved ${where(at).replace('at the', 'to the')}`)]
    }),
    ...Object.keys(headers).filter((id) => was.has(id) && !unnamed(id)).map((id) => {
      return entry('changed', id, is.get(id), `changed: ${differences(was.get(id).header, is.get(id).header)}`)
    }),
    ...[...was].filter(([id]) => !is.has(id) && !unnamed(id)).map(([id, section]) => entry('deleted', id, section, 'was deleted')),
  ]
}

/** How many of each kind: `{ inserted, moved, changed, deleted }`. */
export function tally(entries) {
  const counts = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0]))
  for (const { kind } of entries) counts[kind]++
  return counts
}

/** "2 new, 1 moved". */
export function tallyText(counts) {
  return Object.entries(KINDS).filter(([kind]) => counts[kind]).map(([kind, word]) => `${digits(counts[kind])} ${word}`).join(', ')
}

/** Why a reader got the whole list where it asked for a change. */
export function reason({ reason, since, oldest }) {
  const texts = {
    'history-compacted': `the reader held ${since ?? 'a version'}, which is no longer kept; the oldest that is kept is ${oldest ?? 'newer'}`,
    diverged: 'the reader held a version that this service never had, as after a restore from a backup',
    'lineage-changed': 'the reader held a version of an earlier list of this name, which was deleted and created again',
    'view-changed': 'the reader held the list as it was shown to others, or to itself before what it may see was changed',
    'delta-too-large': 'the change would have been longer than the list',
  }
  return `${reason}: ${texts[reason] ?? 'see docs/protocol.md'}`
}
