import DeltaEngine

/// Performs one step of a wire delta on a list, with the semantics of a list view's batch.
///
/// Before-indices refer to the list before the step. Deleted and moved elements are removed,
/// inserted and moved ones are placed at their after-indices, and the others keep their order in
/// the remaining positions. Every index is checked before use: an invalid one is an error, never a
/// trap.
struct StepPerformer {
  let step: WireStep
  let items: [ReplicaID: ReplicaItem]
  let headers: [ReplicaID: ReplicaSection]

  /// Returns the list after the step.
  ///
  /// - Throws: `StepFault` if an index, an id or a count is wrong.
  /// - Complexity: O(sections + items of the sections that the step changes).
  func perform(on before: [ReplicaSection]) throws(StepFault) -> [ReplicaSection] {
    var list = before
    try reload(in: &list)
    let moving = try takeItems(from: &list)
    list = try arrangeSections(list)
    try putItems(moving, into: &list)
    let counts = list.map(\.items.count)
    guard counts == step.counts else {
      throw StepFault("the sections have \(counts) items after it, not \(step.counts)")
    }
    return list
  }

  /// Replaces contents at their old positions; a section is reloaded with its items.
  private func reload(in list: inout [ReplicaSection]) throws(StepFault) {
    for reload in step.reloadedSections {
      let index = reload.at.index
      guard list.indices.contains(index), list[index].id == reload.id else {
        throw StepFault("section \(index) to reload is not \"\(reload.id)\"")
      }
      let header = try header(reload.id)
      list[index].header = header.header
      list[index].content = header.content
      list[index].items = list[index].items.map { items[$0.id] ?? $0 }
    }
    for reload in step.reloadedItems {
      guard let held = list.item(at: reload.at), held.id == reload.id else {
        throw StepFault("item \(reload.at) to reload is not \"\(reload.id)\"")
      }
      list[reload.at.section].items[reload.at.item] = try item(reload.id)
    }
  }

  /// Removes deleted and moved items, and returns the moved ones with their destinations.
  private func takeItems(
    from list: inout [ReplicaSection]
  ) throws(StepFault) -> [(at: ItemPath<After>, item: ReplicaItem)] {
    var leaving: [Int: Set<Int>] = [:]
    var moving: [(at: ItemPath<After>, item: ReplicaItem)] = []
    for path in step.deletedItems + step.movedItems.map(\.from) {
      guard list.item(at: path) != nil else { throw StepFault("there is no item \(path)") }
      guard leaving[path.section, default: []].insert(path.item).inserted else {
        throw StepFault("item \(path) leaves twice")
      }
    }
    for move in step.movedItems {
      moving.append((move.to, list[move.from.section].items[move.from.item]))
    }
    for (section, indices) in leaving {
      let kept = list[section].items.enumerated().filter { !indices.contains($0.offset) }
      list[section].items = kept.map(\.element)
    }
    return moving
  }

  private func arrangeSections(_ list: [ReplicaSection]) throws(StepFault) -> [ReplicaSection] {
    var leaving = Set<Int>()
    var coming: [(at: Int, element: ReplicaSection)] = []
    for index in step.deletedSections + step.movedSections.map(\.from) {
      guard list.indices.contains(index.index) else {
        throw StepFault("there is no section \(index)")
      }
      guard leaving.insert(index.index).inserted else {
        throw StepFault("section \(index) leaves twice")
      }
    }
    for move in step.movedSections { coming.append((move.to.index, list[move.from.index])) }
    for insert in step.insertedSections {
      var section = try header(insert.id)
      section.items = []
      for id in insert.items { section.items.append(try item(id)) }
      coming.append((insert.at.index, section))
    }
    if coming.isEmpty && leaving.isEmpty { return list }
    let kept = list.enumerated().filter { !leaving.contains($0.offset) }.map(\.element)
    return try place(coming, among: kept) { "section \($0)" }
  }

  private func putItems(
    _ moving: [(at: ItemPath<After>, item: ReplicaItem)], into list: inout [ReplicaSection]
  ) throws(StepFault) {
    var coming: [Int: [(at: Int, element: ReplicaItem)]] = [:]
    for (path, item) in moving {
      coming[path.section, default: []].append((path.item, item))
    }
    for insert in step.insertedItems {
      coming[insert.at.section, default: []].append((insert.at.item, try item(insert.id)))
    }
    for (section, arrivals) in coming {
      guard list.indices.contains(section) else {
        throw StepFault("there is no section \(section) after the step")
      }
      list[section].items = try place(arrivals, among: list[section].items) {
        "item [\(section), \($0)]"
      }
    }
  }

  /// Inserts arrivals at their indices; the other elements fill the positions between them, in
  /// order.
  private func place<Element>(
    _ arrivals: [(at: Int, element: Element)], among kept: [Element], name: (Int) -> String
  ) throws(StepFault) -> [Element] {
    var placed: [Element] = []
    placed.reserveCapacity(kept.count + arrivals.count)
    var rest = kept[...]
    for (index, element) in arrivals.sorted(by: { $0.at < $1.at }) {
      let gap = index - placed.count
      guard gap >= 0 else { throw StepFault("two arrive as \(name(index))") }
      guard gap <= rest.count else { throw StepFault("\(name(index)) is past the end") }
      placed += rest.prefix(gap)
      rest = rest.dropFirst(gap)
      placed.append(element)
    }
    return placed + rest
  }

  private func item(_ id: ReplicaID) throws(StepFault) -> ReplicaItem {
    guard let item = items[id] else { throw StepFault("item \"\(id)\" comes without content") }
    return item
  }

  private func header(_ id: ReplicaID) throws(StepFault) -> ReplicaSection {
    guard let header = headers[id] else {
      throw StepFault("section \"\(id)\" comes without content")
    }
    return header
  }
}

/// An error in a step.
struct StepFault: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}

extension [ReplicaSection] {
  /// Returns the item at a position, or `nil` if there is none.
  func item<Space>(at path: ItemPath<Space>) -> ReplicaItem? {
    guard indices.contains(path.section) else { return nil }
    let items = self[path.section].items
    return items.indices.contains(path.item) ? items[path.item] : nil
  }
}
