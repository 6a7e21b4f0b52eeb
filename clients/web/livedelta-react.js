// Hooks for React 18 and later. What did not change is the same object, so that `memo` sees it.

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
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
 * Follows a collection as long as the component is mounted, and returns its replica: until then, and when `url` or
 * `collection` is another, one that holds nothing but `held`. The other options count when following begins.
 */
export function useFollow(url, options) {
  const blank = useMemo(() => new Replica(options), [url, options.collection])
  const [followed, setFollowed] = useState({})
  useEffect(() => {
    const end = new AbortController()
    setFollowed({ blank, replica: follow(url, { ...options, signal: end.signal }) })
    return () => end.abort()
  }, [blank])
  return followed.blank === blank ? followed.replica : blank
}
