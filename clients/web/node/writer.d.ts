import type { Header, Item, Section } from '../livedelta.js'
import type { Edit } from '../livedelta-edits.js'

/** The service, or what is in front of it, refused a request. */
export class Problem extends Error {
  readonly status: number
  /** For programs; it never changes. Empty if the answer is not the service's. */
  readonly code: string
  readonly detail: string
  /** The newest version of the collection, with `version-conflict` and other refusals that name it. */
  readonly current?: string
  /** The places of the errors. */
  readonly errors: readonly { pointer: string; code?: string; detail: string }[]
  /** Seconds after which the service wants to be asked again. */
  readonly retryAfter?: number
}

/** The service cannot be reached, or a connection to it was lost, and repeating did not help. */
export class Disconnected extends Error {}

/** A write may or may not have been made; repeat it with `key` to have it made once. */
export class OutcomeUnknown extends Disconnected {
  readonly key: string
}

/** What became of a write. */
export interface Receipt {
  version: string
  changed: boolean
  previous: string | null
  /** The numbers of inserted, deleted, moved and reloaded items and sections. */
  counts: Record<string, number>
  /** Whether an earlier attempt of the same write was the one that counted. */
  replayed: boolean
}

/** A section as a writer has it. */
export type Content<I = Item, H = Header> =
  | readonly I[]
  | { readonly items: readonly I[]; readonly [member: string]: unknown }
  | { readonly sections: readonly (Pick<Section<I, H>, 'items'> & { readonly id?: string | number })[]; readonly [member: string]: unknown }

export interface Condition {
  /** Writes only if this is the newest version; else `version-conflict`. */
  ifVersion?: string
}

export interface WriteOptions extends Condition {
  /** The Idempotency-Key of an earlier attempt; a new one by default. */
  key?: string
}

/** A write of a batch. */
export interface Write {
  readonly collection: string
}

/** The write of a batch that stores a whole collection. */
export function put(collection: string, content: Content, options?: Condition): Write
/** The write of a batch that edits a collection. */
export function edits(collection: string, edits: readonly Edit<any>[], options?: Condition): Write
/** The write of a batch that deletes a collection. */
export function remove(collection: string, options?: Condition): Write

/** A LiveDelta service, for a backend. */
export class Service {
  /** `timeout` ends one attempt; a request is repeated for `patience`. Both are milliseconds. */
  constructor(
    address: string | URL,
    options?: {
      /** The key or token, or a function of it; it is called with `true` if the last one was refused. */
      token?: string | ((isStale?: boolean) => string | undefined | Promise<string | undefined>)
      timeout?: number
      patience?: number
    },
  )
  /** A collection, whether it exists or not. */
  collection<I = Item, H = Header>(client: string, name: string): Collection<I, H>
  /** Writes several collections of a client: all or none. The receipts, by the names of the collections. */
  batch(client: string, writes: readonly Write[], options?: { atomic?: true; key?: string }): Promise<Map<string, BatchReceipt>>
  /** Writes those that can be written; a `Problem` for each that was refused. */
  batch(client: string, writes: readonly Write[], options: { atomic: boolean; key?: string }): Promise<Map<string, BatchReceipt | Problem>>
  /** Deletes a client and all its collections. */
  forget(client: string): Promise<void>
  /** Sends a request of another kind, and repeats it as writes are repeated. */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; type?: string; key?: string; fields?: Record<string, string>; isOptional?: boolean },
  ): Promise<{ status: number; fields: Headers; body: any }>
}

/** The receipt of a write of a batch; a collection that was deleted has no version. */
export interface BatchReceipt {
  version: string | null
  changed: boolean
}

/** A named list of sections of items. */
export class Collection<I = Item, H = Header> {
  private constructor()
  readonly client: string
  readonly name: string
  /** The newest version, or a retained one; undefined if the collection does not exist. */
  get(options?: { version?: string }): Promise<{ version: string; seq: number; sections: Section<I, H>[]; meta?: unknown } | undefined>
  /** Stores the whole collection; with `create` only if it does not exist, else `collection-exists`. */
  put(content: Content<I, H>, options?: WriteOptions & { create?: boolean }): Promise<Receipt>
  /** Makes edits in order, all in one version or none. */
  edit(edits: readonly Edit<I>[], options?: WriteOptions): Promise<Receipt>
  /**
   * Reads the collection, and writes what `change` makes of it, unless somebody else has written meanwhile: then it does
   * so again, `attempts` times at the most. A `change` that returns undefined leaves all as it is.
   */
  update(
    change: (content: { sections: Section<I, H>[]; meta?: unknown }) => Content<I, H> | undefined | Promise<Content<I, H> | undefined>,
    options?: { attempts?: number },
  ): Promise<Receipt | undefined>
  /** Deletes the collection; false if there is none. */
  delete(options?: WriteOptions): Promise<boolean>
  /** Makes the content of a retained version the newest version. */
  revert(to: string, options?: WriteOptions): Promise<Receipt>
}
