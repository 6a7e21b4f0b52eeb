package import TestSupport

/// `staged`: each step as a list view performs it, deletes and move sources in the list before it,
/// inserts and move destinations in the list after it.
package func applyStaged(_ delta: JSONTree, _ held: HeldList) throws -> HeldList {
  let reader = try EnvelopeReader(delta, held)
  var sections = held.sections
  for step in try known(delta["steps"]).elements {
    try reload(step["reload"], &sections, reader)
    sections = try restructured(sections, step, reader)
    let counts = try known(step["counts"]).elements.map { try known($0.int) }
    guard counts == sections.map(\.rows.count) else {
      throw Misfit(reason: "counts \(counts), not \(sections.map(\.rows.count))")
    }
  }
  return HeldList(sections: sections, meta: reader.meta)
}

/// Contents are drawn anew in the list before the step.
private func reload(
  _ operations: JSONTree, _ sections: inout [HeldList.Section], _ reader: EnvelopeReader
) throws {
  for entry in operations["sections"].elements {
    let index = try known(entry.elements[0].int)
    guard sections.indices.contains(index) else { throw Misfit(reason: "no section \(index)") }
    sections[index].header = try reader.newHeader(known(entry.elements[1].string))
    // A section that is drawn anew draws its items anew: those with new content show it.
    for row in sections[index].rows.indices {
      if let new = try? reader.newRow(sections[index].rows[row].id) {
        sections[index].rows[row] = new
      }
    }
  }
  for entry in operations["items"].elements {
    let at = try path(entry)
    let new = try reader.newRow(known(entry.elements[2].string))
    guard try row(at: at, in: sections).id == new.id else {
      throw Misfit(reason: "reload of another item: \(entry.text)")
    }
    sections[at.section].rows[at.item] = new
  }
}

private func row(
  at place: (section: Int, item: Int), in sections: [HeldList.Section]
) throws -> HeldList.Row {
  guard sections.indices.contains(place.section),
    sections[place.section].rows.indices.contains(place.item)
  else { throw Misfit(reason: "no item at \(place)") }
  return sections[place.section].rows[place.item]
}

private func path(_ entry: JSONTree, from index: Int = 0) throws -> (section: Int, item: Int) {
  (try known(entry.elements[index].int), try known(entry.elements[index + 1].int))
}

/// What a list view does of a batch: it takes out what goes and what moves, by the old indices from
/// the end, and puts in what comes and what moved, by the new indices ascending.
private func restructured(
  _ before: [HeldList.Section], _ step: JSONTree, _ reader: EnvelopeReader
) throws -> [HeldList.Section] {
  var sections = before
  var lifted: [(section: Int, item: Int, row: HeldList.Row)] = []
  for entry in step["insert"]["items"].elements {
    let at = try path(entry)
    lifted.append((at.section, at.item, try reader.newRow(known(entry.elements[2].string))))
  }
  var out: [(section: Int, item: Int)] = try step["delete"]["items"].elements.map {
    try path($0)
  }
  for entry in step["move"]["items"].elements {
    let to = try path(entry, from: 2)
    out.append(try path(entry))
    lifted.append((to.section, to.item, try row(at: path(entry), in: before)))
  }
  for at in out.sorted(by: { $0 > $1 }) {
    _ = try row(at: at, in: sections)
    sections[at.section].rows.remove(at: at.item)
  }
  sections = try withSectionsPlaced(sections, step, reader)
  for entry in lifted.sorted(by: { ($0.section, $0.item) < ($1.section, $1.item) }) {
    guard sections.indices.contains(entry.section),
      0...sections[entry.section].rows.count ~= entry.item
    else {
      throw Misfit(reason: "an item behind the end")
    }
    sections[entry.section].rows.insert(entry.row, at: entry.item)
  }
  return sections
}

private func withSectionsPlaced(
  _ sections: [HeldList.Section], _ step: JSONTree, _ reader: EnvelopeReader
) throws -> [HeldList.Section] {
  var placed: [(at: Int, section: HeldList.Section)] = []
  var out = try step["delete"]["sections"].elements.map { try known($0.int) }
  for entry in step["move"]["sections"].elements {
    let from = try known(entry.elements[0].int)
    guard sections.indices.contains(from) else { throw Misfit(reason: "no section \(from)") }
    out.append(from)
    placed.append((try known(entry.elements[1].int), sections[from]))
  }
  for entry in step["insert"]["sections"].elements {
    let id = try known(entry["id"].string)
    let rows = try known(entry["items"]).elements.map { try reader.newRow(known($0.string)) }
    let section = HeldList.Section(id: id, header: try reader.newHeader(id), rows: rows)
    placed.append((try known(entry["at"].int), section))
  }
  var result = sections
  guard out.allSatisfy(sections.indices.contains) else { throw Misfit(reason: "no section") }
  for index in out.sorted(by: >) { result.remove(at: index) }
  for entry in placed.sorted(by: { $0.at < $1.at }) {
    guard entry.at <= result.count else { throw Misfit(reason: "a section behind the end") }
    result.insert(entry.section, at: entry.at)
  }
  return result
}
