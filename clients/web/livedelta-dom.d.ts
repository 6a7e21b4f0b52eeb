import type { Change, DeltaChange, Header, Item, Replica, Section } from './livedelta.js'

/** What is done around an update of the DOM: calls `update`, now or later. Later updates are gathered. */
export type Around<I = Item, H = Header, M = unknown> = (change: Change<I, H, M>, update: () => void) => void

/**
 * Shows a replica in `list`, and keeps it in step until `signal` ends it.
 *
 * A row that stays keeps its node, and no node moves but those that the delta moves.
 */
export function show<I = Item, H = Header, M = unknown>(
  replica: Replica<I, H, M>,
  list: Element,
  options: {
    /** Makes the node of an item; or brings `node` up to date and returns it, or another for its place. */
    row: (item: I, id: string, node?: ChildNode) => ChildNode
    /**
     * Makes the element that a section's rows are put into, behind what it has; or brings `element` up to
     * date. Called whenever the section is another. Without it sections are bare `section` elements, and the
     * rows of a flat list are put into `list`.
     */
    section?: (section: Section<I, H>, element?: Element) => Element
    around?: Around<I, H, M>
    signal?: AbortSignal
  },
): void

/** Puts a node of `parent` behind another of its children, or first; where it is already, it is not touched. */
export function place(parent: Element, node: ChildNode, previous?: ChildNode | null): void

/** Whether somebody is in a node: what has the focus, or an end of the selection. */
export function isInUse(node: Node): boolean

/** The ids that a delta put in above the item `id`: by so many rows a virtual list shifts its window. */
export function insertedAbove(replica: Replica<any, any, any>, change: Pick<DeltaChange, 'order' | 'added'>, id: string): string[]
