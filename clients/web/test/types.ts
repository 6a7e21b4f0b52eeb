// Compiled, never run: what the declarations allow, and what they refuse.

import { follow, Replica, type Snapshot } from '../livedelta.js'

interface Mail {
  id: string
  title: string
}

async function uses(stored: Snapshot<Mail>) {
  const inbox: Replica<Mail> = follow<Mail>('/v1/clients/u42', {
    collection: 'inbox', held: stored, token: async (isStale) => (isStale ? 'new' : undefined), signal: new AbortController().signal,
  })
  inbox.addEventListener('change', ({ detail }) => detail?.added?.map(([section, at, id]) => section + at + id))
  inbox.addEventListener('problem', ({ detail }) => detail.code === 'cut' && detail.status)
  for await (const { sections } of inbox) sections[0].items[0].title.trim()
  inbox.item('m1')?.title.trim()

  const { list, cart } = follow('/v1/clients/u42', { collection: ['list', 'cart'] as const })
  const change = list.apply({ kind: 'deleted' })
  if (change) cart.publish('live', change)

  // @ts-expect-error: which collection?
  follow('/v1/clients/u42', {})
  // @ts-expect-error: not followed
  follow('/v1/clients/u42', { collection: ['list'] as const }).inbox
  // @ts-expect-error: snapshots are never changed
  inbox.snapshot.sections[0].items.push({ id: 'x', title: '' })
  // @ts-expect-error: no such status
  inbox.publish('open')
}

export default uses
