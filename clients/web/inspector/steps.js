// Carries out the steps of a delta one by one, as a list view would.

import { rowsOf } from './rows.js'

/** The sections, `{ id, ids }`, after a step; what they were stays as it is. */
function perform(sections, { delete: remove = {}, insert = {}, move = {} }) {
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

const VERBS = { delete: 'delete', insert: 'insert', move: 'move', reload: 'change' }

/** What a step does: "delete 1 row, move 2 rows and 1 section". */
export function captionOf(step) {
  const noun = (number, noun) => (number ? [`${number} ${noun}${number === 1 ? '' : 's'}`] : [])
  return Object.keys(VERBS).flatMap((name) => {
    const { items = [], sections = [] } = step[name] ?? {}
    const rows = items.length + (name === 'insert' ? sections.reduce((sum, { items }) => sum + items.length, 0) : 0)
    const parts = [...noun(sections.length, 'section'), ...noun(rows, 'row')]
    return parts.length ? [`${VERBS[name]} ${parts.join(' and ')}`] : []
  }).join(', ')
}

/** What the list shows at first and after each step of a delta from `old` to `now`: `{ rows, marks, counts }`. */
export function* frames(old, now, steps) {
  const items = new Map([...now.items, ...old.items])
  const headers = new Map([...now.sections, ...old.sections].map(({ id, header }) => [id, header]))
  const ends = new Map(now.sections.map(({ id, header }) => [id, header]))
  let sections = old.sections
  const frame = (marks) => {
    const shown = sections.map(({ id, ids }) => ({ id, ids, header: headers.get(id) }))
    return { rows: rowsOf({ sections: shown, items }), marks, counts: sections.map(({ ids }) => ids.length) }
  }
  yield frame(new Map())
  for (const step of steps) {
    for (const [, id] of step.reload?.sections ?? []) headers.set(id, ends.get(id))
    for (const [, , id] of step.reload?.items ?? []) items.set(id, now.items.get(id))
    const after = perform(sections, step)
    const done = marks(sections, after, step)
    sections = after
    yield frame(done)
  }
}
