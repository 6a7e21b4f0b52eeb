import type { Header, Item, Options, Replica, Snapshot } from './livedelta.js'

/**
 * As `follow` of one collection, with one connection for all tabs of the browser: the tab that has the lock
 * follows, the others listen to it. All tabs that share it must be allowed to read it.
 */
export function share<I = Item, H = Header, M = unknown>(url: string, options: Options<I> & { collection: string; held?: Snapshot<I, H, M> }): Replica<I, H, M>
