import DeltaEngine

// These methods keep `homes` and `byteCount` up to date.
extension Draft {
  /// The most items that are looked up one by one; for more, their sections are scanned once.
  private static let lookedUpMax = 16

  /// Returns the position of an item.
  ///
  /// - Complexity: O(*m* + *s*), where *m* is the number of items in its section and *s* that of
  ///   sections.
  func find(item id: UInt32) -> (section: Int, item: Int)? {
    guard let home = homes[id], let section = find(section: home),
      let item = sections[section].items.firstIndex(where: { $0.id == id })
    else { return nil }
    return (section, item)
  }

  func find(item text: [UInt8]) -> (section: Int, item: Int)? {
    ids.find(text[...]).flatMap { find(item: $0) }
  }

  func number(ofItem text: [UInt8]) -> UInt32? {
    ids.find(text[...]).flatMap { homes[$0] == nil ? nil : $0 }
  }

  mutating func insert(_ items: [Item], section: Int, at index: Int) {
    sections[section].items.insert(contentsOf: items, at: index)
    for item in items {
      homes[item.id] = sections[section].id
      byteCount += json(item).count
    }
  }

  /// Removes existing items and returns them.
  ///
  /// - Returns: The items, in the order of `ids`.
  /// - Complexity: O(*n* + *k*) for *k* items in sections of *n* items.
  mutating func take(_ ids: [UInt32]) -> [Item] {
    let taken = ids.count <= Self.lookedUpMax ? takeEach(ids) : takeAll(ids)
    for item in taken {
      homes[item.id] = nil
      byteCount -= json(item).count
    }
    return taken
  }

  /// Removes existing items.
  ///
  /// - Complexity: O(*n* + *k*) for *k* items in sections of *n* items.
  mutating func remove(_ ids: [UInt32]) {
    guard ids.count > Self.lookedUpMax else {
      _ = take(ids)
      return
    }
    let touched = indices(ofSectionsWith: ids)
    for id in ids { homes[id] = nil }
    for section in touched {
      var kept: [Item] = []
      for item in sections[section].items {
        if homes[item.id] == nil {
          byteCount -= json(item).count
        } else {
          kept.append(item)
        }
      }
      sections[section].items = kept
    }
  }

  private mutating func takeEach(_ ids: [UInt32]) -> [Item] {
    ids.compactMap { id in
      find(item: id).map { sections[$0.section].items.remove(at: $0.item) }
    }
  }

  private mutating func takeAll(_ ids: [UInt32]) -> [Item] {
    let touched = indices(ofSectionsWith: ids)
    for id in ids { homes[id] = nil }
    var taken: [UInt32: Item] = [:]
    taken.reserveCapacity(ids.count)
    for section in touched {
      sections[section].items.removeAll { [homes] item in
        guard homes[item.id] == nil else { return false }
        taken[item.id] = item
        return true
      }
    }
    return ids.compactMap { taken[$0] }
  }

  /// Updates existing items without changing their ids.
  ///
  /// - Complexity: O(*n* + *k*) for *k* items in sections of *n* items.
  mutating func update(_ ids: [UInt32], _ body: (inout Item, inout Draft) -> Void) {
    if ids.count <= Self.lookedUpMax {
      for id in ids {
        if let place = find(item: id) { update(place.section, place.item, body) }
      }
      return
    }
    // Numbers are small: to look them up costs less than to hash every item's.
    var wanted = ItemSections()
    for id in ids { wanted[id] = 0 }
    for section in indices(ofSectionsWith: ids) {
      for index in sections[section].items.indices
      where wanted[sections[section].items[index].id] != nil {
        update(section, index, body)
      }
    }
  }

  /// Updates an item without changing its id.
  mutating func update(
    _ section: Int, _ index: Int, _ body: (inout Item, inout Draft) -> Void
  ) {
    var item = sections[section].items[index]
    byteCount -= json(item).count
    body(&item, &self)
    byteCount += json(item).count
    sections[section].items[index] = item
  }

  private func indices(ofSectionsWith items: [UInt32]) -> [Int] {
    let touched = Set(items.compactMap { homes[$0] })
    return sections.indices.filter { touched.contains(sections[$0].id) }
  }
}

extension Draft {
  func find(section id: UInt32) -> Int? { sections.firstIndex { $0.id == id } }

  func find(section text: [UInt8]) -> Int? {
    ids.find(text[...]).flatMap { find(section: $0) }
  }

  mutating func insert(_ section: Section, at index: Int) {
    sections.insert(section, at: index)
    byteCount += json(section).count
    for item in section.items {
      homes[item.id] = section.id
      byteCount += json(item).count
    }
  }

  mutating func removeSection(at index: Int) {
    let section = sections.remove(at: index)
    byteCount -= json(section).count
    for item in section.items {
      homes[item.id] = nil
      byteCount -= json(item).count
    }
  }

  mutating func setHeader(_ json: ArraySlice<UInt8>, _ content: ContentHash, ofSection index: Int) {
    byteCount += json.count - self.json(sections[index]).count
    sections[index].header = content
    sections[index].source = add(json)
  }

  /// Whether `homes` and `byteCount` match the items.
  func isConsistent() -> Bool {
    let bytes = sections.reduce(metaByteCount) { sum, section in
      section.items.reduce(sum + json(section).count) { $0 + json($1).count }
    }
    return homes.isConsistent(with: sections) && bytes == byteCount
  }
}

extension ItemSections {
  /// Creates an index of the items of some sections.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  init(_ sections: [Draft.Section]) {
    self.init()
    for section in sections {
      for item in section.items { self[item.id] = section.id }
    }
  }

  /// Whether the index contains exactly the items of some sections.
  func isConsistent(with sections: [Draft.Section]) -> Bool {
    sections.allSatisfy { section in section.items.allSatisfy { self[$0.id] == section.id } }
      && count == sections.reduce(0) { $0 + $1.items.count }
  }
}
