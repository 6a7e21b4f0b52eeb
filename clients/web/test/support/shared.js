// What the tests of a file share: the service, a site with pages in front of it, and a browser.

import { after, before } from 'node:test'
import { Browser, skip } from './browser.js'
import { Server } from './server.js'
import { Site } from './site.js'

/**
 * Starts them before the tests and ends them after, unless they are left out: `{ server, site, browser }`.
 *
 * `durable`: the service keeps older versions whole.
 */
export function shared(pages = {}, files = {}, { isLeftOut = skip, durable } = {}) {
  const parts = {}

  before(async () => {
    if (isLeftOut) return
    parts.server = await Server.start({ durable })
    parts.site = await Site.start(parts.server, pages, files)
    parts.browser = await Browser.start()
  }, { timeout: 600_000 })

  after(async () => {
    await parts.browser?.stop()
    await parts.site?.stop()
    await parts.server?.stop()
  })

  /** Opens a page of the site. */
  parts.open = (name = 'page.html') => parts.browser.open(`${parts.site.origin}/${name}`)
  return parts
}
