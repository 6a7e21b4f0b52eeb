import type { Item, Section } from './livedelta.js'

/** A place among items or sections: at most one of these; without one, the end. */
export interface Place {
  at?: number
  before?: string | number
  after?: string | number
  first?: true
  last?: true
}

/** A place for items: in a section, or beside an item; without either, in the only section. */
export interface ItemPlace extends Place {
  section?: string | number
}

/** An edit, by ids, as the service takes it in a `PATCH`. */
export type Edit<I = Item> =
  | ({ op: 'insert' | 'append' | 'upsert'; items: readonly I[] } & ItemPlace)
  | { op: 'merge'; id: string | number; value: object }
  | ({ op: 'move'; ids: readonly (string | number)[] } & ItemPlace)
  | { op: 'delete'; ids: readonly (string | number)[]; missing?: 'ignore' }
  | { op: 'reload'; ids: readonly (string | number)[] }
  | ({ op: 'insertSection'; id: string | number; items?: readonly I[]; [header: string]: unknown } & Place)
  | ({ op: 'moveSection'; id: string | number } & Place)
  | { op: 'updateSection'; id: string | number; value: object }
  | { op: 'deleteSection'; id: string | number; missing?: 'ignore' }

/**
 * Sections after edits, as the service will have them; those given stay as they are.
 *
 * `idOf` finds the id of an item or a section: their `id`. Throws if an edit refers to what is not there.
 */
export function edited<I = Item, H = unknown>(
  sections: readonly Section<I, H>[],
  edits: readonly Edit<I>[],
  idOf?: (entry: any) => unknown,
): Section<I, H>[]

/**
 * Sends edits of the collection at `url`, once: with the same `key` they are carried out once, however often they are
 * sent. `rests` is the version that they rest on. Resolves to the answer with its `status`, and `wait`, the milliseconds
 * after which the service wants to be asked again. Of an answer that is neither a receipt nor a problem of the service
 * (`application/problem+json`) it tells the status alone. No redirect is followed.
 */
export function send(
  url: string,
  entry: { key: string; edits: readonly Edit<any>[]; rests?: string },
  token?: (isStale?: boolean) => string | undefined | Promise<string | undefined>,
  isStale?: boolean,
): Promise<{ status: number; wait: number; version?: string; seq?: number; changed?: boolean; code?: string; current?: string }>
