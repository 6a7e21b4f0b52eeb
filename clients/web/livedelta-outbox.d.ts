import { Replica, type Header, type Item, type Options, type Snapshot } from './livedelta.js'
import type { Edit } from './livedelta-edits.js'

/** What the service answered to the edits that it took. */
export interface Taken {
  readonly version: string
  readonly seq: number
  /** False: they changed nothing. */
  readonly changed: boolean
}

/**
 * What a replica holds, with the edits of this device carried out: they show at once, are sent in the order in which
 * they were made, each once, and are carried out again on whatever version comes meanwhile.
 *
 * A `problem` event with `edits` tells that the service refused them for good, by one of the codes `bad-json`,
 * `bad-snapshot`, `body-too-large`, `collection-not-found`, `duplicate-id`, `edit-conflict`, `has-source`,
 * `idempotency-key-reuse`, `insufficient-scope`, `too-deep` and `too-many-items`, or (`outcome-unknown`) may have
 * forgotten whether it took them; they are taken back. One with `text` tells of an entry of `storage` that is damaged
 * (`damaged`), which is removed. After any other the edits are sent again, after pauses.
 */
export class Outbox<I = Item, H = Header, M = unknown> extends Replica<I, H, M> {
  constructor(
    source: Replica<I, H, M>,
    /** The address of the collection: `https://host/v1/clients/u42/collections/inbox`. */
    url: string,
    options?: Pick<Options<I>, 'id' | 'signal' | 'token'> & {
      /** What is shown before the source holds anything. */
      held?: Snapshot<I, H, M>
      /** Keeps what was not taken yet, as its properties: `localStorage`. */
      storage?: { [name: string]: any }
    },
  )

  /** What the service has not taken yet: the edits of each call of `edit`. */
  readonly pending: readonly (readonly Edit<I>[])[]

  /**
   * Carries out edits, all or none.
   *
   * The promise ends when the service has taken them, or fails: at once if they refer to what is not there or cannot
   * be kept, later with the problem for which the service refused them.
   */
  edit(...edits: Edit<I>[]): Promise<Taken>
}
