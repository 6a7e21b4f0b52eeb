// Compiled, never run: what the declarations allow, and what they refuse.

import { follow, Replica, type Section, type Snapshot } from '../livedelta.js'
import { insertedAbove, show } from '../livedelta-dom.js'
import { followAll } from '../livedelta-many.js'
import { anchor, glide, transition } from '../livedelta-motion.js'
import { forget, keep, load } from '../livedelta-store.js'
import { edited } from '../livedelta-edits.js'
import { Outbox } from '../livedelta-outbox.js'
import { share } from '../livedelta-tabs.js'
import { view } from '../livedelta-view.js'
import { virtual } from '../livedelta-virtual.js'
import { useCollection, useFollow, useItem, useStatus } from '../livedelta-react.js'

interface Mail {
  id: string
  title: string
}

async function uses(stored: Snapshot<Mail>) {
  const inbox: Replica<Mail> = follow<Mail>('/v1/clients/u42', {
    collection: 'inbox',
    held: stored,
    token: async (isStale) => (isStale ? 'new' : undefined),
    signal: new AbortController().signal,
  })
  const part = view<Mail>('/v1/clients/u42', { collection: 'inbox', where: ['/unread:eq:true'], window: 'first:9' })
  part.setWindow('last:9')
  part.snapshot.view?.total.toFixed()
  const rows = virtual(part, document.body, {
    height: 40,
    row: ({ title }, id, node = document.createElement('p'), section) => Object.assign(node, { textContent: title + id + section?.id }),
  })
  rows.jump(7)
  // @ts-expect-error: one collection
  view('/v1/clients/u42', { collection: ['inbox'] })
  inbox.addEventListener('change', ({ detail }) => {
    if (detail?.kind === 'delta') detail.added.map(([section, at, id]) => section + at + id)
    if (detail?.kind === 'snapshot') detail.reset?.reason.trim()
    // @ts-expect-error: only a delta has them
    detail?.added
  })
  inbox.addEventListener('problem', ({ detail }) => detail.code === 'cut' && detail.status)
  for await (const { sections } of inbox) sections[0].items[0].title.trim()
  inbox.item('m1')?.title.trim()
  const titled = follow<Mail, { title: string }>('/v1/clients/u42', { collection: 'inbox' })
  titled.snapshot.sections[0].title.trim()
  // @ts-expect-error: not a member of the header
  titled.snapshot.sections[0].subtitle

  const { list, cart } = followAll('/v1/clients/u42', { collections: ['list', 'cart'] as const })
  const change = list.apply({ kind: 'deleted' })
  if (change) cart.publish('live', change)

  // @ts-expect-error: which collection?
  follow('/v1/clients/u42', {})
  // @ts-expect-error: not followed
  followAll('/v1/clients/u42', { collections: ['list'] as const }).inbox
  // @ts-expect-error: snapshots are never changed
  inbox.snapshot.sections[0].items.push({ id: 'x', title: '' })
  // @ts-expect-error: no such status
  inbox.publish('open')
}

function shows(inbox: Replica<Mail>, list: HTMLUListElement) {
  const row = ({ title }: Mail, id: string, node: ChildNode = document.createElement('li')) => {
    return Object.assign(node, { textContent: title + id })
  }
  const section = ({ id }: Section<Mail>, element: Element = document.createElement('ol')) => element
  show(inbox, list, { row, section, around: glide(list, 'li') })
  show(inbox, list, { row, around: transition })
  const move = glide(list, 'li', 300, { fadeOut: true })
  show(inbox, list, { row, around: (change, update) => move(change, update).then(() => list.scrollIntoView()) })
  show(inbox, list, { row, around: anchor(list, 'li'), signal: new AbortController().signal })
  inbox.addEventListener('change', ({ detail }) => {
    if (detail?.kind === 'delta') insertedAbove(inbox, detail, 'm1').length
  })
  // @ts-expect-error: without rows there is nothing to show
  show(inbox, list, {})
}

function renders() {
  const inbox = useFollow<Mail>('/v1/clients/u42', { collection: 'inbox' })
  // @ts-expect-error: the hook ends it
  useFollow('/v1/clients/u42', { collection: 'inbox', signal: new AbortController().signal })
  return [useCollection(inbox).sections[0].items[0].title, useItem(inbox, 'm1')?.title, useStatus(inbox) === 'live']
}

async function stores() {
  const inbox = share<Mail>('/v1/clients/u42', { collection: 'inbox', held: await load('inbox') })
  await keep(inbox, 'inbox')
  await forget('inbox')
}

async function edits() {
  const source = follow<Mail, { title: string }, { theme: string }>('/v1/clients/u42', { collection: 'inbox', stream: false })
  source.snapshot.meta?.theme.trim()
  const inbox = new Outbox(source, '/v1/clients/u42/collections/inbox', { token: () => 'secret', storage: {} })
  const { seq } = await inbox.edit({ op: 'merge', id: 'm1', value: { unread: false } }, { op: 'move', ids: ['m1'], section: 'done', first: true })
  inbox.addEventListener('problem', ({ detail }) => detail.edits?.map(({ op }) => op + detail.code))
  inbox.addEventListener('change', ({ detail }) => detail?.kind)
  // @ts-expect-error: no such operation
  await inbox.edit({ op: 'remove', id: 'm1' })
  const [section] = edited(source.snapshot.sections, [{ op: 'append', section: 'today', items: [{ id: 'm2', title: '' }] }])
  return [section.title.trim(), seq + 1, inbox.pending.length, inbox.item('m1')?.title]
}

export default [uses, shows, renders, stores, edits]
