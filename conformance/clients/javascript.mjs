// Drives clients/web in the kit: node javascript.mjs URL CLIENT COLLECTION [TOKEN]
import { follow } from '../../clients/web/livedelta.js'

const [url, client, collection, token] = process.argv.slice(2)
const replica = follow(`${url}/v1/clients/${client}`, { collection, token: token ? () => token : undefined })
replica.addEventListener('change', ({ detail }) => {
  if (!detail) return
  const { version, meta, sections } = detail.snapshot
  console.log(`event: ${detail.kind}\nversion: ${version}\nmeta: ${JSON.stringify(meta) ?? ''}\nsections: ${JSON.stringify(sections)}`)
})
replica.addEventListener('problem', ({ detail }) => console.error(String(detail), detail.code ?? detail.cause ?? ''))
