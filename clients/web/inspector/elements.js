// Elements made by calls. Text is only ever put in as text, so that nothing of a collection is markup.

export const at = (id) => document.getElementById(id)

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

const numbers = new Intl.NumberFormat('en')

export const digits = (number) => numbers.format(number)
export const count = (number, noun) => `${digits(number)} ${noun}${number === 1 ? '' : 's'}`

const encoder = new TextEncoder()

export const size = (text) => encoder.encode(text).length

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60]]

/** How long ago a time was: "3 minutes ago". */
export function ago(date) {
  const seconds = (Date.now() - new Date(date)) / 1000
  const [unit, span] = UNITS.find(([, span]) => seconds >= span) ?? []
  return unit ? relative.format(-Math.floor(seconds / span), unit) : 'just now'
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|{\s*}|\[\s*]|[[\]{},:]|[^\s[\]{},:"]+/g

/**
 * JSON on several lines, with its numbers and escapes as they are; a text that is none stays as it is. What is
 * nested deeper than `depth` is on one line.
 */
export function pretty(text, depth = Infinity) {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let level = 0
  const end = () => (level > depth ? '' : `\n${'  '.repeat(level)}`)
  return text.match(TOKENS).map((token) => {
    if (token === ',') return token + end()
    if (token === ':') return level > depth ? token : ': '
    if ('{['.includes(token)) return (level++, token + end())
    if ('}]'.includes(token)) {
      const isShort = level > depth
      level--
      return (isShort ? '' : end()) + token
    }
    return /^[{[]/.test(token) ? token.replace(/\s/, '') : token
  }).join('')
}

/** JSON to read: on several lines, but lists of numbers and texts on one. */
export const readable = (text) => pretty(text).replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/,\n\s*/g, ', ').replace(/\n\s*/g, ''))

/** What is wrong with a request, in the service's words. */
export function complaint({ status, body, text }) {
  const { code, detail, errors = [] } = body ?? {}
  const places = errors.map(({ pointer, detail }) => `\n${pointer}: ${detail}`)
  return `${status || 'No answer'}${code ? ` ${code}` : ''}: ${detail ?? text}${places.join('')}`
}

/** Copies a text, and says so in `output`; where a page may not write there, it shows the text to be taken. */
export async function copy(text, output) {
  try {
    await navigator.clipboard.writeText(text)
    output.textContent = 'Copied'
  } catch {
    output.textContent = text
  }
}
