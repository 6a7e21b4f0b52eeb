// Elements made by calls. Text is only ever put in as text, so that nothing of a collection is markup.

/** An element with properties or attributes, and children. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value
    else element.setAttribute(key, value)
  }
  element.append(...children)
  return element
}

export const button = (text, onclick, properties) => h('button', { type: 'button', textContent: text, onclick, ...properties })

export const choice = (values, value, onchange) => {
  const select = h('select', { onchange: () => onchange(select.value) })
  select.append(...values.map((text) => h('option', { value: text, textContent: text, selected: text === value })))
  return select
}

const numbers = new Intl.NumberFormat('en')

export const count = (number, noun) => `${numbers.format(number)} ${noun}${number === 1 ? '' : 's'}`

const encoder = new TextEncoder()

export const size = (text) => encoder.encode(text).length

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|{\s*}|\[\s*]|[[\]{},:]|[^\s[\]{},:"]+/g

/** JSON on several lines, with its numbers and escapes as they are; a text that is none stays as it is. */
export function pretty(text) {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let end = '\n'
  return text.match(TOKENS).map((token) => {
    if (token === ',') return token + end
    if (token === ':') return ': '
    if ('{['.includes(token)) return token + (end += '  ')
    if ('}]'.includes(token)) return (end = end.slice(0, -2)) + token
    return /^[{[]/.test(token) ? token.replace(/\s/, '') : token
  }).join('')
}

/** Shows what became of a request: its answer, or what is wrong in the service's words. */
export function tell(output, { ok, status, body, text }) {
  output.className = ok ? 'good' : 'bad'
  const { code, detail, errors = [] } = body ?? {}
  const places = errors.map(({ pointer, detail }) => `\n${pointer}: ${detail}`)
  output.textContent = ok ? `${status} ${text}` : `${status || 'no answer'} ${code ?? ''}: ${detail ?? text}${places.join('')}`
}
