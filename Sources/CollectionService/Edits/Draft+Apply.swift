import DeltaEngine
import SnapshotJSON

/// Why an edit did not go through.
enum EditFailure: Error {
  /// It does not fit the collection.
  case conflict(EditConflict)
  /// What came of it is no item or section.
  case bad(SnapshotError)
}

extension Draft {
  /// Applies edits in order.
  ///
  /// - Throws: The first failure; the draft is then to be dropped.
  mutating func apply(_ list: EditList, using tools: EditTools) throws(EditFailure) {
    for edit in list.edits {
      do throws(EditFault) {
        try apply(edit.operation, tools)
      } catch {
        throw error.failure(of: edit)
      }
    }
  }

  private mutating func apply(
    _ operation: Edit.Operation, _ tools: EditTools
  ) throws(EditFault) {
    switch operation {
    case .insert(let snapshot, let place): try insert(snapshot, place)
    case .upsert(let snapshot, let place): try upsert(snapshot, place)
    case .merge(let id, let value): try merge(id, value, tools)
    case .move(let ids, let place): try move(ids, place)
    case .swap(let first, let second): try swap(first, second)
    case .delete(let ids, let ignoresMissing): try delete(ids, ignoresMissing)
    case .reload(let ids): try reload(ids, tools)
    case .insertSection(let snapshot, let position): try insertSection(snapshot, position)
    case .moveSection(let id, let position): try moveSection(id, position)
    case .updateSection(let id, let value): try updateSection(id, value, tools)
    case .deleteSection(let id, let ignoresMissing): try deleteSection(id, ignoresMissing)
    case .reverse(let section): try reverse(section)
    }
  }

  // MARK: Items

  private mutating func insert(_ snapshot: Snapshot, _ place: Edit.Place) throws(EditFault) {
    let items = items(of: snapshot)
    for item in items where find(item: item.id) != nil {
      throw .conflict("/items", "there is an item \(quoted(ids.text(item.id))) already")
    }
    let (section, index) = try resolve(place)
    sections[section].items.insert(contentsOf: items, at: index)
  }

  private mutating func upsert(_ snapshot: Snapshot, _ place: Edit.Place) throws(EditFault) {
    var new: [Item] = []
    for item in items(of: snapshot) {
      if let (section, index) = find(item: item.id) {
        sections[section].items[index] = item
      } else {
        new.append(item)
      }
    }
    let (section, index) = try resolve(place)
    sections[section].items.insert(contentsOf: new, at: index)
  }

  private mutating func merge(
    _ id: [UInt8], _ value: JSONValue, _ tools: EditTools
  ) throws(EditFault) {
    let (section, index) = try locate(id)
    let held = sections[section].items[index]
    let merged = try tools.item(merging: value, into: json(held))
    guard ids.isText(held.id, merged.bytes(merged.items[0].id)) else {
      throw .bad("/value/id", "the id cannot change")
    }
    sections[section].items[index] = items(of: merged)[0]
  }

  private mutating func move(_ texts: [[UInt8]], _ place: Edit.Place) throws(EditFault) {
    var moved: [Item] = []
    let home = place.section == nil ? try resolve(place).section : nil
    let homeID = home.map { sections[$0].id }
    for text in texts {
      let (section, index) = try locate(text)
      moved.append(sections[section].items.remove(at: index))
    }
    var place = place
    if let homeID, case .at = place.position { place.section = Array(ids.text(homeID)) }
    let (section, index) = try resolve(place)
    sections[section].items.insert(contentsOf: moved, at: index)
  }

  private mutating func swap(_ first: [UInt8], _ second: [UInt8]) throws(EditFault) {
    let (a, b) = (try locate(first), try locate(second))
    let item = sections[a.section].items[a.item]
    sections[a.section].items[a.item] = sections[b.section].items[b.item]
    sections[b.section].items[b.item] = item
  }

  private mutating func delete(
    _ texts: [[UInt8]], _ ignoresMissing: Bool
  ) throws(EditFault) {
    for text in texts {
      guard let (section, index) = find(item: text) else {
        if ignoresMissing { continue }
        throw .unknownItem(text)
      }
      sections[section].items.remove(at: index)
    }
  }

  private mutating func reload(_ texts: [[UInt8]], _ tools: EditTools) throws(EditFault) {
    for text in texts {
      let (section, index) = try locate(text)
      let item = sections[section].items[index]
      sections[section].items[index].content = forced.force(item.id, current: item.content) {
        tools.forced($0)
      }
    }
  }

  private mutating func reverse(_ text: [UInt8]?) throws(EditFault) {
    let section = try locate(section: text)
    sections[section].items.reverse()
  }

  // MARK: Sections

  private mutating func insertSection(
    _ snapshot: Snapshot, _ position: Edit.Position
  ) throws(EditFault) {
    guard let section = section(of: snapshot) else { throw .bad("", "there is no section") }
    guard !sections.contains(where: { $0.id == section.id }) else {
      throw .conflict("/id", "there is a section \(quoted(ids.text(section.id))) already")
    }
    for item in section.items where find(item: item.id) != nil {
      throw .conflict("/items", "there is an item \(quoted(ids.text(item.id))) already")
    }
    sections.insert(section, at: try resolve(position))
  }

  private mutating func moveSection(
    _ text: [UInt8], _ position: Edit.Position
  ) throws(EditFault) {
    let section = sections.remove(at: try locate(section: text))
    sections.insert(section, at: try resolve(position))
  }

  private mutating func updateSection(
    _ text: [UInt8], _ value: JSONValue, _ tools: EditTools
  ) throws(EditFault) {
    let index = try locate(section: text)
    guard value["items"] == nil else {
      throw .bad("/value/items", "items have edits of their own")
    }
    let merged = try tools.section(merging: value, into: json(sections[index]))
    let section = merged.sections[0]
    guard ids.isText(sections[index].id, merged.bytes(section.id)) else {
      throw .bad("/value/id", "the id cannot change")
    }
    sections[index].header = section.content
    sections[index].source = add(merged.bytes(section.header))
  }

  private mutating func deleteSection(
    _ text: [UInt8], _ ignoresMissing: Bool
  ) throws(EditFault) {
    if ignoresMissing, find(section: text) == nil { return }
    sections.remove(at: try locate(section: text))
  }

  // MARK: Places

  private func locate(_ text: [UInt8]) throws(EditFault) -> (section: Int, item: Int) {
    guard let place = find(item: text) else { throw .unknownItem(text) }
    return place
  }

  /// The section of an id; without one, the only section there is.
  private func locate(section text: [UInt8]?) throws(EditFault) -> Int {
    if let text {
      guard let section = find(section: text) else {
        throw .conflict("", "there is no section \(quoted(text[...]))")
      }
      return section
    }
    guard sections.count == 1 else {
      throw .bad("", "there are \(sections.count) sections: the edit must name one")
    }
    return 0
  }

  private func resolve(_ place: Edit.Place) throws(EditFault) -> (section: Int, item: Int) {
    switch place.position {
    case .before(let anchor):
      return try locate(anchor: anchor, in: place.section)
    case .after(let anchor):
      let (section, index) = try locate(anchor: anchor, in: place.section)
      return (section, index + 1)
    case .first: return (try locate(section: place.section), 0)
    case .last:
      let section = try locate(section: place.section)
      return (section, sections[section].items.count)
    case .at(let index):
      let section = try locate(section: place.section)
      let count = sections[section].items.count
      guard index <= count else {
        throw .conflict("/at", "the section has \(count) items: there is no place \(index)")
      }
      return (section, index)
    }
  }

  private func locate(
    anchor: [UInt8], in text: [UInt8]?
  ) throws(EditFault) -> (section: Int, item: Int) {
    let place = try locate(anchor)
    if let text, try locate(section: text) != place.section {
      throw .conflict("", "the item \(quoted(anchor[...])) is in another section")
    }
    return place
  }

  private func resolve(_ position: Edit.Position) throws(EditFault) -> Int {
    switch position {
    case .first: return 0
    case .last: return sections.count
    case .before(let anchor): return try locate(section: anchor)
    case .after(let anchor): return try locate(section: anchor) + 1
    case .at(let index):
      guard index <= sections.count else {
        throw .conflict("/at", "there are \(sections.count) sections: there is no place \(index)")
      }
      return index
    }
  }
}

/// A failure at a place within an edit.
enum EditFault: Error {
  case conflict(String, String)
  case bad(String, String)
  case badContent(SnapshotError)

  static func unknownItem(_ text: [UInt8]) -> EditFault {
    .conflict("", "there is no item \(quoted(text[...]))")
  }

  /// The failure of what is not about one edit.
  var ofWhole: ServiceError {
    switch self {
    case .conflict(_, let detail): .badSnapshot(SnapshotError(.badSnapshot, "", detail))
    case .bad(let place, let detail): .badSnapshot(SnapshotError(.badSnapshot, place, detail))
    case .badContent(let error): .badSnapshot(error)
    }
  }

  func failure(of edit: Edit) -> EditFailure {
    switch self {
    case .conflict(let place, let detail):
      .conflict(EditConflict(pointer: edit.pointer + place, detail: detail))
    case .bad(let place, let detail):
      .bad(SnapshotError(.badSnapshot, edit.pointer + place, detail))
    case .badContent(let error):
      .bad(error.moved(from: "", to: edit.pointer + "/value"))
    }
  }
}

private func quoted(_ text: ArraySlice<UInt8>) -> String {
  "\"\(String(decoding: text, as: UTF8.self))\""
}
