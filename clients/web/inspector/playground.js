// Two lists and the delta between them, which the service makes and keeps nothing of.

import { Replica, parse } from '../livedelta.js'
import { count, h, pretty, size } from './elements.js'
import { ask } from './service.js'
import { words } from './words.js'

const at = (id) => document.getElementById(id)
const OLD = '{"sections":[{"id":"today","title":"Today","items":[{"id":"m1"},{"id":"m2"},{"id":"m3"}]}]}'
const NEW = '{"sections":[{"id":"today","title":"Today","items":[{"id":"m3"},{"id":"m1","unread":true},{"id":"m6"}]}]}'
const idOf = ({ id }) => id

/** The sections of what was pasted, which may be a bare list. */
function sections(value) {
  const items = Array.isArray(value) ? value : value.items
  return items ? [{ id: '', items }] : value.sections
}

async function compare(event) {
  event.preventDefault()
  try {
    const texts = ['old', 'new'].map((id) => at(id).value)
    const [old, now] = texts.map(parse)
    const body = `{"old":${texts[0]},"new":${texts[1]}}` // as they are: numbers too large for JavaScript stay exact
    const dialect = at('diff-dialect').value
    const [raw, splice] = await Promise.all([dialect, 'splice'].map((name) => ask(`/v1/diff?dialect=${name}`, { method: 'POST', body })))
    at('diff-raw').textContent = pretty(raw.text)
    at('diff-state').textContent = raw.ok
      ? `${count(size(raw.text), 'byte')}; the new list has ${count(size(JSON.stringify(now)), 'byte')}`
      : raw.body?.detail ?? raw.text
    at('diff-words').replaceChildren(...(splice.body?.kind === 'delta' ? say(old, splice.body) : []))
  } catch (error) {
    at('diff-state').textContent = error.message
    for (const id of ['diff-words', 'diff-raw']) at(id).replaceChildren()
  }
}

function say(old, delta) {
  const replica = new Replica({ held: { kind: 'snapshot', version: 'old', sections: sections(old) } })
  const change = replica.apply({ ...delta, from: 'old', to: 'new' })
  return words(change, idOf).map(({ kind, text }) => h('li', { className: kind, textContent: text }))
}

export function startPlayground(dialects) {
  at('old').value ||= pretty(OLD)
  at('new').value ||= pretty(NEW)
  at('diff-dialect').replaceChildren(...dialects.map((name) => new Option(name)))
  at('playground').onsubmit = compare
}
