// Drives clients/web in Chromium in the kit: node chromium.mjs URL CLIENT COLLECTION [TOKEN]
import { Browser } from '../../clients/web/test/support/browser.js'
import { Site } from '../../clients/web/test/support/site.js'

const [url, client, collection, token] = process.argv.slice(2)
const page = `<!doctype html><script type=module>
  import { follow } from './livedelta.js'
  const [client, collection, token] = ${JSON.stringify([client, collection, token])}
  const replica = follow('/v1/clients/' + client, { collection, token: token ? () => token : undefined })
  replica.addEventListener('change', ({ detail }) => {
    if (!detail) return
    const { version, meta, sections } = detail.snapshot
    const lines = ['event: ' + detail.kind, 'version: ' + version, 'meta: ' + (JSON.stringify(meta) ?? '')]
    printed([...lines, 'sections: ' + JSON.stringify(sections)].join('\\n'))
  })
</script>`

// The kit ends this process at any moment: the browser ends with its pipe.
const site = await Site.start({ origin: url }, { 'page.html': page })
const browser = await Browser.start()
browser.on('message', ({ method, params }) => method === 'Runtime.bindingCalled' && console.log(params.payload))
const tab = await browser.open('about:blank')
await tab.send('Runtime.addBinding', { name: 'printed' })
await tab.go(`${site.origin}/page.html`)
