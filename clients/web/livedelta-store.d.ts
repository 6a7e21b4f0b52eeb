import type { Header, Item, Replica, Snapshot } from './livedelta.js'

/** The snapshot that was kept under this name, for the option `held`; undefined if there is none. */
export function load<I = Item, H = Header, M = unknown>(name: string): Promise<Snapshot<I, H, M> | undefined>

/**
 * Keeps what a replica holds, whenever that is another, at most once in `interval` milliseconds (1,000).
 * Ends when the replica is closed; throws what the browser refuses, or the replica.
 */
export function keep(replica: Replica<any, any, any>, name: string, interval?: number): Promise<void>

/** Forgets what was kept under this name, as when somebody signs out. */
export function forget(name: string): Promise<void>
