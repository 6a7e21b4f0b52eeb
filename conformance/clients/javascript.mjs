// Drives clients/web in the kit: node javascript.mjs URL CLIENT COLLECTION[,COLLECTION...] [TOKEN]
import { follow } from '../../clients/web/livedelta.js'
import { followAll } from '../../clients/web/livedelta-many.js'
import { view } from '../../clients/web/livedelta-view.js'

const [url, client, names, token] = process.argv.slice(2)
const options = { token: token ? () => token : undefined }
const base = `${url}/v1/clients/${client}`
const seen = JSON.parse(process.env.CONFORM_VIEW ?? 'null')
const isMany = names.includes(',')
const followed = isMany ? followAll(base, { ...options, collections: names.split(',') })
  : { [names]: seen ? view(base, { ...options, ...seen, collection: names }) : follow(base, { ...options, collection: names }) }
for (const [name, replica] of Object.entries(followed)) {
  replica.addEventListener('change', ({ detail }) => {
    if (!detail) return
    const { version, meta, sections } = detail.snapshot
    const lines = [`event: ${detail.kind}`, `version: ${version}`, `meta: ${JSON.stringify(meta) ?? ''}`, `sections: ${JSON.stringify(sections)}`]
    console.log([...(isMany ? [`collection: ${name}`] : []), ...lines].join('\n'))
  })
  replica.addEventListener('problem', ({ detail }) => console.error(String(detail), detail.code ?? detail.cause ?? ''))
}
