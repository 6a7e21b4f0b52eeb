// The page of the service in a browser, for tests: opened, waited for, read and used.

import { afterEach } from 'node:test'
import { inboxes } from '../../inspector/inbox.js'

/** The example's versions, from 1. */
export const inbox = (n) => inboxes[n - 1]

export const place = (collection, more) => ({ client: 'u42', collection, ...more })

/** How tests open the page: each until its test ends, with what the browser complains of noted. */
export function opener(tests) {
  const opened = []
  afterEach(async () => {
    for (const page of opened.splice(0)) {
      tests.browser.off('message', page.listener)
      await page.close()
    }
  })
  return async (place = {}, { width = 1280, height = 800, server = tests.server, scheme = 'light', motion = 'no-preference' } = {}) => {
    const page = await tests.browser.open('about:blank')
    const complaints = []
    opened.push(page)
    page.listener = ({ method, params, sessionId }) => {
      if (sessionId !== page.session) return
      if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception.description)
      if (method === 'Log.entryAdded' && params.entry.source !== 'network') complaints.push(params.entry.text)
    }
    tests.browser.on('message', page.listener)
    await page.send('Log.enable')
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 })
    await page.send('Emulation.setScrollbarsHidden', { hidden: width < 500 }) // those of a phone fade at their own pace
    await page.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' })
    await page.send('Emulation.setLocaleOverride', { locale: 'en-US' })
    await page.send('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: motion },
    ] })
    const query = new URLSearchParams(place)
    await page.go(`${server.origin}/ui${query.size ? `#${query}` : ''}`)
    return Object.assign(page, { complaints })
  }
}

/** Waits until an element's text matches. */
export const until = (page, selector, pattern) => page.call(async (selector, source) => {
  const now = () => document.querySelector(selector)?.textContent ?? ''
  while (!new RegExp(source, 's').test(now())) {
    const what = { subtree: true, childList: true, characterData: true }
    await new Promise((resolve) => new MutationObserver(resolve).observe(document.body, what))
  }
}, selector, pattern.source)

/** Waits until there is an element that a selector finds. */
export const untilThere = (page, selector) => page.call(async (selector) => {
  while (!document.querySelector(selector)) {
    const what = { subtree: true, childList: true, attributes: true }
    await new Promise((resolve) => new MutationObserver(resolve).observe(document, what))
  }
}, selector)

/** The rows that have elements: their titles, and what became of them. */
export const rows = (page) => page.call(() => Array.from(document.querySelectorAll('[role=treeitem]'), (node) => {
  const text = (name) => node.querySelector(name)?.textContent ?? ''
  return [text('.title'), text('.badge')].filter(Boolean).join(' ')
}))

export const texts = (page, selector) => page.call((selector) => {
  return Array.from(document.querySelectorAll(selector), (node) => node.textContent)
}, selector)

export const click = (page, selector) => page.call((selector) => document.querySelector(selector).click(), selector)

/** Types into a control, in place of what it has. */
export const enter = (page, selector, value) => page.call((selector, value) => {
  const control = document.querySelector(selector)
  control.value = value
  for (const name of ['input', 'change']) control.dispatchEvent(new Event(name, { bubbles: true }))
}, selector, value)

/** Whether an element is seen. */
export const isSeen = (page, selector) => page.call((selector) => document.querySelector(selector).checkVisibility(), selector)

export const press = async (page, key) => {
  const codes = { Tab: 9, End: 35, Home: 36, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowDown: 40 }
  const event = { key, code: key, windowsVirtualKeyCode: codes[key], text: key === 'Enter' ? '\r' : undefined }
  await page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}
