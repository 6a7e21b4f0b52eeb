// Carries out the steps of a delta one by one, as a list view would.

import { idsOf, rowsOf } from './rows.js'

/** The sections, `{ id, ids }`, after a step; what they were stays as it is. */
export function perform(sections, { delete: remove = {}, insert = {}, move = {} }) {
  const out = sections.map(() => new Set())
  for (const [section, at] of remove.items ?? []) out[section].add(at)
  const moved = (move.items ?? []).map(([section, at, ...target]) => {
    out[section].add(at)
    return [...target, sections[section].ids[at]]
  })
  const rest = sections.map(({ id, ids }, section) => ({ id, ids: ids.filter((_, at) => !out[section].has(at)) }))
  const gone = new Set([...(remove.sections ?? []), ...(move.sections ?? []).map(([from]) => from)])
  const result = rest.filter((_, section) => !gone.has(section))
  const placed = [
    ...(insert.sections ?? []).map(({ at, id, items }) => [at, { id, ids: [...items] }]),
    ...(move.sections ?? []).map(([from, to]) => [to, rest[from]]),
  ]
  for (const [at, section] of placed.sort(([a], [b]) => a - b)) result.splice(at, 0, section)
  const entries = [...(insert.items ?? []), ...moved].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  for (const [section, at, id] of entries) result[section].ids.splice(at, 0, id)
  return result
}

/** What a step did, by the keys of rows. */
function marks(sections, after, { insert = {}, move = {}, reload = {} }) {
  const item = (kind) => ([section, at]) => [`item ${after[section].ids[at]}`, kind]
  return new Map([
    ...(insert.sections ?? []).flatMap(({ id, items }) => [`section ${id}`, ...items.map((item) => `item ${item}`)])
      .map((key) => [key, 'inserted']),
    ...(move.sections ?? []).map(([from]) => [`section ${sections[from].id}`, 'moved']),
    ...(reload.sections ?? []).map(([, id]) => [`section ${id}`, 'changed']),
    ...(insert.items ?? []).map(item('inserted')),
    ...(move.items ?? []).map(([, , ...target]) => item('moved')(target)),
    ...(reload.items ?? []).map(([, , id]) => [`item ${id}`, 'changed']),
  ])
}

/** What the list shows at first and after each step: `{ rows, marks, counts }`. */
export function* frames(previous, delta, idOf) {
  const contents = new Map()
  const headers = new Map()
  let sections = previous.sections.map(({ items, ...header }) => {
    const ids = idsOf(items, idOf)
    items.forEach((value, at) => contents.set(ids[at], value))
    headers.set(String(header.id), header)
    return { id: String(header.id), ids }
  })
  const frame = (marks) => {
    const shown = sections.map(({ id, ids }) => {
      return { id, ids, header: headers.get(id) ?? delta.sections[id], item: (id) => contents.get(id) ?? delta.items[id] }
    })
    return { rows: rowsOf(shown), marks, counts: sections.map(({ ids }) => ids.length) }
  }
  yield frame(new Map())
  for (const step of delta.steps) {
    for (const [, id] of step.reload?.sections ?? []) headers.set(id, delta.sections[id])
    for (const [, , id] of step.reload?.items ?? []) contents.set(id, delta.items[id])
    const after = perform(sections, step)
    const done = marks(sections, after, step)
    sections = after
    yield frame(done)
  }
}
