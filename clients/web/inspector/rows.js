// What the list shows: a row for each section that has a name and for each item.

const TITLES = ['title', 'name', 'subject', 'label', 'text', 'headline']

/** What a person would call an item: a member that is named so, else the first text. */
export function titleOf(value) {
  const isText = (text) => typeof text === 'string' && text
  const named = TITLES.map((name) => value?.[name]).find(isText)
  return named ?? Object.entries(value ?? {}).find(([name, text]) => name !== 'id' && isText(text))?.[1] ?? ''
}

/** The member that a JSON pointer (RFC 6901) names. */
export function member(value, pointer) {
  const names = pointer.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce((inner, name) => inner?.[name], value)
}

/** The ids of items, in order; of those that are the same the k-th is `id#k`, as in the service. */
export function idsOf(items, idOf) {
  const counts = new Map()
  return items.map((item) => {
    const id = String(idOf(item))
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count > 1 ? `${id}#${count}` : id
  })
}

/**
 * The rows of `sections`, each `{ id, ids, header, item }`: `ids` of its items in order, `item` a
 * function that finds the content of one.
 */
export function rowsOf(sections) {
  return sections.flatMap(({ id, ids, header, item }) => [
    ...(id === '' ? [] : [{ key: `section ${id}`, level: 1, id, value: header, note: String(ids.length) }]),
    ...ids.map((id) => ({ key: `item ${id}`, level: 2, id, value: item(id) })),
  ])
}

/** The rows of a replica. */
export function rowsOfReplica(replica) {
  return rowsOf(replica.snapshot.sections.map(({ items, ...header }) => {
    return { id: String(header.id), ids: replica.ids(String(header.id)), header, item: (id) => replica.item(id) }
  }))
}
