import type { Header, Item, Options, Replica, Snapshot, Status } from './livedelta.js'

/** The newest snapshot of a followed collection. What did not change is the same object: `memo` sees it. */
export function useCollection<I = Item, H = Header, M = unknown>(replica: Replica<I, H, M>): Snapshot<I, H, M>

/** One item, by its id; undefined if there is none. Renders for this item's changes only. */
export function useItem<I = Item>(replica: Replica<I, any, any>, id: string | number): I | undefined

/** How the replica is. */
export function useStatus(replica: Replica<any, any, any>): Status

/**
 * Follows a collection as long as the component is mounted, and returns its replica: until then, and when `url` or
 * `collection` is another, one that holds nothing but `held`. The other options count when following begins.
 */
export function useFollow<I = Item, H = Header, M = unknown>(url: string, options: Omit<Options<I>, 'signal'> & { collection: string; held?: Snapshot<I, H, M> }): Replica<I, H, M>
