import type { Item, Header, Replica, Section } from './livedelta.js'

/**
 * Shows a replica in `scroller`, in rows of one height, until `signal` ends it: those around what is seen have
 * elements, and of a view whose window moves only those around them are held. What comes and goes above moves no row
 * that is seen, unless the top is.
 */
export function virtual<I = Item, H = Header, M = unknown>(
  replica: Replica<I, H, M> & { setWindow?(window: string): void },
  scroller: HTMLElement,
  options: {
    /**
     * Makes the element of an item; or brings `node` up to date and returns it, or another for its place. The first
     * row of a section is given it.
     */
    row: (item: I, id: string, node?: HTMLElement, section?: Section<I, H>) => HTMLElement
    /** Pixels of each row. */
    height: number
    /** Makes the element of a row that is not held yet. */
    placeholder?: (index: number) => HTMLElement
    signal?: AbortSignal
  },
): {
  /** Goes to a row by its index. */
  jump(index: number): void
}
