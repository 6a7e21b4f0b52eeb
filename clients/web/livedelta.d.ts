import type { Edit } from './livedelta-edits.js'

/**
 * A row as its writer sent it; but an `id` beyond 2^53, or `-0`, which a number may not hold exactly, is a string.
 */
export type Item = { [member: string]: unknown }

/** The members of a section beside `id` and `items`, as its writer sent them. */
export type Header = { [member: string]: unknown }

/** A section: its items in order, beside the members of its header. Never changed, always replaced. */
export type Section<I = Item, H = Header> = Readonly<H> & { readonly id: string | number; readonly items: readonly I[] }

/** The whole content of a collection at one moment, as `GET` gives it. Never changed, always replaced. */
export interface Snapshot<I = Item, H = Header, M = unknown> {
  /** `''` before the first answer, and after the collection was deleted. Compare for equality only. */
  readonly version: string
  /** Counts the versions of a collection from 1. */
  readonly seq?: number
  readonly collection?: string
  readonly kind?: 'snapshot'
  /** Where the ids of items, and of sections, are, if not in `id`: a JSON pointer. */
  readonly idPath?: string
  readonly sections: readonly Section<I, H>[]
  readonly meta?: M
  /** Of a view: how many items satisfy its conditions, where its window begins and how many it has. */
  readonly view?: { readonly total: number; readonly start: number; readonly count: number; readonly anchor?: string }
}

/** What each change has: the snapshots after it and before it. */
export interface Transition<I = Item, H = Header, M = unknown> {
  readonly snapshot: Snapshot<I, H, M>
  readonly previous: Snapshot<I, H, M>
}

/**
 * From one version to another: `removed` is taken out, the sections are put into `order`, then `added` is put in,
 * ascending by final index. What moved is in both.
 */
export interface DeltaChange<I = Item, H = Header, M = unknown> extends Transition<I, H, M> {
  readonly kind: 'delta'
  /** False: show the result without animation. */
  readonly animate?: boolean
  /** The ids of all sections. */
  readonly order: readonly string[]
  readonly removed: readonly string[]
  /** Section id, index in the section, item id. */
  readonly added: readonly (readonly [section: string, index: number, id: string])[]
  /** Ids of items that were there and have other content now. */
  readonly changed: readonly string[]
  /** Ids of items that are gone. */
  readonly deleted: readonly string[]
  /** Ids of items that left the view, and are still in the collection. */
  readonly left?: readonly string[]
  /** Headers that are new or have other content, by the ids of their sections. */
  readonly sections: { readonly [id: string]: unknown }
  /** There if it changed; null if it was removed. */
  readonly meta?: M | null
}

/** The whole content, in place of what was held. */
export interface SnapshotChange<I = Item, H = Header, M = unknown> extends Transition<I, H, M> {
  readonly kind: 'snapshot'
  /** False: show the result without animation. */
  readonly animate?: boolean
  /** Why the service sent a snapshot where a delta was asked for. */
  readonly reset?: { readonly reason: 'history-compacted' | 'diverged' | 'lineage-changed' | 'view-changed' | 'delta-too-large' }
}

/** The collection was deleted; the snapshot is empty. */
export interface DeletedChange<I = Item, H = Header, M = unknown> extends Transition<I, H, M> {
  readonly kind: 'deleted'
  readonly animate?: undefined
}

/** Another version of which a view shows the same. */
export interface UnchangedChange<I = Item, H = Header, M = unknown> extends Transition<I, H, M> {
  readonly kind: 'unchanged'
  readonly animate?: undefined
}

/** What a `change` event has as `detail`, told apart by `kind`; or null when only the status changed. */
export type Change<I = Item, H = Header, M = unknown> = DeltaChange<I, H, M> | SnapshotChange<I, H, M> | DeletedChange<I, H, M> | UnchangedChange<I, H, M>

/** A refusal of the service (RFC 9457), or why there is no answer. */
export interface Problem extends Error {
  /**
   * As the service's, or `cut`, `silence`, `mismatch`, `loop` (answers that lead nowhere, or in a circle); or `inexact-id`, for good: ids elsewhere than in `id` are
   * numbers that may have been rounded. Failures of the network have none.
   */
  readonly code?: string
  readonly status?: number
  /** Of an `Outbox`: what the service refused, or of which it is not known whether it was taken. */
  readonly edits?: readonly Edit<any>[]
}

/** `closed` comes last: `problem` says why, unless the signal ended it. */
export type Status = 'connecting' | 'live' | 'missing' | 'closed'

/** One collection: immutable snapshots, in which what did not change is the same object as before. */
export class Replica<I = Item, H = Header, M = unknown> extends EventTarget {
  constructor(options?: { id?: (item: I) => unknown; held?: Snapshot<I, H, M> })

  /** What is held. Another object whenever anything changed. */
  readonly snapshot: Snapshot<I, H, M>
  readonly status: Status
  /** Why it is closed. */
  readonly problem?: Problem

  /** The item with this id, as it is now. */
  item(id: string | number): I | undefined
  /** The ids of the sections, in order. */
  readonly order: readonly string[]
  /** The ids of a section's items, in order; without an argument, those of a flat list. */
  ids(section?: string): readonly string[]

  /**
   * Takes an answer of the service, from wherever it comes.
   *
   * Returns the change, for `publish`; null if there is none; undefined if the answer does not follow
   * from what is held, which then stays as it is. Throws for what is no answer, and `inexact-id` for ids that
   * `JSON.parse` may have rounded: `parse` keeps them.
   */
  apply(answer: object): Change<I, H, M> | null | undefined
  /** Tells the listeners and loops of a change, of another status, or of both. */
  publish(status: Status, change?: Change<I, H, M> | null, problem?: Problem): void

  /** The newest snapshot each time round; those that came while the loop was busy are passed over. */
  [Symbol.asyncIterator](): AsyncGenerator<Snapshot<I, H, M>, void, void>

  /** After the snapshot or the status changed. */
  addEventListener(type: 'change', listener: ((event: CustomEvent<Change<I, H, M> | null>) => void) | null, options?: boolean | AddEventListenerOptions): void
  /** When something went wrong; what can be mended is tried again, and what cannot is told before it is `closed`. */
  addEventListener(type: 'problem', listener: ((event: CustomEvent<Problem>) => void) | null, options?: boolean | AddEventListenerOptions): void
  /** Asks again at once: dispatch `new Event('again')`, for pull to refresh. */
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void
}

/** The error that tells of a problem, with its members. */
export function failure(problem: object): Problem

/** Applies a merge patch (RFC 7396); returns another value, the old one stays as it is. */
export function merge(old: unknown, patch: unknown): any

/** Parses an answer of the service, with ids that no number holds exactly as strings. */
export function parse(text: string): any

export interface Options<I = Item> {
  /** Ends everything. */
  signal?: AbortSignal
  /**
   * Asked for the bearer token before each request. `isStale`: the last one was refused or has expired, a new one is
   * needed.
   */
  token?: (isStale?: boolean) => string | undefined | Promise<string | undefined>
  /** Where the ids of items, and of sections, are, if the collection has the setting `idPath`. */
  id?: (item: I) => unknown
  /** More parameters of the question about one collection, by the version that is held: `&name=value…`. */
  query?: (since: string) => string
  /** False: long polls only. They are also used where a body cannot be read as it comes, as in React Native. */
  stream?: boolean
  /** Seconds that a long poll waits: 25. */
  wait?: number
  /** Milliseconds after which a stream without a first byte gives way to long polls: 5,000. */
  firstByte?: number
  /** Milliseconds after which a line on which nothing comes is given up: 40,000. The service pings every 15 s. */
  silence?: number
}

/**
 * Follows a collection of the client at `url`, as `https://host/v1/clients/u42`.
 *
 * `held` is a snapshot kept from another time: shown at once, and followed on from.
 */
export function follow<I = Item, H = Header, M = unknown>(url: string, options: Options<I> & { collection: string; held?: Snapshot<I, H, M> }): Replica<I, H, M>

/** A question: `rest` are parameters of it, each with its `&`; the others are what `fetch` takes. */
export interface Question extends RequestInit {
  path: string
  rest: string
}

/** What `feed` needs of a replica: `livedelta-many.js` has several that are asked about as if they were one. */
export interface Fed extends EventTarget {
  readonly snapshot: { readonly version: string }
  apply(answer: object): object | null | undefined
  publish(status: Status, change?: any, problem?: Problem): void
}

/** Asks the service about a replica, until the signal or a refusal for good ends it; `follow` calls it. */
export function feed(
  url: string,
  replica: Fed,
  options: Omit<Options<any>, 'id'> & {
    collection?: string
    /** Makes another question than that about one collection; one with a body has an answer, and no stream. */
    ask?: (since: string, streams: boolean, headers: { [name: string]: string }) => Question
  },
): Promise<void>

/**
 * The server-sent events of a body as they come, each by its fields: without `event`, or with an empty one, it is a
 * `message`; `retry` has digits alone. `heard` is called when anything comes.
 */
export function events(body: ReadableStream<BufferSource>, heard: () => void): AsyncGenerator<{ [field: string]: string }, void, void>
