// The items of one section: named items go to their positions, the others fill the rest in order.

/// The item operations of a step, by section.
struct ItemEdits {
  private var gone: [Int: [Int]] = [:]
  private var inserts: [Int: [ItemInsert]] = [:]
  private var movesIn: [Int: [ItemMove]] = [:]

  /// - Parameter step: A step with ordered deletes, inserts and moves, and at most one role per
  ///   position.
  init(_ step: DeltaStep) {
    for path in step.delete.items { gone[path.section, default: []].append(path.item) }
    for insert in step.insert.items { inserts[insert.at.section, default: []].append(insert) }
    for move in step.move.items {
      gone[move.from.section, default: []].append(move.from.item)
      movesIn[move.to.section, default: []].append(move)
    }
    for section in gone.keys { gone[section]?.sort() }
  }

  func touches(old: Int, new: Int) -> Bool {
    gone[old] != nil || inserts[new] != nil || movesIn[new] != nil
  }

  /// Returns the indices of items that are deleted or leave the section, ascending.
  func gone(from old: Int) -> [Int] { gone[old] ?? [] }

  func inserts(into new: Int) -> [ItemInsert] { inserts[new] ?? [] }

  func movesIn(to new: Int) -> [ItemMove] { movesIn[new] ?? [] }
}

/// The items of a section that are neither deleted nor moved away, in order.
private struct Stayers {
  let items: [ListStructure.Item]
  /// The indices of the other items, ascending.
  let gone: [Int]
  private var next = 0
  private var nextGone = 0

  init(_ items: [ListStructure.Item], gone: [Int]) {
    self.items = items
    self.gone = gone
  }

  /// Appends items until the result has `count`; returns `false` if they run out.
  mutating func fill(_ result: inout [ListStructure.Item], upTo count: Int) -> Bool {
    while result.count < count {
      let end = nextGone < gone.count ? gone[nextGone] : items.count
      let taken = min(end - next, count - result.count)
      result.append(contentsOf: items[next..<next + taken])
      next += taken
      guard result.count < count else { return true }
      guard nextGone < gone.count else { return false }
      next += 1
      nextGone += 1
    }
    return true
  }

  /// Returns the index before the step of the `rank`-th staying item.
  func old(_ rank: Int) -> Int {
    // gone[k] - k staying items precede gone[k], and that ascends.
    var (low, high) = (0, gone.count)
    while low < high {
      let middle = (low + high) / 2
      if gone[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}

extension StepCheck {
  private struct Named {
    var slot: Int
    var item: ListStructure.Item
    var move: ItemMove?
  }

  /// Returns the items of a surviving section after the step, without reloads.
  func items(
    _ items: [ListStructure.Item], old: Int, new: Int, _ edits: ItemEdits
  ) throws(LawViolation) -> [ListStructure.Item] {
    if !edits.touches(old: old, new: new) { return items }
    var stayers = Stayers(items, gone: edits.gone(from: old))
    let stayerCount = items.count - stayers.gone.count
    let count =
      stayerCount + edits.inserts(into: new).count + edits.movesIn(to: new).count
    let named = try named(new, count: count, edits)
    var result: [ListStructure.Item] = []
    result.reserveCapacity(count)
    for (before, place) in named.enumerated() {
      guard stayers.fill(&result, upTo: place.slot) else { break }
      result.append(place.item)
      if let move = place.move, move.from.section == old,
        stayers.isNil(move, rank: place.slot - before, of: stayerCount)
      {
        throw refuse(1, "the move of item \(move.from) to \(move.to) has no effect")
      }
    }
    guard stayers.fill(&result, upTo: count) else {
      throw refuse(4, "section \(new): nothing is left for item \(result.count) after the step")
    }
    return result
  }

  /// Returns the items that enter a section, ascending by their index after the step.
  private func named(
    _ new: Int, count: Int, _ edits: ItemEdits
  ) throws(LawViolation) -> [Named] {
    var named: [Named] = []
    for insert in edits.inserts(into: new) {
      guard insert.at.item < count else {
        throw refuse(1, "item \(insert.at): \(count) items after the step")
      }
      guard let item = target.item(section: insert.target.section, item: insert.target.item)
      else { throw refuse(5, "item \(insert.at) is inserted from nowhere") }
      named.append(Named(slot: insert.at.item, item: item))
    }
    for move in edits.movesIn(to: new) {
      guard move.to.item < count else {
        throw refuse(1, "item \(move.to): \(count) items after the step")
      }
      let item = before.sections[move.from.section].items[move.from.item]
      named.append(Named(slot: move.to.item, item: item, move: move))
    }
    return named.sorted { $0.slot < $1.slot }
  }
}

extension Stayers {
  /// Whether an item would have the same position without its move, after `rank` staying items.
  fileprivate func isNil(_ move: ItemMove, rank: Int, of count: Int) -> Bool {
    let below = rank > 0 ? old(rank - 1) : -1
    let above = rank < count ? old(rank) : Int.max
    return below < move.from.item && move.from.item < above
  }
}
