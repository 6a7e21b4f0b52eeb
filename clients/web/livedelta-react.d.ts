import type { Header, Item, Options, Replica, Snapshot, Status } from './livedelta.js'

/** The newest snapshot of a followed collection. What did not change is the same object: `memo` sees it. */
export function useCollection<I = Item, H = Header>(replica: Replica<I, H>): Snapshot<I, H>

/** One item, by its id; undefined if there is none. Renders for this item's changes only. */
export function useItem<I = Item>(replica: Replica<I, any>, id: string | number): I | undefined

/** How the replica is. */
export function useStatus(replica: Replica<any, any>): Status

/**
 * Follows a collection as long as the component is mounted, and returns its replica: an empty one until
 * then. Another `url` or `collection` is followed anew; the other options are those of the first time.
 */
export function useFollow<I = Item, H = Header>(url: string, options: Omit<Options<I>, 'signal'> & { collection: string; held?: Snapshot<I, H> }): Replica<I, H>
