import DeltaEngine
import ListTestSupport
import LiveCollections

/// What a collection does with its updates, slowly and obviously.
///
/// The pieces of work that one update takes (take what waits, calculate, deliver, and one more for
/// each batch that a view shows) are run by the test, here and in the collection, in the same
/// order. How many batches there are is asked of the engine.
struct QueueModel {
  enum Wish {
    case replace([Item])
    case append([Item])
    case prepend([Item])
    case remove(String)
    case reload(String)
    /// Given up while it waited, since many replacements came after it.
    case dropped

    var isReplacement: Bool { if case .replace = self { true } else { false } }
    var isReload: Bool { if case .reload = self { true } else { false } }
    var isDropped: Bool { if case .dropped = self { true } else { false } }
  }

  enum Work: Equatable { case nothing, take, calculate, deliver, showing(batchesLeft: Int) }

  private(set) var content: [Item]
  private(set) var next = Work.nothing
  private(set) var heard: [String] = []
  private let hasView: Bool
  private var waiting: [(number: Int, wish: Wish)] = []
  private var taken: [(number: Int, wish: Wish)] = []
  private var lastNumber = 0
  /// What the taken ones lead to, and what is said then.
  private var wanted: [Item] = []
  private var outcomes: [String] = []

  init(_ content: [Item], hasView: Bool) {
    self.content = content
    self.hasView = hasView
  }

  mutating func submit(_ wish: Wish) {
    lastNumber += 1
    if wish.isReplacement {
      // With the new one, sixteen replacements are kept, and the edits that are made of them.
      let kept = waiting.indices.filter { waiting[$0].wish.isReplacement }.suffix(15)
      for index in waiting.indices where kept.count == 15 && index < kept[kept.startIndex] {
        if !waiting[index].wish.isReload { waiting[index].wish = .dropped }
      }
    }
    waiting.append((lastNumber, wish))
    if next == .nothing { next = .take }
  }

  mutating func runCalculation() {
    if next == .take {
      taken = waiting
      waiting = []
      next = .calculate
    } else if next == .calculate {
      next = .deliver
    }
  }

  mutating func runDelivery() throws {
    switch next {
    case .deliver: try deliver()
    case .showing(let batchesLeft): showNext(batchesLeft)
    default: return
    }
  }

  /// One after the other, each that cannot be left out; but if nothing from the last replacement on
  /// makes a duplicate, what stands before that is merged without being tried.
  private mutating func deliver() throws {
    let last = taken.lastIndex { $0.wish.isReplacement } ?? 0
    var attempt = tried(from: last)
    if attempt.hasDuplicate {
      attempt = tried(from: (taken.lastIndex { $0.wish.isDropped } ?? -1) + 1)
    }
    let rejected = attempt.rejected
    let applied = taken.indices.last { !rejected.contains($0) && !taken[$0].wish.isDropped }
    wanted = applied == nil ? content : attempt.content
    let redrawn = redrawn(rejected)
    let isSame = wanted == content && redrawn.isEmpty
    let isReplaced = taken.indices.contains {
      taken[$0].wish.isReplacement && !rejected.contains($0)
    }
    outcomes = taken.indices.map { index in
      let outcome =
        rejected.contains(index) || applied == nil || taken[index].wish.isDropped && !isReplaced
        ? "rejected"
        : index == applied
          ? "applied by \(isSame ? "nothing" : hasView ? "batches" : "contentOnly")"
          : "merged into \(taken[applied ?? 0].number)"
      return "\(taken[index].number) \(outcome)"
    }
    guard hasView, !isSame else { return finish() }
    var delta = try Delta(fromItems: content, toItems: wanted)
    delta =
      delta.isEmpty
      ? Delta(reloading: redrawn, itemCounts: [wanted.count]) : delta.reloading(redrawn)
    if delta.steps.count > 1 {
      // Until the last batch, which reloads, what changes shows what it did.
      let old = Dictionary(uniqueKeysWithValues: content.map { ($0.uniqueID, $0) })
      content = wanted.map { old[$0.uniqueID] ?? $0 }
    } else {
      content = wanted
    }
    next = .showing(batchesLeft: delta.steps.count)
  }

  private mutating func showNext(_ batchesLeft: Int) {
    if batchesLeft == 1 { return finish() }
    content = wanted
    next = .showing(batchesLeft: batchesLeft - 1)
  }

  private mutating func finish() {
    content = wanted
    heard += outcomes
    taken = []
    next = waiting.isEmpty ? .nothing : .take
  }

  /// What is wanted drawn anew and is there, also if what wanted it is replaced since.
  private func redrawn(_ rejected: Set<Int>) -> [ItemPath<TargetSpace>] {
    let ids = taken.indices.compactMap { index in
      if !rejected.contains(index), case .reload(let id) = taken[index].wish { id } else { nil }
    }
    return wanted.indices.filter { ids.contains(wanted[$0].uniqueID) }
      .map { ItemPath(section: 0, item: $0) }
  }

  private func tried(
    from first: Int
  ) -> (content: [Item], rejected: Set<Int>, hasDuplicate: Bool) {
    var result = content
    var rejected: Set<Int> = []
    var hasDuplicate = false
    for index in taken.indices[first...] {
      let (attempt, isPossible) = after(taken[index].wish, result)
      if !isPossible {
        rejected.insert(index)
      } else if Set(attempt.map(\.uniqueID)).count < attempt.count {
        rejected.insert(index)
        hasDuplicate = true
      } else {
        result = attempt
      }
    }
    return (result, rejected, hasDuplicate)
  }

  /// Edits check for themselves that they do not add what is there.
  private func after(_ wish: Wish, _ held: [Item]) -> (content: [Item], isPossible: Bool) {
    switch wish {
    case .replace(let items): return (items, true)
    case .append(let items): return (held + items, true)
    case .prepend(let items):
      let ids = (items + held).map(\.uniqueID)
      return (items + held, Set(ids).count == ids.count)
    case .dropped: return (held, true)
    case .reload(let id): return (held, held.contains { $0.uniqueID == id })
    case .remove(let id):
      return (held.filter { $0.uniqueID != id }, held.contains { $0.uniqueID == id })
    }
  }
}
