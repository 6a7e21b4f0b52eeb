// Writes: a snapshot, edits by a form, settings, deleting and reverting; each with its preconditions.

import { address } from './address.js'
import { pretty, tell } from './elements.js'
import { ask, collectionPath, write } from './service.js'

const at = (id) => document.getElementById(id)
const EDITS = 'application/vnd.livedelta.edits+json'
const POSITIONS = ['at', 'before', 'after', 'first', 'last']

/** The members that each edit takes, and what the form offers for them. */
const FORMS = {
  insert: { section: '', position: 'last', items: '[{"id":"new"}]' },
  append: { section: '', items: '[{"id":"new"}]' },
  upsert: { section: '', position: 'last', items: '[{"id":"new"}]' },
  merge: { id: '', value: '{"title":"another"}' },
  move: { ids: '[""]', section: '', position: 'first' },
  swap: { ids: '["",""]' },
  delete: { ids: '[""]' },
  reload: { ids: '[""]' },
  insertSection: { id: '', position: 'last', title: '', items: '[]' },
  moveSection: { id: '', position: 'last' },
  updateSection: { id: '', value: '{"title":"another"}' },
  deleteSection: { id: '' },
  reverse: { section: '' },
}

const path = (rest = '') => collectionPath(address.client, address.collection) + rest

/** Sends a write with the preconditions that are chosen. */
async function send(method, rest, body, type) {
  const version = at('write').dataset.version
  const headers = {
    ...(at('if-match').checked && version && { 'Collection-If-Version': version }),
    ...(at('if-none').checked && { 'If-None-Match': '*' }),
  }
  if (!address.client || !address.collection) return tell(at('written'), { text: 'name a client and a collection first' })
  tell(at('written'), await write(path(rest), { method, body, type, headers }))
}

async function load(rest) {
  const { ok, text, ...answer } = await ask(path(rest))
  if (ok) at('body').value = pretty(text)
  else tell(at('written'), { ok, text, ...answer })
}

function drawForm() {
  const form = FORMS[at('op').value]
  for (const label of at('edit').querySelectorAll('label[data-member]')) {
    const { member } = label.dataset
    label.hidden = !(member in form)
    if (member in form) label.querySelector('input, select').value = form[member]
  }
  at('edit').querySelector('[data-member=anchor]').hidden = !('position' in form)
}

/** The JSON of the edit that the form says: what is JSON as it is, everything else as text. */
function edit() {
  const op = at('op').value
  const value = (name) => at('edit').querySelector(`[data-member=${name}] :is(input, select)`).value
  const isJSON = ['items', 'ids', 'value']
  const members = Object.keys(FORMS[op]).filter((name) => name !== 'position' && (value(name) || name !== 'title'))
  const texts = members.map((name) => [name, isJSON.includes(name) ? checked(value(name)) : JSON.stringify(value(name))])
  const position = 'position' in FORMS[op] ? [[value('position'), place(value('position'), value('anchor'))]] : []
  const all = [['op', JSON.stringify(op)], ...texts, ...position.map(([name, value]) => [name, JSON.stringify(value)])]
  return `{${all.map(([name, text]) => `"${name}":${text}`).join()}}`
}

/** A text that is JSON, as it is; throws for any other. */
const checked = (text) => (JSON.parse(text), text)

const place = (position, anchor) => (position === 'at' ? Number(anchor) : ['first', 'last'].includes(position) || anchor)

async function sendEdit(event) {
  event.preventDefault()
  try {
    await send('PATCH', '', `{"edits":[${edit()}]}`, EDITS)
  } catch (error) {
    tell(at('written'), { text: error.message })
  }
}

/** The version that `If-Match` and revert mean. */
export const setVersion = (version) => (at('write').dataset.version = version)

export function startWrite() {
  at('op').append(...Object.keys(FORMS).map((name) => new Option(name)))
  at('position').append(...POSITIONS.map((name) => new Option(name)))
  at('op').onchange = drawForm
  drawForm()
  at('edit').onsubmit = sendEdit
  at('load').onclick = () => load('')
  at('load-settings').onclick = () => load('/settings')
  at('put').onclick = () => send('PUT', '', at('body').value)
  at('put-settings').onclick = () => send('PUT', '/settings', at('body').value)
  at('delete').onclick = () => confirm(`Delete ${address.client}/${address.collection}?`) && send('DELETE', '')
  at('revert').onclick = () => {
    if (address.to) send('POST', '/revert', JSON.stringify({ to: address.to }))
    else tell(at('written'), { text: 'choose a version in the timeline first' })
  }
}
