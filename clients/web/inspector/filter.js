// What is seen of a list: a filter, an order, the members that items have, and a window, as the address has them.

import { address, go } from './address.js'
import { at, count as counted, digits, h } from './elements.js'

const FIELDS = ['where', 'order', 'select', 'window']
const OPERATOR_OF = { boolean: 'eq', number: 'ge', string: 'eq' } // by the type of a member

/** The terms of a field: `/unread:eq:true and /price:lt:20`, `/date:desc, /title`. */
const termsOf = {
  where: (text) => text.split(/\s+and\s+(?=\/)/),
  order: (text) => text.split(/,\s*(?=\/)/),
  select: (text) => [text.replaceAll(', ', ',')],
  window: (text) => [text],
}

const terms = (name) => (address[name] ? termsOf[name](address[name].trim()) : [])

/** Whether the list is seen as a view. */
export const isView = () => FIELDS.some((name) => address[name])

/** The options of `view` that the address has. */
export function viewOptions() {
  const [select, window] = [terms('select')[0], terms('window')[0]]
  return { where: terms('where'), order: terms('order'), ...(select && { select }), ...(window && { window }) }
}

/** The parameters of a request that the address has, each with its `&`. */
export const viewQuery = () => FIELDS.flatMap((name) => terms(name).map((term) => `&${name}=${encodeURIComponent(term)}`)).join('')

/** Whether two addresses differ in what is seen of a list; `window` alone moves. */
export const differs = (one, other, names = FIELDS) => names.some((name) => (one[name] ?? '') !== (other[name] ?? ''))

/** "Items 1 to 50 of 5,321 that match". */
export function viewText({ total, start, count }) {
  const match = address.where ? ` that match${total === 1 ? 'es' : ''}` : ''
  if (count === total) return counted(total, 'item') + match
  return `items ${digits(Math.min(start + 1, total))} to ${digits(start + count)} of ${digits(total)}${match}`
}

/** Puts the address's view into the controls. */
export function drawFilter() {
  for (const name of FIELDS) {
    at(name).value = address[name] ?? ''
    at(name).removeAttribute('aria-invalid')
  }
  at('filter-error').replaceChildren()
  at('show-all').hidden = !isView()
  if (FIELDS.slice(1).some((name) => address[name])) more(true)
}

function more(isOpen) {
  at('filter-more').ariaExpanded = String(isOpen)
  at('filter-fields').hidden = !isOpen
}

/** Offers terms about the members that an item has. */
export function suggest(item = {}) {
  const usual = Object.entries(item).filter(([name, value]) => name !== 'id' && typeof value in OPERATOR_OF)
  const pointer = (name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const texts = usual.map(([name, value]) => `${pointer(name)}:${OPERATOR_OF[typeof value]}:${value}`)
  at('terms').replaceChildren(...texts.map((value) => new Option('', value)))
}

/** Says what is wrong with a view, and marks the place in the text of its control; false if it is something else. */
export function blame({ code, errors = [], message }) {
  const [{ pointer = '', detail = message } = {}] = errors
  const [, name, index = 0] = pointer.split('/')
  if (code !== 'bad-parameter' || !FIELDS.includes(name)) return false
  const term = terms(name)[index] ?? ''
  const [, byte = 0, text = detail] = detail.match(/^byte (\d+): (.*)$/s) ?? []
  const from = new TextDecoder().decode(new TextEncoder().encode(term).slice(0, byte)).length
  const rest = term.slice(from)
  const length = name === 'where' && /operator/.test(text) ? rest.search(/:|$/) : rest.length
  const control = at(name)
  const offset = control.value.indexOf(term)
  if (name !== 'where') more(true)
  control.setAttribute('aria-invalid', 'true')
  control.setSelectionRange(offset + from, offset + from + length)
  at('filter-error').replaceChildren(
    h('code', {}, term.slice(0, from), h('mark', { textContent: rest.slice(0, length) || '␣' }), rest.slice(length)),
    h('span', { textContent: `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith('?') ? '' : '.'}` }),
  )
  return true
}

export function startFilter() {
  at('filter').onsubmit = (event) => {
    event.preventDefault()
    go(Object.fromEntries(FIELDS.map((name) => [name, at(name).value.trim()])))
  }
  at('filter-more').onclick = () => more(at('filter-fields').hidden)
  at('show-all').onclick = () => {
    more(false)
    go(Object.fromEntries(FIELDS.map((name) => [name, null])))
  }
}
