import type { Item, Header, Replica, Section } from './livedelta.js'

/**
 * Shows a replica in `scroller` until `signal` ends it: the rows around what is seen have elements, and of a view whose
 * window moves only those around them are held. What comes, goes or gets another height above moves no row that is
 * seen, unless the top is.
 */
export function virtual<I = Item, H = Header, M = unknown>(
  replica: Replica<I, H, M> & { reach?(first: number, count: number, direction: number): void },
  scroller: HTMLElement,
  options: {
    /**
     * Makes the element of an item; or brings `node` up to date and returns it, or another for its place. The first
     * row of a section is given it.
     */
    row: (item: I, id: string, node?: HTMLElement, section?: Section<I, H>) => HTMLElement
    /** Pixels of each row at least: one with more content is higher. */
    height: number
    /** Makes the element of a row that is not held yet. */
    placeholder?: (index: number) => HTMLElement
    signal?: AbortSignal
  },
): {
  /** Goes to a row by its index. */
  jump(index: number): void
}
