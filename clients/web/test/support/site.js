// A site that has the client and pages for tests, and the service behind the same origin.

import { readFileSync } from 'node:fs'
import { Proxy } from './proxy.js'

const client = new URL('../../', import.meta.url)
const types = { js: 'text/javascript', html: 'text/html' }

export class Site {
  /** `pages` are texts by their names, `files` paths by their names; the rest is what `folder` has. */
  static async start(server, pages, files = {}, folder = client) {
    const proxy = await Proxy.start(server)
    proxy.intercept = ({ url }, response) => {
      const [name] = url.slice(1).split('?')
      if (name.startsWith('v1/')) return false
      response.setHeader('Content-Type', `${types[name.split('.').pop()] ?? 'text/plain'}; charset=utf-8`)
      response.end(pages[name] ?? (name === 'favicon.ico' ? '' : readFileSync(files[name] ?? new URL(name, folder))))
      return true
    }
    proxy.origin = new URL(proxy.client).origin
    return proxy
  }
}
