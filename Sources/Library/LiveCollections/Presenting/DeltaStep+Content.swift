import DeltaEngine

extension DeltaStep {
  /// The sections after a step that is not the last of its delta: such a step reloads nothing.
  ///
  /// - Parameters:
  ///   - before: The sections before the step.
  ///   - target: The sections after the last step, from which inserts are taken.
  /// - Returns: The sections after the step.
  /// - Complexity: O(sections + items of the sections that the step touches).
  package func content<Section: UniquelyIdentifiableSection>(
    after before: [Section], _ target: [Section]
  ) -> [Section] {
    var sections = before
    let arrivals = takeItems(from: &sections, target)
    sections = arranged(sections, target)
    for (section, items) in arrivals {
      sections[section].items = Self.placed(items, among: sections[section].items)
    }
    for header in headers {
      var section = target[header.index]
      section.items = sections[header.index].items
      sections[header.index] = section
    }
    return sections
  }

  /// An inserted or moved element, and its index after the step.
  private typealias Arrival<Item> = (at: Int, item: Item)

  /// Removes deleted and moved items, and returns those that arrive, by section after the step.
  private func takeItems<Section: UniquelyIdentifiableSection>(
    from sections: inout [Section], _ target: [Section]
  ) -> [Int: [Arrival<Section.DataType>]] {
    var arrivals: [Int: [Arrival<Section.DataType>]] = [:]
    var leaving: [Int: Set<Int>] = [:]
    for path in delete.items { leaving[path.section, default: []].insert(path.item) }
    for path in move.items {
      leaving[path.from.section, default: []].insert(path.from.item)
      arrivals[path.to.section, default: []].append(
        (path.to.item, sections[path.from.section].items[path.from.item]))
    }
    for path in insert.items {
      arrivals[path.at.section, default: []].append(
        (path.at.item, target[path.target.section].items[path.target.item]))
    }
    for (section, gone) in leaving {
      let items = sections[section].items
      sections[section].items = items.indices.lazy.filter { !gone.contains($0) }.map { items[$0] }
    }
    return arrivals
  }

  /// The sections in their order after the step.
  private func arranged<Section: UniquelyIdentifiableSection>(
    _ sections: [Section], _ target: [Section]
  ) -> [Section] {
    if !hasSectionOperations { return sections }
    var arrivals: [Arrival<Section>] = move.sections.map { ($0.to.index, sections[$0.from.index]) }
    for arrival in insert.sections {
      var section = target[arrival.target.index]
      section.items = arrival.items.map { section.items[$0] }
      arrivals.append((arrival.at.index, section))
    }
    let leaving = Set((delete.sections + move.sections.map(\.from)).map(\.index))
    return Self.placed(
      arrivals, among: sections.indices.filter { !leaving.contains($0) }.map { sections[$0] })
  }

  /// The arrivals at their places, and the rest, in order, in the places left.
  private static func placed<Element>(
    _ arrivals: [Arrival<Element>], among rest: [Element]
  ) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(rest.count + arrivals.count)
    var next = 0
    for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
      let count = min(arrival.at - result.count, rest.count - next)
      result += rest[next..<next + count]
      next += count
      result.append(arrival.item)
    }
    return result + rest[next...]
  }
}

extension DeltaStep {
  /// The step of a flat list, with its one section having another number.
  package func inSection(_ section: Int) -> DeltaStep {
    var step = self
    step.delete.items = delete.items.map { $0.inSection(section) }
    step.insert.items = insert.items.map {
      ItemInsert(at: $0.at.inSection(section), target: $0.target.inSection(section))
    }
    step.move.items = move.items.map {
      ItemMove(from: $0.from.inSection(section), to: $0.to.inSection(section))
    }
    step.reload.items = reload.items.map {
      ItemReload(at: $0.at.inSection(section), target: $0.target.inSection(section))
    }
    step.reload.sections = reload.sections.map { _ in
      SectionReload(at: SectionIndex(section), target: SectionIndex(section))
    }
    return step
  }

  /// Adds the operations of a step on other sections.
  mutating func formUnion(_ other: DeltaStep) {
    delete.items = (delete.items + other.delete.items).sorted()
    insert.items = (insert.items + other.insert.items).sorted { $0.at < $1.at }
    move.items = (move.items + other.move.items).sorted { $0.to < $1.to }
    reload.items = (reload.items + other.reload.items).sorted { $0.at < $1.at }
    reload.sections = (reload.sections + other.reload.sections).sorted { $0.at < $1.at }
    headers = (headers + other.headers).sorted()
  }

  /// Whether the step reloads anything.
  var hasReloads: Bool { !(reload.items.isEmpty && reload.sections.isEmpty) }

  /// Whether a reload must not be in one batch with the step.
  var excludesReloads: Bool { hasSectionOperations || !move.items.isEmpty }

  /// What the step does, for animation delegates.
  var group: UpdateGroup {
    hasSectionOperations ? .sections : hasItemOperations ? .items : .reloads
  }
}
