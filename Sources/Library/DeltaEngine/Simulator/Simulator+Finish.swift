// The laws about a delta as a whole.

extension Simulator {
  /// Checks law 5: the steps lead to the target, in ids, order and contents.
  func checkResult() throws(LawViolation) {
    guard structure.sections.count == target.sections.count else {
      throw LawViolation(
        law: 5, reason: "\(structure.sections.count) sections, not \(target.sections.count)")
    }
    for (index, section) in structure.sections.enumerated() {
      let wanted = target.sections[index]
      if section == wanted { continue }
      if section.id != wanted.id {
        throw LawViolation(law: 5, reason: "section \(index) is another one")
      }
      if section.content != wanted.content {
        throw LawViolation(law: 5, reason: "section \(index) shows an old header")
      }
      if section.items.count != wanted.items.count {
        throw LawViolation(
          law: 5,
          reason: "section \(index) has \(section.items.count) items, not \(wanted.items.count)")
      }
      for (item, pair) in zip(section.items, wanted.items).enumerated() where pair.0 != pair.1 {
        let what = pair.0.id == pair.1.id ? "shows an old content" : "is another one"
        throw LawViolation(law: 5, reason: "item [\(index), \(item)] \(what)")
      }
    }
  }

  /// Checks law 6: what is in both versions stays or moves.
  func checkSurvivors() throws(LawViolation) {
    if let id = journal.deletedItems.intersection(journal.insertedItems).min() {
      throw LawViolation(law: 6, reason: "item id \(id) is deleted and inserted")
    }
    if let id = journal.deletedSections.intersection(journal.insertedSections).min() {
      throw LawViolation(law: 6, reason: "section id \(id) is deleted and inserted")
    }
  }

  /// Checks law 7: there are as few moves as the orders allow.
  func checkMoves() throws(LawViolation) {
    var moves: [Int: Int] = [:]
    for move in journal.movedItems.values where move.from == move.to {
      moves[move.from, default: 0] += 1
    }
    let sourceItems = Dictionary(
      source.sections.map { ($0.id, $0.items) }, uniquingKeysWith: { first, _ in first })
    for section in target.sections {
      guard let count = moves[section.id], let items = sourceItems[section.id] else { continue }
      let least = leastMoves(from: items, to: section.items, by: \.id)
      if count != least {
        throw LawViolation(
          law: 7, reason: "\(count) items move within section id \(section.id), \(least) need to")
      }
    }
    let least = leastMoves(from: source.sections, to: target.sections, by: \.id)
    if journal.movedSections.count != least {
      throw LawViolation(
        law: 7, reason: "\(journal.movedSections.count) sections move, \(least) need to")
    }
  }

  /// Checks law 8: there are no more steps than necessary, and each operation is in the right one.
  func checkStepCount() throws(LawViolation) {
    let shape = expectedShape()
    guard journal.steps.count == shape.count else {
      throw LawViolation(law: 8, reason: "\(journal.steps.count) steps, \(shape.count) would do")
    }
    for (index, (step, allowed)) in zip(journal.steps, shape).enumerated()
    where !allowed.isSuperset(of: StepContents(step)) || step.operationCount == 0 {
      throw LawViolation(law: 8, step: index, reason: "an operation is in the wrong step")
    }
    let left = Set(journal.movedItems.values.map(\.from))
    for (index, deleted) in journal.deletedSectionsOfStep.enumerated()
    where index > 0 && !left.isSuperset(of: deleted) {
      throw LawViolation(
        law: 8, step: index, reason: "a section that no item leaves is deleted late")
    }
  }

  private func expectedShape() -> [StepContents] {
    let moves = journal.movedItems.values
    let hasItems = journal.steps.contains(where: \.hasItemOperations)
    let hasSections = journal.steps.contains(where: \.hasSectionOperations)
    let leaves = moves.contains { journal.deletedSections.contains($0.from) }
    let sectionsFirst =
      hasItems
      && (!journal.movedSections.isEmpty
        || moves.contains { journal.insertedSections.contains($0.to) })
    var shape: [StepContents] = []
    if sectionsFirst {
      shape = [.sections, .items]
    } else if hasItems || hasSections {
      shape = [hasItems && hasSections ? [.sections, .items] : hasItems ? .items : .sections]
    }
    // Deletes of sections that survivors leave need a step of their own after the items'.
    if leaves { shape.append(.sections) }
    // Headers are with what comes and goes, or with reloads, or alone.
    if shape.isEmpty && !journal.updatedHeaders.isEmpty { shape = [.reloads] }
    if journal.reloadedItems.isEmpty && journal.reloadedSections.isEmpty { return shape }
    if shape == [.reloads] { return shape }
    let isApart =
      shape.last != .items || !moves.isEmpty
      || !(journal.reloadedSections.isEmpty && journal.updatedHeaders.isEmpty)
    if isApart { shape.append(.reloads) } else { shape[shape.count - 1].insert(.reloads) }
    return shape
  }
}

private struct StepContents: OptionSet {
  let rawValue: Int
  static let sections = StepContents(rawValue: 1)
  static let items = StepContents(rawValue: 2)
  static let reloads = StepContents(rawValue: 4)

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ step: DeltaStep) {
    self = []
    if step.hasSectionOperations { insert(.sections) }
    if step.hasItemOperations { insert(.items) }
    if !(step.reload.items.isEmpty && step.reload.sections.isEmpty) { insert(.reloads) }
  }
}

/// Returns the number of common elements minus the length of their longest common order.
@inline(__always) private func leastMoves<Element>(
  from source: [Element], to target: [Element], by id: (Element) -> Int
) -> Int {
  let kept = keptPlaces(from: source, to: target, by: id)
  var piles: [Int] = []  // piles[k]: the least place that ends a common order of k + 1
  piles.reserveCapacity(kept.count)
  for place in kept {
    // A position mostly follows the last one, or the one before if that one had moved.
    if piles.last.map({ $0 < place }) ?? true {
      piles.append(place)
      continue
    }
    var low = 0
    var high = piles.count - 1
    if high > 0, piles[high - 1] < place { low = high }
    while low < high {
      let middle = (low + high) / 2
      if piles[middle] < place { low = middle + 1 } else { high = middle }
    }
    piles[low] = place
  }
  return kept.count - piles.count
}

/// Returns the source positions of the ids in both lists, in the target's order.
@inline(__always) private func keptPlaces<Element>(
  from source: [Element], to target: [Element], by id: (Element) -> Int
) -> [Int] {
  // Ids are mostly consecutive integers, so that a table suffices and nothing is hashed.
  let (least, last) = source.reduce((0, -1)) { (min($0.0, id($1)), max($0.1, id($1))) }
  guard least >= 0, last < 16 * source.count else {
    let place = Dictionary(
      source.enumerated().map { (id($1), $0) }, uniquingKeysWith: { first, _ in first })
    return target.compactMap { place[id($0)] }
  }
  var places = [Int32](repeating: -1, count: last + 1)
  for (place, element) in source.enumerated() where places[id(element)] < 0 {
    places[id(element)] = Int32(truncatingIfNeeded: place)
  }
  var kept: [Int] = []
  kept.reserveCapacity(target.count)
  for element in target {
    let id = id(element)
    if id >= 0, id <= last, places[id] >= 0 { kept.append(Int(places[id])) }
  }
  return kept
}
