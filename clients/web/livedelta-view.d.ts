import type { Header, Item, Options, Replica, Snapshot } from './livedelta.js'

/** What is seen of a collection; by default all. */
export interface View {
  /** Conditions of items, all of which must hold: `/unread:eq:true`. */
  where?: string | readonly string[]
  /** JSON Pointers to the members that items have, besides their ids. */
  select?: string | readonly string[]
  /** Keys by which items are ordered within their sections: `/date:desc`. */
  order?: string | readonly string[]
  /** What becomes of sections: those without an item stay or go, or there is one section. */
  sections?: 'keep' | 'drop' | 'flat'
  /** `first:N`, `last:N`, `at:INDEX:N`, or `around:ID:BEFORE:AFTER`. */
  window?: string
}

/** A replica of a view. `snapshot.view` has its numbers. */
export type ViewReplica<I = Item, H = Header, M = unknown> = Replica<I, H, M> & {
  /** Moves the window. What comes and goes with it, and what changed meanwhile, is one change. */
  setWindow(window: string): void
  /**
   * Moves the window, by `setWindow`, before its rows come to an end: `count` rows from the row `first` on are seen, and
   * more of it lies ahead in the direction in which they move: down if that is positive.
   */
  reach(first: number, count: number, direction: number): void
}

/** Follows a view of a collection of the client at `url`. */
export function view<I = Item, H = Header, M = unknown>(
  url: string,
  options: Omit<Options<I>, 'query'> & View & { collection: string; held?: Snapshot<I, H, M> },
): ViewReplica<I, H, M>
