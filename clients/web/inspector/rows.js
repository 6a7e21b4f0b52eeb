// What the list shows: a row for each section that has a name and for each item.

const TITLES = ['title', 'name', 'subject', 'label', 'text', 'headline']

/** What a person would call an item or a section: a member that is named so, else the first text, else its id. */
export function titleOf(value, id = '') {
  const isText = (text) => typeof text === 'string' && text
  const named = TITLES.map((name) => value?.[name]).find(isText)
  return named ?? Object.entries(value ?? {}).find(([name, text]) => name !== 'id' && isText(text))?.[1] ?? id
}

/** The other texts and numbers of an item, and the names of what is true of it: "Ada · 09:14 · unread". */
export function detailOf(value, title) {
  const parts = Object.entries(value ?? {}).filter(([name, part]) => name !== 'id' && part !== title).map(([name, part]) => {
    return part === true ? name : ['string', 'number'].includes(typeof part) ? part : ''
  })
  return parts.filter((part) => part !== '').join(' · ')
}

/** The member that a JSON pointer (RFC 6901) names. */
export function member(value, pointer) {
  const names = pointer.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce((inner, name) => inner?.[name], value)
}

/**
 * A snapshot by its ids: `sections`, each `{ id, header, ids }`, and `items`, a map of contents. Of sections or items
 * with the same id the k-th is `id#k`, as in the service.
 */
export function read(snapshot, idOf) {
  const items = new Map()
  const names = new Set()
  const unique = (id, isTaken, count = 1) => {
    let name = String(id)
    while (isTaken(name)) name = `${id}#${++count}`
    return name
  }
  const sections = snapshot.sections.map(({ items: values, ...header }) => {
    const id = unique(header.id === '' ? '' : idOf(header), (name) => names.has(name))
    names.add(id)
    const ids = values.map((value) => {
      const name = unique(idOf(value), (name) => items.has(name))
      items.set(name, value)
      return name
    })
    return { id, header, ids }
  })
  return { sections, items }
}

/** The rows of what was read. */
export function rowsOf({ sections, items }) {
  return sections.flatMap(({ id, ids, header }) => [
    ...(id === '' ? [] : [{ key: `section ${id}`, level: 1, id, value: header, note: String(ids.length) }]),
    ...ids.map((id) => ({ key: `item ${id}`, level: 2, id, value: items.get(id) })),
  ])
}
