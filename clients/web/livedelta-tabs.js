// One connection for all tabs of a browser: the tab that has the lock follows, the others listen to it.
//
// A lock is given back when its tab goes, however it goes, and a tab that has one is not frozen. Who gets
// it next follows on from what it holds. Every tab keeps the client's rule for itself.

import { Replica, follow } from './livedelta.js'

/** As `follow`, of one collection. All tabs that share it must be allowed to read it. */
export function share(url, options) {
  const { collection, signal } = options
  const name = `livedelta ${url} ${collection}`
  const channel = new BroadcastChannel(name)
  const replica = new Replica(options)
  let source // in the tab that follows

  function take({ answer, status }) {
    const isNews = answer && answer.version !== replica.snapshot.version
    const change = isNews ? replica.apply(answer) : null
    if (change === undefined) channel.postMessage({ asks: true })
    else replica.publish(status, change, source?.problem)
  }

  function relay(answer) {
    const { status } = source
    if (status !== 'closed') channel.postMessage({ answer, status })
    take({ answer, status })
  }

  const lead = () => new Promise((resolve) => {
    source = follow(url, { ...options, held: replica.snapshot })
    source.addEventListener('problem', ({ detail }) => replica.dispatchEvent(new CustomEvent('problem', { detail })))
    source.addEventListener('change', ({ detail }) => {
      const { snapshot, previous, ...answer } = detail ?? {}
      relay(detail && answer)
      if (source.status === 'closed') resolve()
    })
  })

  channel.onmessage = ({ data }) => {
    if (!data.asks) take(data)
    else if (source) channel.postMessage({ answer: source.snapshot, status: source.status })
  }
  channel.postMessage({ asks: true })
  signal?.addEventListener('abort', () => channel.close())
  navigator.locks.request(name, { signal }, lead).catch(() => replica.publish('closed'))
  return replica
}
