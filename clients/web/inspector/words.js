// A change in words: "m4 moved from Earlier 0 to Pinned 0".

import { idsOf } from './rows.js'

const title = ({ id, title }) => (typeof title === 'string' && title ? title : String(id))

/** Where each item of a snapshot is: its section's name and index. */
function places(snapshot, ids) {
  const found = new Map()
  snapshot.sections.forEach((section) => {
    ids(section).forEach((id, at) => found.set(id, `${title(section)} ${at}`.trim()))
  })
  return found
}

/** The members in which two items differ, with both values. */
function differences(old, now) {
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])
  const show = (value) => {
    const text = JSON.stringify(value) ?? 'nothing'
    return text.length > 40 ? `${text.slice(0, 40)}…` : text
  }
  return [...names]
    .filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
    .map((name) => `${name} ${show(old?.[name])} → ${show(now?.[name])}`)
}

/**
 * What a delta says, one entry for each item and section: `kind` is inserted, deleted, moved, changed
 * or meta, `key` the row that it is about.
 *
 * `change` is what a replica reports; `idOf` finds the id of an item.
 */
export function words({ snapshot, previous, added, changed, deleted, order, sections }, idOf) {
  const ids = ({ items }) => idsOf(items, idOf)
  const contents = (of) => new Map(of.sections.flatMap((section) => {
    const names = ids(section)
    return section.items.map((item, at) => [names[at], item])
  }))
  const [before, after] = [places(previous, ids), places(snapshot, ids)]
  const [old, now] = [contents(previous), contents(snapshot)]
  const entry = (kind, id, text) => ({ kind, key: `item ${id}`, text: `${id} ${text}` })
  return [
    ...sectionWords(previous, snapshot, order, sections),
    ...deleted.map((id) => entry('deleted', id, `deleted from ${before.get(id)}`)),
    ...added.filter(([, , id]) => !before.has(id))
      .map(([, , id]) => entry('inserted', id, `inserted at ${after.get(id)}`)),
    ...added.filter(([, , id]) => before.has(id))
      .map(([, , id]) => entry('moved', id, `moved from ${before.get(id)} to ${after.get(id)}`)),
    ...changed.map((id) => entry('changed', id, `changed: ${differences(old.get(id), now.get(id)).join('; ') || 'reloaded'}`)),
    ...(JSON.stringify(previous.meta) === JSON.stringify(snapshot.meta) ? [] : [{ kind: 'meta', text: 'meta changed' }]),
  ]
}

function sectionWords(previous, snapshot, order, headers) {
  const old = new Map(previous.sections.map((section) => [String(section.id), section]))
  const now = new Map(snapshot.sections.map((section) => [String(section.id), section]))
  const stayed = order.filter((id) => old.has(id))
  const kept = [...old.keys()].filter((id) => now.has(id))
  const entry = (kind, id, section, text) => ({ kind, key: `section ${id}`, text: `section ${title(section)} ${text}` })
  return [
    ...[...old].filter(([id]) => !now.has(id)).map(([id, section]) => entry('deleted', id, section, 'deleted')),
    ...order.flatMap((id, at) => {
      if (!old.has(id)) return [entry('inserted', id, now.get(id), `inserted at ${at}`)]
      const isMoved = stayed.indexOf(id) !== kept.indexOf(id)
      return isMoved ? [entry('moved', id, now.get(id), `moved to ${at}`)] : []
    }),
    ...Object.keys(headers).filter((id) => old.has(id)).map((id) => {
      return entry('changed', id, now.get(id), `changed: ${differences({ ...old.get(id), items: 0 }, { ...now.get(id), items: 0 }).join('; ')}`)
    }),
  ]
}

/** Why a reader got a snapshot where it asked for a delta. */
export function reason({ reason, since, oldest }) {
  const texts = {
    'history-compacted': `the reader held ${since ?? 'a version'}, which is not kept any more; the oldest that is kept is ${oldest ?? 'newer'}`,
    diverged: 'the reader held a version that this service never had: another history, as after a restore from a back-up',
    'lineage-changed': 'the reader held a version of an earlier collection of this name, which was deleted and made anew',
    'delta-too-large': 'the delta would have been longer than the snapshot',
  }
  return `${reason}: ${texts[reason] ?? 'see docs/protocol.md'}`
}
