import type { Around } from './livedelta-dom.js'

/**
 * Lets the rows in view glide when they move, and new ones fade in; not where less motion is wished for,
 * nor when the service said `"animate":false`. Measures every row that `selector` finds.
 */
export function glide(list: Element, selector: string, timing?: number | KeyframeAnimationOptions): Around<any, any>

/** Keeps what is in view where it is while rows come and go above, in browsers that do not do so themselves. */
export function anchor(scroller: Element, selector: string): Around<any, any>
