// Writes: the whole list, an edit of it or its settings, in a drawer that shows what would change before it is sent.

import { Replica, parse } from '../livedelta.js'
import { address, go } from './address.js'
import { tellSentences } from './change.js'
import { at, complaint, count, h, pretty, readable, size } from './elements.js'
import { member, read, titleOf } from './rows.js'
import { ask, collectionPath, write } from './service.js'
import { sentences, tally, tallyText } from './words.js'

const EDITS = 'application/vnd.livedelta.edits+json'
const PREVIEW_MILLISECONDS = 250
const NAMES_MAX = 5
const LABELS = { list: 'The list, as JSON', edit: 'The edit, as JSON', settings: 'The settings, as JSON', compare: 'The new list' }
const ITEM_DEPTH = 4 // where items are in a snapshot: each on a line
const NOTHING = { snapshot: { sections: [] }, text: '{"items": []}', version: null, idPath: '/id' }
let base = NOTHING // what is written over
let filling = 0 // which filling is the newest
let typing // the timer of the next preview

const modeNow = () => at('modes').querySelector(':checked').value
const path = (rest = '') => collectionPath(at('client').value.trim(), at('collection').value.trim()) + rest

/** What each edit is filled with: of a list's first section and items. */
const EDIT_FORMS = {
  append: ({ section, fresh }) => ({ section, items: [fresh] }),
  insert: ({ section, fresh }) => ({ section, first: true, items: [fresh] }),
  upsert: ({ section, fresh }) => ({ section, last: true, items: [fresh] }),
  merge: ({ id }) => ({ id, value: { title: 'Another title' } }),
  move: ({ section, lastID }) => ({ ids: [lastID], section, first: true }),
  reload: ({ id }) => ({ ids: [id] }),
  delete: ({ id }) => ({ ids: [id] }),
  insertSection: ({ fresh }) => ({ id: `section-${fresh.id}`, last: true, title: 'Another section', items: [] }),
  moveSection: ({ lastSection }) => ({ id: lastSection, first: true }),
  updateSection: ({ section }) => ({ id: section, value: { title: 'Another title' } }),
  deleteSection: ({ section }) => ({ id: section }),
}

const idOf = (item) => member(item, base.idPath)

function edit(op) {
  const { sections, items } = read(base.snapshot, idOf)
  const ids = [...items.keys()]
  const { id: section = '' } = sections.find(({ ids }) => ids.length > 1) ?? sections[0] ?? {}
  const fresh = { id: `new-${ids.length + 1}`, title: 'A new item' }
  const facts = { section, lastSection: sections.at(-1)?.id ?? '', id: ids[0] ?? '', lastID: ids.at(-1) ?? '', fresh }
  return JSON.stringify({ op, ...EDIT_FORMS[op](facts) }, null, 2)
}

/** A snapshot as a writer sends it, an item a line; its numbers stay as they are, too large ones too. */
function written(text) {
  const content = text.replace(/^\{"kind":"snapshot",("collection":"[^"]*",)?"version":"[^"]*","seq":\d+,("idPath":"(?:[^"\\]|\\.)*",)?/, '{')
  return pretty(content, ITEM_DEPTH)
}

/** Reads what there is, and fills the drawer with it; `version` has the list filled with an older one. */
async function fill(version) {
  const mode = modeNow()
  const own = ++filling
  at('drawer').dataset.filled = 'false'
  at('ask').hidden = true
  at('written').textContent = at('diff-state').textContent = ''
  at('body-label').textContent = LABELS[mode]
  for (const part of at('drawer').querySelectorAll('[data-modes]')) part.hidden = !part.dataset.modes.includes(mode)
  const isNamed = at('client').value && at('collection').value
  const [head, settings, older] = await Promise.all(isNamed ? [ask(path()), ask(path('/settings')), version && ask(path(`?version=${version}`))] : [{}, {}])
  if (own !== filling) return
  const isThere = head.ok && head.body.sections
  const { idPath = '/id' } = settings.body ?? {}
  base = isThere ? { snapshot: head.body, text: written(head.text), version: head.body.version, idPath } : { ...NOTHING, idPath }
  at('delete').hidden = !isThere
  if (mode === 'edit') at('body').value = edit(at('op').value)
  else if (mode === 'settings') at('body').value = settings.ok ? pretty(settings.text) : '{}'
  else at('body').value = at('old').value = base.text
  if (isNamed && !head.ok && head.status !== 404) tellBad(complaint(head))
  if (older && older.ok) at('body').value = written(older.text)
  else if (older) tellBad(complaint(older))
  at('drawer').dataset.filled = 'true'
  if (mode === 'list' || mode === 'compare') await preview()
}

/** The text of a list with the settings that it is read by. */
function withSettings(text) {
  if (base.idPath === '/id') return text
  const settings = `{"settings":${JSON.stringify({ idPath: base.idPath })},`
  return settings + (text.trim().startsWith('[') ? `"items":${text}}` : text.trim().slice(1))
}

/** Shows what the service says would change; returns the sentences, nothing if it refuses the list. */
async function preview() {
  const tell = (text, isBad) => {
    at('diff-state').textContent = text
    at('diff-state').className = isBad ? 'bad' : ''
  }
  at('diff-words').replaceChildren()
  at('diff-raw').textContent = ''
  try {
    const texts = [modeNow() === 'compare' ? at('old').value : base.text, at('body').value]
    const [old] = texts.map(parse) // what is sent are the texts: numbers too large for JavaScript stay exact
    const body = `{"old":${withSettings(texts[0])},"new":${texts[1]}}`
    const answer = await ask('/v1/diff?dialect=splice', { method: 'POST', body })
    if (!answer.ok) return tell(complaint(answer), true)
    at('diff-raw').textContent = readable(answer.text)
    const sections = old.sections ?? [{ id: '', items: Array.isArray(old) ? old : old.items ?? [] }]
    const replica = new Replica({ id: idOf, held: { kind: 'snapshot', version: 'old', sections, meta: old.meta } })
    const change = answer.body.kind === 'delta' ? replica.apply({ ...answer.body, from: 'old', to: 'new' }) : null
    const entries = change ? sentences(change, read(change.snapshot, idOf), read(change.previous, idOf)) : []
    const bytes = `${count(size(answer.text), 'byte')} for readers, where the whole list has ${count(size(texts[1]), 'byte')}`
    tell(entries.length ? `This would change: ${tallyText(tally(entries))}. ${bytes}.` : 'This changes nothing.')
    at('diff-words').replaceChildren(...tellSentences(entries))
    return entries
  } catch (error) {
    tell(error.message, true)
  }
}

/** Whether what is to be deleted may be. */
function mayDelete(question, answer) {
  at('ask-text').textContent = question
  at('yes').textContent = answer
  at('ask').hidden = false
  at('no').focus()
  return new Promise((resolve) => {
    const close = (isYes) => () => {
      at('ask').hidden = true
      resolve(isYes)
    }
    at('yes').onclick = close(true)
    at('no').onclick = close(false)
  })
}

const listed = (titles) => titles.slice(0, NAMES_MAX).join(', ') + (titles.length > NAMES_MAX ? ` and ${count(titles.length - NAMES_MAX, 'other')}` : '')

/** Asks before a write deletes; returns whether it may be sent. */
async function mayWrite(mode) {
  if (mode === 'list') {
    const entries = await preview()
    if (!entries) return false
    const gone = entries.filter(({ kind }) => kind === 'deleted').map(({ title }) => title)
    return !gone.length || mayDelete(`This deletes ${listed(gone)}.`, 'Delete and save')
  }
  if (mode === 'settings') return true
  const { op, ids = [], id } = JSON.parse(at('body').value)
  if (op === 'deleteSection') return mayDelete(`This deletes the section ${id} and all that is in it.`, 'Delete the section')
  const { items } = read(base.snapshot, idOf)
  return op !== 'delete' || mayDelete(`This deletes ${listed(ids.map((id) => titleOf(items.get(String(id)), String(id))))}.`, 'Delete and save')
}

async function save() {
  const mode = modeNow()
  const [client, collection] = [at('client').value.trim(), at('collection').value.trim()]
  if (!client || !collection) return tellBad('Name a client and a list first.')
  try {
    if (!(await mayWrite(mode))) return
  } catch (error) {
    return tellBad(error.message)
  }
  const body = mode === 'edit' ? `{"edits":[${at('body').value}]}` : at('body').value
  const condition = base.version ? { 'Collection-If-Version': base.version } : { 'If-None-Match': '*' }
  const [method, rest, type] = { list: ['PUT', ''], edit: ['PATCH', '', EDITS], settings: ['PUT', '/settings'] }[mode]
  const answer = await write(path(rest), { method, body, type, headers: at('if-match').checked && mode !== 'settings' ? condition : {} })
  if (answer.status === 412) return tellBad('Somebody else has written meanwhile: close and open this drawer to see what, then write again.')
  if (!answer.ok) return tellBad(complaint(answer))
  if (mode === 'settings') return tellGood('The settings are saved.')
  if (answer.body.changed === false) return tellGood('It was so already: nothing is written.')
  at('drawer').close()
  go({ client, collection, from: null, to: null })
}

const tellGood = (text) => at('written').replaceChildren(h('span', { className: 'good', textContent: text }))
const tellBad = (text) => at('written').replaceChildren(h('span', { className: 'bad', textContent: text }))

async function remove() {
  const { items } = read(base.snapshot, idOf)
  const question = `This deletes the list ${at('collection').value} and its ${count(items.size, 'item')}, for all its readers.`
  if (!(await mayDelete(question, 'Delete the list'))) return
  const answer = await write(path(), { method: 'DELETE' })
  if (!answer.ok) return tellBad(complaint(answer))
  at('drawer').close()
}

/** Opens the drawer on what is looked at; `version`: filled with that one, to make it the newest. */
export function openDrawer(version) {
  at('client').value = address.client ?? 'u42'
  at('collection').value = address.collection ?? 'inbox'
  if (version) at('modes').querySelector('[value=list]').checked = true
  at('drawer').showModal()
  at('drawer-title').focus() // not the first control, which closes it
  return fill(version)
}

export function startWrite() {
  at('op').append(...Object.keys(EDIT_FORMS).map((name) => new Option(name)))
  at('op').onchange = () => (at('body').value = edit(at('op').value))
  at('modes').onchange = at('client').onchange = at('collection').onchange = () => fill()
  at('body').oninput = at('old').oninput = () => {
    clearTimeout(typing)
    if (['list', 'compare'].includes(modeNow())) typing = setTimeout(preview, PREVIEW_MILLISECONDS)
  }
  at('write').onclick = () => openDrawer()
  at('close').onclick = () => at('drawer').close()
  at('send').onclick = save
  at('delete').onclick = remove
}
