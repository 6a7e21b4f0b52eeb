import DeltaEngine
import SnapshotJSON

extension Draft {
  /// Applies edits in order, checking the limits after each.
  ///
  /// - Throws: The first error; the draft must then be discarded.
  mutating func apply(_ list: EditList, using tools: EditTools) throws(ServiceError) {
    beginEditing()
    for edit in list.edits {
      do throws(EditFault) {
        try apply(edit.operation, tools)
      } catch {
        throw error.failure(of: edit)
      }
      try checkSize(tools.limits, at: edit.pointer)
    }
    assert(isConsistent(), "a draft's index says otherwise than its items")
  }

  /// Throws if the draft exceeds a limit; `pointer` leads to the edit that made it.
  private func checkSize(_ limits: ServiceLimits, at pointer: String) throws(ServiceError) {
    guard homes.count <= limits.itemsMax else {
      throw .badSnapshot(.tooManyItems(homes.count, limit: limits.itemsMax, at: pointer))
    }
    guard sections.count <= limits.sectionsMax else {
      throw .badSnapshot(.tooManySections(sections.count, limit: limits.sectionsMax, at: pointer))
    }
    guard byteCount <= limits.collectionBytesMax else {
      throw .limitPassed(.contents(limits, at: pointer))
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
    case .delete(let ids, let ignoresMissing): try delete(ids, ignoresMissing)
    case .reload(let ids): try reload(ids, tools)
    case .insertSection(let snapshot, let position): try insertSection(snapshot, position)
    case .moveSection(let id, let position): try moveSection(id, position)
    case .updateSection(let id, let value): try updateSection(id, value, tools)
    case .deleteSection(let id, let ignoresMissing): try deleteSection(id, ignoresMissing)
    }
  }

  // MARK: Items

  private mutating func insert(_ snapshot: Snapshot, _ place: Edit.Place) throws(EditFault) {
    let items = items(of: snapshot)
    try refuseKnown(items)
    let (section, index) = try resolve(place)
    insert(items, section: section, at: index)
  }

  private func refuseKnown(_ items: [Item]) throws(EditFault) {
    for item in items where homes[item.id] != nil {
      throw .conflict("/items", "there is an item \(quoted(ids.text(item.id))) already")
    }
  }

  private mutating func upsert(_ snapshot: Snapshot, _ place: Edit.Place) throws(EditFault) {
    var new: [Item] = []
    var known: [UInt32: Item] = [:]
    for item in items(of: snapshot) {
      if homes[item.id] == nil { new.append(item) } else { known[item.id] = item }
    }
    update(Array(known.keys)) { item, _ in item = known[item.id] ?? item }
    let (section, index) = try resolve(place)
    insert(new, section: section, at: index)
  }

  private mutating func merge(
    _ id: [UInt8], _ value: JSONValue, _ tools: EditTools
  ) throws(EditFault) {
    let (section, index) = try locate(id)
    let held = sections[section].items[index]
    try countMerge(of: value, into: json(held), tools)
    let merged = try tools.item(merging: value, into: json(held))
    guard ids.isText(held.id, merged.bytes(merged.items[0].id).span) else {
      throw .bad("/value/id", "the id cannot change")
    }
    update(section, index) { item, draft in item = draft.items(of: merged)[0] }
  }

  /// Throws if all merges of a request together process too many bytes; each one copies its target.
  private mutating func countMerge(
    of patch: JSONValue, into target: ArraySlice<UInt8>, _ tools: EditTools
  ) throws(EditFault) {
    mergedByteCount += target.count + patch.range.count
    let limit = tools.limits.collectionBytesMax
    guard mergedByteCount <= limit else {
      throw .limitPassed(
        PassedLimit(
          .bytes, "", "the merges up to this one rewrite more than \(limit) bytes", limit: limit))
    }
  }

  private mutating func move(_ texts: [[UInt8]], _ place: Edit.Place) throws(EditFault) {
    let home = place.section == nil ? try resolve(place).section : nil
    let homeID = home.map { sections[$0].id }
    let moved = take(try numbers(of: texts, ignoresMissing: false))
    var place = place
    if let homeID, case .at = place.position { place.section = Array(ids.text(homeID)) }
    let (section, index) = try resolve(place)
    insert(moved, section: section, at: index)
  }

  private mutating func delete(
    _ texts: [[UInt8]], _ ignoresMissing: Bool
  ) throws(EditFault) {
    remove(try numbers(of: texts, ignoresMissing: ignoresMissing))
  }

  private mutating func reload(_ texts: [[UInt8]], _ tools: EditTools) throws(EditFault) {
    update(try numbers(of: texts, ignoresMissing: false)) { item, draft in
      item.content = draft.overrides.reload(item.id, current: item.content) { tools.reloadHash($0) }
    }
  }

  /// The numbers of existing items.
  private func numbers(
    of texts: [[UInt8]], ignoresMissing: Bool
  ) throws(EditFault) -> [UInt32] {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(texts.count)
    for text in texts {
      if let number = number(ofItem: text) {
        numbers.append(number)
      } else if !ignoresMissing {
        throw .unknownItem(text)
      }
    }
    return numbers
  }

  // MARK: Sections

  private mutating func insertSection(
    _ snapshot: Snapshot, _ position: Edit.Position
  ) throws(EditFault) {
    guard let section = section(of: snapshot) else { throw .bad("", "there is no section") }
    guard find(section: section.id) == nil else {
      throw .conflict("/id", "there is a section \(quoted(ids.text(section.id))) already")
    }
    try refuseKnown(section.items)
    insert(section, at: try resolve(position))
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
    try countMerge(of: value, into: json(sections[index]), tools)
    let merged = try tools.section(merging: value, into: json(sections[index]))
    let section = merged.sections[0]
    guard ids.isText(sections[index].id, merged.bytes(section.id).span) else {
      throw .bad("/value/id", "the id cannot change")
    }
    setHeader(merged.bytes(section.header), section.content, ofSection: index)
  }

  private mutating func deleteSection(
    _ text: [UInt8], _ ignoresMissing: Bool
  ) throws(EditFault) {
    if ignoresMissing, find(section: text) == nil { return }
    removeSection(at: try locate(section: text))
  }

  // MARK: Places

  private func locate(_ text: [UInt8]) throws(EditFault) -> (section: Int, item: Int) {
    guard let place = find(item: text) else { throw .unknownItem(text) }
    return place
  }

  /// The section with an id; without an id, the only section.
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
