import type { Header, Item, Options, Replica, Snapshot } from './livedelta.js'

/**
 * Follows several collections of the client at `url` on one connection: they change together, a batch is never seen
 * half. `held` are snapshots kept from another time, by the names of their collections.
 */
export function followAll<I = Item, H = Header, M = unknown, Name extends string = string>(
  url: string,
  options: Omit<Options<I>, 'query'> & { collections: readonly Name[]; held?: { [name in Name]?: Snapshot<I, H, M> } },
): { [name in Name]: Replica<I, H, M> }
