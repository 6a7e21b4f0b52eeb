// Edits of sections.

extension EditableSections {
  /// Inserts sections with their items, in their order.
  ///
  /// - Throws: `EditError.duplicateSection` or `.duplicateItem`, and `.indexOutOfRange`,
  ///   `.unknownItem` or `.unknownSection` for the position.
  public mutating func insertSections(
    _ new: [SectionType], at position: ListPosition<SectionID>
  ) throws(EditError) {
    let index = try position.index(among: sections.lazy.map(\.uniqueID), EditError.unknownSection)
    var known = Set(sections.lazy.map(\.uniqueID))
    var homes = homes
    for section in new {
      guard known.insert(section.uniqueID).inserted else {
        throw .duplicateSection("\(section.uniqueID)")
      }
      for item in section.items
      where homes.updateValue(section.uniqueID, forKey: item.uniqueID) != nil {
        throw .duplicateItem("\(item.uniqueID)")
      }
    }
    self.homes = homes
    sections.insert(contentsOf: new, at: index)
  }

  /// Deletes sections, with their items.
  ///
  /// - Throws: `EditError.unknownSection`.
  public mutating func deleteSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    let ids = Set(ids)
    for id in ids { _ = try knownSection(id) }
    for section in sections where ids.contains(section.uniqueID) {
      for item in section.items { homes[item.uniqueID] = nil }
    }
    sections.removeAll { ids.contains($0.uniqueID) }
  }

  /// Deletes all sections, with their items.
  public mutating func deleteAll() {
    sections = []
    homes = [:]
  }

  /// Moves a section, with its items.
  ///
  /// - Throws: `EditError.unknownSection`, and `.indexOutOfRange`, `.unknownItem` or
  ///   `.unknownSection` for the position.
  public mutating func moveSection(
    _ id: SectionID, to position: ListPosition<SectionID>
  ) throws(EditError) {
    var rest = sections
    let section = rest.remove(at: try knownSection(id))
    let index = try position.index(among: rest.lazy.map(\.uniqueID), EditError.unknownSection)
    rest.insert(section, at: index)
    sections = rest
  }

  /// Replaces the section with the same id, header and items.
  ///
  /// - Throws: `EditError.unknownSection`, `.duplicateItem`.
  public mutating func updateSection(_ section: SectionType) throws(EditError) {
    var copy = self
    let index = try copy.knownSection(section.uniqueID)
    try copy.deleteSections([section.uniqueID])
    try copy.insertSections([section], at: .at(index))
    self = copy
  }

  /// Replaces the headers and items with the same ids, in their places, and appends the other sections, and the other
  /// items of each section at its end.
  ///
  /// - Throws: `EditError.duplicateSection` or `.duplicateItem` when two of them have one id.
  public mutating func upsertSections(_ new: [SectionType]) throws(EditError) {
    var copy = self
    // Of what comes, ids are unique.
    _ = try EditableSections(new)
    for var section in new {
      let (id, items) = (section.uniqueID, section.items)
      if let index = copy.sectionIndex(of: id) {
        section.items = copy.sections[index].items
        copy.sections[index] = section
      } else {
        section.items = []
        copy.sections.append(section)
      }
      try copy.upsertItems(items, at: .last(in: id))
    }
    self = copy
  }

  /// Reverses the order of the sections.
  public mutating func reverseSections() { sections.reverse() }

  /// Reloads sections although they are equal.
  ///
  /// - Throws: `EditError.unknownSection`.
  public mutating func reloadSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    let ids = Set(ids)
    try checkPresence(ofSections: ids)
    sectionReloads.formUnion(ids)
  }

  func checkPresence(ofSections ids: some Sequence<SectionID>) throws(EditError) {
    for id in ids { _ = try knownSection(id) }
  }
}
