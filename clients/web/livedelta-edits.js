// What edits make of a list, as the service will: to show it before the service has answered; and how to send them.

import { merge } from './livedelta.js'

/** Sections after edits, as the service will have them; throws if an edit refers to what is not there. */
export function edited(sections, edits, idOf = ({ id }) => id) {
  const result = sections.map((section) => ({ ...section, items: [...section.items] }))
  const has = (id) => (entry) => String(entry.id === '' ? '' : idOf(entry)) === String(id)
  const must = (found) => found ?? fail()
  const index = (list, id) => must([...list.keys()].find((at) => has(id)(list[at])))
  const holder = (id) => result.find(({ items }) => items.some(has(id)))
  const items = (id) => must(holder(id)).items
  const replace = (list, id, change) => (list[index(list, id)] = change(list[index(list, id)]))
  const take = (list, id) => list.splice(index(list, id), 1)
  const fail = () => {
    throw new Error('an edit of what is not there')
  }

  for (const { op, id, ids, section, items: given = [], value, missing, at, before, after, first, last, ...header } of edits) {
    const anchor = before ?? after
    const put = (list, entries) => {
      list.splice(anchor === undefined ? at ?? (first ? 0 : list.length) : index(list, anchor) + (anchor === after), 0, ...entries)
    }
    const home = () => (section === undefined ? must(anchor === undefined ? result[0] : holder(anchor)) : result[index(result, section)])
    const present = (list, isThere) => list.filter((id) => !missing || isThere(id))
    if (op === 'merge') replace(items(id), id, (item) => merge(item, value))
    else if (op === 'move') put(home().items, ids.flatMap((id) => take(items(id), id)))
    else if (op === 'delete') present(ids, holder).forEach((id) => take(items(id), id))
    else if (op === 'moveSection') put(result, take(result, id))
    else if (op === 'updateSection') replace(result, id, ({ items, ...header }) => ({ ...merge(header, value), items }))
    else if (op === 'deleteSection') present([id], (id) => result.some(has(id))).forEach((id) => take(result, id))
    else if (op === 'insertSection') put(result, [{ id, ...header, items: given }])
    else if (given) {
      const isNew = (item) => !holder(idOf(item))
      if (op === 'upsert') for (const item of given) isNew(item) || replace(items(idOf(item)), idOf(item), () => item)
      put(home().items, given.filter(isNew))
    }
  }
  return result
}

/**
 * Sends edits of the collection at `url`, with an idempotency key; `rests` is the version that they rest on. Returns the
 * receipt, or what is known of a refusal: its status, the milliseconds to wait, and, if the service refuses, its problem.
 */
export async function send(url, { key, edits, rests }, token, isStale) {
  const secret = await token?.(isStale)
  const headers = {
    'Content-Type': 'application/vnd.livedelta.edits+json',
    'Idempotency-Key': key,
    ...(rests && { 'If-Match': `"${rests}"` }),
    ...(secret && { Authorization: `Bearer ${secret}` }),
  }
  const body = JSON.stringify({ edits })
  const signal = AbortSignal.timeout(30_000)
  // Whatever a redirect leads to, it is not the service.
  const response = await fetch(url, { method: 'PATCH', headers, body, redirect: 'error', signal })
  const { ok, status } = response
  const seconds = response.headers.get('Retry-After')
  const wait = seconds > 0 ? Math.min(seconds, 3600) * 1000 : 0
  // What is neither a receipt nor a problem of the service is the answer of something in between.
  if (!ok && !/^application\/problem\+json\b/.test(response.headers.get('Content-Type'))) return { status, wait }
  const answer = await response.json()
  if (ok && !answer.seq) throw new Error('no receipt')
  return { ...answer, status, wait }
}
