// Hooks for React 18 and later. What did not change is the same object, so that `memo` sees it.

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { Replica, follow } from './livedelta.js'

/** What `read` finds in a replica, again whenever that is another. */
function useReplica(replica, read) {
  const subscribe = useCallback((listener) => {
    replica.addEventListener('change', listener)
    return () => replica.removeEventListener('change', listener)
  }, [replica])
  return useSyncExternalStore(subscribe, read, read)
}

/** The newest snapshot of a followed collection. */
export const useCollection = (replica) => useReplica(replica, () => replica.snapshot)

/** One item, by its id; undefined if there is none. Renders for this item's changes only. */
export const useItem = (replica, id) => useReplica(replica, () => replica.item(id))

/** 'connecting', 'live', 'missing' or 'closed'. */
export const useStatus = (replica) => useReplica(replica, () => replica.status)

/**
 * Follows a collection as long as the component is mounted, and returns its replica: an empty one until
 * then. Another `url` or `collection` is followed anew; the other options are those of the first time.
 */
export function useFollow(url, options) {
  const [replica, setReplica] = useState(() => new Replica(options))
  useEffect(() => {
    const end = new AbortController()
    setReplica(follow(url, { ...options, signal: end.signal }))
    return () => end.abort()
  }, [url, options.collection])
  return replica
}
