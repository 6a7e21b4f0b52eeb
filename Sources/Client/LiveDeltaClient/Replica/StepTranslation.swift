import DeltaEngine
import LiveCollections

/// Translates the steps of a wire delta, which name what comes by id, to the engine's, which use
/// positions, and performs them.
///
/// Every position is checked before it is used: an invalid one is an error, never a trap.
struct StepTranslation {
  private let wire: WireDelta
  /// The sections before the first step, and after each.
  private(set) var stages: [[ReplicaSection]]
  /// The steps; what they insert is at positions among what arrives with each, until `delta()`.
  private var steps: [DeltaStep] = []

  /// Performs the steps.
  ///
  /// - Throws: `ReplicaError.badDelta` if a position, an id or a count is wrong.
  init(_ wire: WireDelta, from source: [ReplicaSection]) throws(ReplicaError) {
    (self.wire, stages) = (wire, [source])
    for (number, step) in wire.steps.enumerated() {
      do throws(DeltaMismatch) {
        try perform(step, on: stages[number])
      } catch {
        throw .badDelta(step: number, reason: error.reason)
      }
    }
  }

  private mutating func perform(
    _ wire: WireStep, on before: [ReplicaSection]
  ) throws(DeltaMismatch) {
    var step = DeltaStep()
    step.delete.sections = wire.deletedSections
    step.delete.items = wire.deletedItems
    step.move.sections = wire.movedSections
    step.move.items = wire.movedItems
    step.itemCounts = wire.counts
    // What arrives, as a list of its own: the inserted sections, then one of single items.
    var arriving: [ReplicaSection] = []
    for insert in wire.insertedSections {
      step.insert.sections.append(
        SectionInsert(
          at: insert.at, target: SectionIndex(arriving.count), items: Array(insert.items.indices)))
      var section = try header(insert.id)
      section.items = try insert.items.map(item)
      arriving.append(section)
    }
    step.insert.items = wire.insertedItems.enumerated().map {
      ItemInsert(at: $1.at, target: ItemPath(section: arriving.count, item: $0))
    }
    arriving.append(
      ReplicaSection(
        flat: try wire.insertedItems.map { insert throws(DeltaMismatch) in try item(insert.id) }))
    try StepValidation(
      step: step, before: before.map(\.items.count), target: arriving.map(\.items.count)
    ).check()
    stages.append(step.content(after: try reloaded(before, wire), arriving))
    steps.append(step)
  }

  /// Replaces contents at their old positions; a section is reloaded with its items.
  private func reloaded(
    _ before: [ReplicaSection], _ step: WireStep
  ) throws(DeltaMismatch) -> [ReplicaSection] {
    var list = before
    for reload in step.reloadedSections {
      let index = reload.at.index
      guard list.indices.contains(index), list[index].id == reload.id else {
        throw DeltaMismatch(reason: "section \(index) to reload is not \"\(reload.id)\"")
      }
      var section = try header(reload.id)
      section.items = list[index].items.map { wire.items[$0.id] ?? $0 }
      list[index] = section
    }
    for reload in step.reloadedItems {
      guard list.item(at: reload.at)?.id == reload.id else {
        throw DeltaMismatch(reason: "item \(reload.at) to reload is not \"\(reload.id)\"")
      }
      list[reload.at.section].items[reload.at.item] = try item(reload.id)
    }
    return list
  }

  private func item(_ id: ReplicaID) throws(DeltaMismatch) -> ReplicaItem {
    guard let item = wire.items[id] else {
      throw DeltaMismatch(reason: "item \"\(id)\" comes without content")
    }
    return item
  }

  private func header(_ id: ReplicaID) throws(DeltaMismatch) -> ReplicaSection {
    guard let header = wire.sections[id] else {
      throw DeltaMismatch(reason: "section \"\(id)\" comes without content")
    }
    return header
  }
}

extension StepTranslation {
  /// Returns the engine's delta.
  ///
  /// - Throws: `DeltaMismatch` if an id occurs twice in a version or is not in its version, or what
  ///   the delta brings is not what its steps lead to.
  func delta() throws(DeltaMismatch) -> Delta {
    let source = try Places<SourceSpace>(stages[0])
    let target = try Places<TargetSpace>(stages[stages.count - 1])
    try wire.checkContents(of: stages[stages.count - 1], target)
    var steps = steps
    for (number, step) in wire.steps.enumerated() { try steps[number].refer(to: target, step) }
    return Delta(
      changes: try wire.changes(source, target, stages), steps: steps,
      sourceItemCounts: steps.isEmpty ? [] : stages[0].map(\.items.count),
      targetItemCounts: steps.last?.itemCounts ?? [])
  }
}

extension DeltaStep {
  /// Sets the positions in the target of what is inserted and reloaded.
  fileprivate mutating func refer(
    to target: Places<TargetSpace>, _ wire: WireStep
  ) throws(DeltaMismatch) {
    for (number, wire) in wire.insertedSections.enumerated() {
      let place = try target.section(wire.id)
      insert.sections[number].target = place
      insert.sections[number].items = try wire.items.map { id throws(DeltaMismatch) in
        let path = try target.item(id)
        guard path.section == place.index else {
          throw DeltaMismatch(
            reason: "item \"\(id)\" comes with section \"\(wire.id)\" and leaves it")
        }
        return path.item
      }
    }
    for (number, wire) in wire.insertedItems.enumerated() {
      insert.items[number].target = try target.item(wire.id)
    }
    reload.sections = try wire.reloadedSections.map { wire throws(DeltaMismatch) in
      SectionReload(at: wire.at, target: try target.section(wire.id))
    }
    reload.items = try wire.reloadedItems.map { wire throws(DeltaMismatch) in
      ItemReload(at: wire.at, target: try target.item(wire.id))
    }
  }
}

extension WireDelta {
  /// Checks that the steps lead to the contents that the delta brings, and delete what it says.
  fileprivate func checkContents(
    of target: [ReplicaSection], _ places: Places<TargetSpace>
  ) throws(DeltaMismatch) {
    for (id, item) in items {
      let path = try places.item(id)
      guard target[path.section].items[path.item].content == item.content else {
        throw DeltaMismatch(reason: "item \"\(id)\" comes with content and keeps its old one")
      }
    }
    for (id, section) in sections {
      guard target[try places.section(id).index].content == section.content else {
        throw DeltaMismatch(reason: "section \"\(id)\" comes with content and keeps its old one")
      }
    }
    for id in deleted where places.items[id] != nil {
      throw DeltaMismatch(reason: "item \"\(id)\" is deleted and stays")
    }
  }

  /// Returns the changes as the wire lists them: `deleted`, and inserted or changed `items` and
  /// `sections`.
  ///
  /// Moves and deleted sections are not listed; they are derived from the steps and ids.
  fileprivate func changes(
    _ source: Places<SourceSpace>, _ target: Places<TargetSpace>, _ stages: [[ReplicaSection]]
  ) throws(DeltaMismatch) -> DeltaChanges {
    var changes = DeltaChanges()
    for id in items.keys {
      let new = try target.item(id)
      if let old = source.items[id] {
        changes.reloadedItems.append(ItemPathPair(source: old, target: new))
      } else {
        changes.insertedItems.append(new)
      }
    }
    for id in sections.keys {
      let new = try target.section(id)
      if let old = source.sections[id] {
        changes.reloadedSections.append(SectionIndexPair(source: old, target: new))
      } else {
        changes.insertedSections.append(new)
      }
    }
    changes.deletedItems = try deleted.map(source.item)
    changes.deletedSections = source.sections.filter { target.sections[$0.key] == nil }.map(\.value)
    for (step, before) in zip(steps, stages) {
      for move in step.movedItems {
        let id = before[move.from.section].items[move.from.item].id
        changes.movedItems.append(
          ItemPathPair(source: try source.item(id), target: try target.item(id)))
      }
      for move in step.movedSections {
        let id = before[move.from.index].id
        changes.movedSections.append(
          SectionIndexPair(source: try source.section(id), target: try target.section(id)))
      }
    }
    changes.sort()
    return changes
  }
}

extension DeltaChanges {
  fileprivate mutating func sort() {
    deletedItems.sort()
    insertedItems.sort()
    movedItems.sort { $0.target < $1.target }
    reloadedItems.sort { $0.target < $1.target }
    deletedSections.sort()
    insertedSections.sort()
    movedSections.sort { $0.target < $1.target }
    reloadedSections.sort { $0.target < $1.target }
  }
}

/// The position of each id in one version.
private struct Places<Space> {
  private(set) var sections: [ReplicaID: SectionIndex<Space>] = [:]
  private(set) var items: [ReplicaID: ItemPath<Space>] = [:]

  init(_ list: [ReplicaSection]) throws(DeltaMismatch) {
    items.reserveCapacity(list.reduce(0) { $0 + $1.items.count })
    for (index, section) in list.enumerated() {
      guard sections.updateValue(SectionIndex(index), forKey: section.id) == nil else {
        throw DeltaMismatch(reason: "section \"\(section.id)\" is there twice")
      }
      for (offset, item) in section.items.enumerated() {
        let path = ItemPath<Space>(section: index, item: offset)
        guard items.updateValue(path, forKey: item.id) == nil else {
          throw DeltaMismatch(reason: "item \"\(item.id)\" is there twice")
        }
      }
    }
  }

  func section(_ id: ReplicaID) throws(DeltaMismatch) -> SectionIndex<Space> {
    guard let index = sections[id] else {
      throw DeltaMismatch(reason: "there is no section \"\(id)\"")
    }
    return index
  }

  func item(_ id: ReplicaID) throws(DeltaMismatch) -> ItemPath<Space> {
    guard let path = items[id] else { throw DeltaMismatch(reason: "there is no item \"\(id)\"") }
    return path
  }
}
