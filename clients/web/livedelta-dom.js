// Keeps the children of an element in step with a replica, node by node.
//
// What stays keeps its node, and nothing moves but what the delta moves: by `moveBefore` where there is
// one, so that focus, selection, a playing video and an iframe survive; elsewhere focus and selection are put back.

/** A longest run of `ids` that is in the same order in `old`: those that need not move. */
function kept(old, ids) {
  const places = new Map(old.map((id, place) => [id, place]))
  const ends = [] // ends[n]: the last link of that run of n + 1 ids which ends earliest in `old`
  for (const id of ids) {
    const place = places.get(id)
    let length = ends.length
    while (length && ends[length - 1].place > place) length--
    if (place >= 0) ends[length] = { id, place, before: ends[length - 1] }
  }
  const run = new Set()
  for (let link = ends.at(-1); link; link = link.before) run.add(link.id)
  return run
}

/** Whether somebody is in a node: what has the focus, or an end of the selection. */
export function isInUse(node) {
  const { anchorNode, focusNode } = getSelection()
  return [document.activeElement, anchorNode, focusNode].some((inner) => node.contains(inner))
}

/** Puts a node behind another, or first; where it is already, it is not touched. */
export function place(parent, node, previous) {
  const next = previous ? previous.nextSibling : parent.firstChild
  if (node === next) return
  if (node.isConnected && parent.moveBefore) return parent.moveBefore(node, next)
  const { activeElement } = document
  const selection = getSelection()
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  const isUsed = node.isConnected && isInUse(node)
  parent.insertBefore(node, next)
  if (!isUsed) return
  if (anchorNode) selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset)
  activeElement.focus({ preventScroll: true })
}

/** The ids that a change put in above the item `id`: by so many rows a virtual list shifts its window. */
export function insertedAbove(replica, { order, added }, id) {
  const ids = order.flatMap((section) => replica.ids(section))
  const above = new Set(ids.slice(0, ids.indexOf(id)))
  return added.map(([, , id]) => id).filter((id) => above.has(id))
}

/**
 * Shows a replica in `list`, until `signal` ends it.
 *
 * `row(item, id, node)` makes the node of an item, or brings `node` up to date and returns it, or another
 * for its place. `section(content, element)` makes the element that a section's rows are put into, behind
 * what it has, or brings it up to date. `around(change, update)` calls `update`, now or later.
 */
export function show(replica, list, { row, section, signal, around = (_, update) => update() }) {
  const first = list.lastChild // what comes later at its end, such as a row that fades out, is behind the rows
  const rows = new Map() // item id -> { node, item }
  let homes = new Map() // section id -> { element, top, content }; in order
  let shown

  /** Carries out a change, or, if it is not the next one, all that is between what is shown and the replica. */
  function update({ kind, snapshot, previous, removed, added, changed }) {
    const isNext = kind === 'delta' && previous === shown && snapshot === replica.snapshot
    shown = replica.snapshot
    for (const id of isNext ? removed : [...rows.keys()]) {
      if (replica.item(id)) continue
      rows.get(id).node.remove()
      rows.delete(id)
    }
    const old = homes
    arrange()
    for (const section of isNext ? [] : homes.keys()) replica.ids(section).forEach((id, at) => put(section, at, id))
    if (isNext) for (const place of added) put(...place)
    for (const [id, { element }] of old) if (!homes.has(id) && element !== list) element.remove()
    for (const id of isNext ? changed : rows.keys()) redraw(id)
  }

  /** Makes and moves the elements of sections; those that are gone stay until their rows have left them. */
  function arrange() {
    const old = homes
    const stay = kept([...old.keys()], replica.order)
    let previous
    homes = new Map()
    for (const [at, id] of replica.order.entries()) {
      const content = shown.sections[at]
      const held = old.get(id)
      let element = held?.element
      if (held?.content !== content) element = section?.(content, element) ?? element
      element ??= id ? document.createElement('section') : list
      homes.set(id, { top: element === list ? first : element.lastChild, ...held, element, content })
      if (element !== list && !stay.has(id)) place(list, element, previous)
      previous = element
    }
  }

  /** Puts a row behind the one before it, which is in its place by then. */
  function put(section, at, id) {
    const { element, top } = homes.get(section)
    const item = replica.item(id)
    if (!rows.has(id)) rows.set(id, { item, node: row(item, id) })
    place(element, rows.get(id).node, at ? rows.get(replica.ids(section)[at - 1]).node : top)
  }

  function redraw(id) {
    const { node, item: old } = rows.get(id)
    const item = replica.item(id)
    if (item === old) return
    const drawn = row(item, id, node)
    if (drawn !== node) node.replaceWith(drawn)
    rows.set(id, { item, node: drawn })
  }

  const listener = ({ detail }) => detail && around(detail, () => update(detail))
  replica.addEventListener('change', listener, { signal })
  update({})
}
