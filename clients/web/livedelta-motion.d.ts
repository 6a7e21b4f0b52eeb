import type { Change } from './livedelta.js'
import type { Around } from './livedelta-dom.js'

/** An `around` of `show`, whose promise resolves once all of the change is shown, or what of it was not cut short. */
export type Shown = (change: Change<any, any, any>, update: () => void) => Promise<void>

/**
 * Lets what moves glide: the rows in view that `selector` finds, and what is beside them, such as headings of sections.
 * New ones fade in, and with `fadeOut` copies of removed ones fade out. A change that comes meanwhile goes on from where
 * everything is. Nothing moves where less motion is wished for, in a page that is hidden, nor when the service said
 * `"animate":false`. Measures every row.
 */
export function glide(
  list: Element,
  selector: string,
  timing?: number | KeyframeAnimationOptions,
  options?: { fadeOut?: boolean },
): Shown

/** Shows changes as view transitions, with the exceptions of `glide`; at once in browsers without them. */
export const transition: Shown

/** Keeps what is in view where it is while rows come and go above, in browsers that do not do so themselves. */
export function anchor(scroller: Element, selector: string): Around<any, any>
