/// Validates a step against the item counts before it, after it, and in the target.
///
/// It knows no ids: a valid step can be performed, but may lead to a different list.
package struct StepValidation {
  let step: DeltaStep
  let before: [Int]
  let target: [Int]
  private var after: [Int] { step.itemCounts }

  package init(step: DeltaStep, before: [Int], target: [Int]) {
    self.step = step
    self.before = before
    self.target = target
  }

  /// Throws the first mismatch.
  package func check() throws(DeltaMismatch) {
    try PlaceChecks.checkCounts(after)
    try checkSections()
    try checkItems()
    try checkCounts()
  }

  private func checkSections() throws(DeltaMismatch) {
    let from = step.delete.sections + step.move.sections.map { $0.from }
    let to = step.insert.sections.map { $0.at } + step.move.sections.map { $0.to }
    try PlaceChecks.check(from, before)
    try PlaceChecks.check(to, after)
    try PlaceChecks.check(step.reload.sections.map { $0.at }, before)
    try PlaceChecks.check(step.reload.sections.map { $0.target }, target)
    try PlaceChecks.check(step.headers, after)
    try PlaceChecks.check(step.insert.sections.map { $0.target }, target)
    for insert in step.insert.sections {
      try PlaceChecks.checkAscending(insert.items, below: target[insert.target.index])
    }
    guard before.count - from.count == after.count - to.count else {
      throw DeltaMismatch(reason: "the step keeps another number of sections than its counts say")
    }
  }

  private func checkItems() throws(DeltaMismatch) {
    try PlaceChecks.check(step.delete.items + step.move.items.map { $0.from }, before)
    try PlaceChecks.check(step.insert.items.map { $0.at } + step.move.items.map { $0.to }, after)
    try PlaceChecks.check(step.insert.items.map { $0.target }, target)
    try PlaceChecks.check(step.reload.items.map { $0.at }, before)
    try PlaceChecks.check(step.reload.items.map { $0.target }, target)
  }

  /// Checks that each section contains, after the step, the items that stayed and those added.
  private func checkCounts() throws(DeltaMismatch) {
    var staying = before
    for path in step.delete.items { staying[path.section] -= 1 }
    for move in step.move.items { staying[move.from.section] -= 1 }
    var expected = [Int](repeating: 0, count: after.count)
    for insert in step.insert.sections { expected[insert.at.index] = insert.items.count }
    for (section, source) in sources() { expected[section] = staying[source] }
    for insert in step.insert.items { expected[insert.at.section] += 1 }
    for move in step.move.items { expected[move.to.section] += 1 }
    guard expected == after else {
      throw DeltaMismatch(reason: "a step leads to \(expected) items, not to \(after)")
    }
  }

  /// Returns the surviving sections, by index after the step, with their index before it.
  private func sources() -> [(section: Int, source: Int)] {
    let gone = Set(step.delete.sections + step.move.sections.map { $0.from })
    let taken = Set(step.insert.sections.map { $0.at } + step.move.sections.map { $0.to })
    let staying = before.indices.lazy.filter { !gone.contains(SectionIndex($0)) }
    let places = after.indices.lazy.filter { !taken.contains(SectionIndex($0)) }
    return zip(places, staying).map { ($0, $1) }
      + step.move.sections.map { ($0.to.index, $0.from.index) }
  }
}

/// Refuses positions that do not exist or occur twice.
enum PlaceChecks {
  static func checkCounts(_ counts: [Int]) throws(DeltaMismatch) {
    for count in counts where !(0...Int(Int32.max)).contains(count) {
      throw DeltaMismatch(reason: "a number of items must be from 0 to \(Int32.max), not \(count)")
    }
  }

  static func check<Space>(
    _ sections: [SectionIndex<Space>], _ counts: [Int]
  ) throws(DeltaMismatch) {
    var seen: Set<SectionIndex<Space>> = []
    for section in sections
    where section.index >= counts.count || !seen.insert(section).inserted {
      throw DeltaMismatch(
        reason: "section \(section) of \(counts.count) does not exist or is named twice")
    }
  }

  static func check<Space>(
    _ paths: [ItemPath<Space>], _ counts: [Int]
  ) throws(DeltaMismatch) {
    var seen: Set<ItemPath<Space>> = []
    for path in paths {
      guard path.section < counts.count, path.item < counts[path.section],
        seen.insert(path).inserted
      else { throw DeltaMismatch(reason: "item \(path) does not exist or is named twice") }
    }
  }

  static func checkAscending(_ indices: [Int], below count: Int) throws(DeltaMismatch) {
    var last = -1
    for index in indices {
      guard last < index, index < count else {
        throw DeltaMismatch(reason: "index \(index) of \(count) does not exist or is out of order")
      }
      last = index
    }
  }
}
