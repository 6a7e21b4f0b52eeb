import LiveCollections

/// What a collection without a view does with its updates, slowly and obviously.
///
/// The three pieces of work that one update takes (take what waits, calculate, deliver) are run by
/// the test, here and in the collection, in the same order.
struct QueueModel {
  enum Wish {
    case replace([Item])
    case append([Item])
  }

  enum Work { case nothing, take, calculate, deliver }

  private(set) var content: [Item]
  private(set) var next = Work.nothing
  private(set) var heard: [String] = []
  private var waiting: [(number: Int, wish: Wish)] = []
  private var taken: [(number: Int, wish: Wish)] = []
  private var lastNumber = 0

  init(_ content: [Item]) { self.content = content }

  mutating func submit(_ wish: Wish) {
    lastNumber += 1
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

  mutating func runDelivery() {
    guard next == .deliver else { return }
    deliver()
    next = waiting.isEmpty ? .nothing : .take
  }

  /// One after the other, each that makes a duplicate left out; but if nothing from the last
  /// replacement on makes one, what stands before that is merged without being tried.
  private mutating func deliver() {
    let last = taken.lastIndex { if case .replace = $0.wish { true } else { false } } ?? 0
    var (result, rejected) = tried(from: last)
    if !rejected.isEmpty { (result, rejected) = tried(from: 0) }
    let applied = taken.indices.last { !rejected.contains($0) }
    let isSame = result == content
    for index in taken.indices {
      let outcome =
        rejected.contains(index)
        ? "rejected"
        : index == applied
          ? "applied by \(isSame ? "nothing" : "contentOnly")"
          : "merged into \(taken[applied ?? 0].number)"
      heard.append("\(taken[index].number) \(outcome)")
    }
    if applied != nil { content = result }
    taken = []
  }

  private func tried(from first: Int) -> (content: [Item], rejected: Set<Int>) {
    var result = content
    var rejected: Set<Int> = []
    for index in taken.indices[first...] {
      var attempt: [Item]
      switch taken[index].wish {
      case .replace(let items): attempt = items
      case .append(let items): attempt = result + items
      }
      if Set(attempt.map(\.uniqueID)).count == attempt.count {
        result = attempt
      } else {
        rejected.insert(index)
      }
    }
    return (result, rejected)
  }
}
