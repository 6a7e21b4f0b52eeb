package import TestSupport

/// Turns what a client holds into what a delta leads to.
package typealias Applier = @Sendable (_ delta: JSONTree, _ held: HeldList) throws -> HeldList

/// `splice`: out with what goes, sections into order, in with what comes.
package func applySplice(_ delta: JSONTree, _ held: HeldList) throws -> HeldList {
  let reader = try EnvelopeReader(delta, held)
  let removed = Set(try reader.strings("removed"))
  let changed = Set(try reader.strings("changed"))
  let before = held.sectionsByID
  var result = HeldList(sections: [], meta: reader.meta)
  for id in try reader.strings("order") {
    let rows = before[id]?.rows.filter { !removed.contains($0.id) } ?? []
    result.sections.append(
      HeldList.Section(
        id: id, header: try reader.header(id),
        rows: try rows.map { try reader.row($0.id, changed: changed) }))
  }
  for entry in try known(delta["added"]).elements {
    let section = try known(result.sections.firstIndex { $0.id == entry.elements[0].string })
    let index = try known(entry.elements[1].int)
    guard index <= result.sections[section].rows.count else {
      throw Misfit(reason: "added behind the end: \(entry.text)")
    }
    let id = try known(entry.elements[2].string)
    result.sections[section].rows.insert(try reader.row(id, changed: changed), at: index)
  }
  return result
}

/// `diffable`: the ids say it all.
package func applyDiffable(_ delta: JSONTree, _ held: HeldList) throws -> HeldList {
  let reader = try EnvelopeReader(delta, held)
  let changed = Set(try reader.strings("reconfigure"))
  let sections = try known(delta["order"]).elements.map { pair in
    let id = try known(pair.elements[0].string)
    return HeldList.Section(
      id: id, header: try reader.header(id),
      rows: try pair.elements[1].elements.map {
        try reader.row(known($0.string), changed: changed)
      })
  }
  return HeldList(sections: sections, meta: reader.meta)
}

/// `ops` as a `RecyclerView` performs them.
///
/// Rows are items, and with `countsHeaders` headers too; without, all that is known of sections is
/// lost, and the result has one.
package func applyOps(_ delta: JSONTree, _ held: HeldList, countsHeaders: Bool) throws -> HeldList {
  enum FlatRow {
    case header(String, JSONTree)
    case item(HeldList.Row)
  }
  let reader = try EnvelopeReader(delta, held)
  func newRow(_ entry: JSONTree) throws -> FlatRow {
    if let id = entry.string { return .item(try reader.row(id, changed: [id])) }
    guard entry.elements.count == 2, entry.elements[0].string == "s", countsHeaders else {
      throw Misfit(reason: "no row: \(entry.text)")
    }
    let id = try known(entry.elements[1].string)
    return .header(id, try reader.newHeader(id))
  }
  var rows: [FlatRow] = []
  for section in held.sections {
    if countsHeaders { rows.append(.header(section.id, section.header)) }
    rows += section.rows.map { .item($0) }
  }
  for operation in try known(delta["ops"]).elements {
    let parts = operation.elements
    let index = try known(parts[1].int)
    switch parts[0].string {
    case "r":
      let end = index + (try known(parts[2].int))
      guard index < end, end <= rows.count else { throw Misfit(reason: operation.text) }
      rows.removeSubrange(index..<end)
    case "m":
      let to = try known(parts[2].int)
      guard rows.indices.contains(index), rows.indices.contains(to), index != to else {
        throw Misfit(reason: operation.text)
      }
      rows.insert(rows.remove(at: index), at: to)
    case "i":
      guard index <= rows.count else { throw Misfit(reason: operation.text) }
      rows.insert(contentsOf: try parts[2].elements.map(newRow), at: index)
    case "c":
      for (offset, entry) in parts[2].elements.enumerated() {
        guard rows.indices.contains(index + offset) else { throw Misfit(reason: operation.text) }
        rows[index + offset] = try newRow(entry)
      }
    default: throw Misfit(reason: operation.text)
    }
  }
  var result = HeldList(sections: [], meta: reader.meta)
  if !countsHeaders {
    result.sections.append(HeldList.Section(id: "", header: .object([:]), rows: []))
  }
  for row in rows {
    switch row {
    case .header(let id, let header):
      result.sections.append(HeldList.Section(id: id, header: header, rows: []))
    case .item(let row):
      guard !result.sections.isEmpty else { throw Misfit(reason: "an item above all headers") }
      result.sections[result.sections.count - 1].rows.append(row)
    }
  }
  return result
}
