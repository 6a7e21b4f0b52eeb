import DeltaEngine

/// Operations applied together: the content that they lead to, and the outcome of each.
///
/// The content is the one that the operations lead to one after the other, without the rejected
/// ones: no timing changes the result. Operations before the last replacement are skipped; only
/// when an id then occurs twice is each one applied and checked by itself, from the first.
struct MergedOperations<Element: Sendable>: Sendable {
  /// Refuses ids that occur twice.
  typealias Check = ([Element]) throws(DuplicateIdentifier) -> Void
  /// Finishes a content, as by removing empty sections.
  typealias Finish = ([Element]) -> [Element]

  let operations: [Operation<Element>]
  /// The content that the accepted operations lead to.
  private(set) var content: [Element]
  /// Why an operation was rejected, by its position.
  private(set) var errors: [Int: UpdateError] = [:]
  /// Finds what the edits want reloaded.
  private var reloads: [@Sendable ([Element]) -> ReloadOverrides] = []
  private let current: [Element]

  /// Applies the operations from the last replacement on; the caller checks the ids of the result.
  init(
    _ operations: [Operation<Element>], current: [Element], finish: Finish, check: Check
  ) {
    self.operations = operations
    self.current = current
    content = current
    let first = operations.lastIndex(where: \.isReplacement) ?? 0
    // Reloads that were asked for before the replacement still happen, where it has the item.
    reloads = operations[..<first].compactMap(\.reload)
    for position in operations.indices[first...] {
      apply(position, finish)
      if position == operations.count - 1 { return }
      guard (try? check(content)) == nil else { continue }
      applyOneByOne(finish, check)
      return
    }
  }

  /// Applies each operation by itself, and rejects those after which an id occurs twice.
  mutating func applyOneByOne(_ finish: Finish, _ check: Check) {
    content = current
    errors = [:]
    reloads = []
    for position in operations.indices {
      let before = (content, reloads)
      apply(position, finish)
      do {
        try check(content)
      } catch {
        (content, reloads) = before
        errors[position] = .duplicate(error)
      }
    }
  }

  private mutating func apply(_ position: Int, _ finish: Finish) {
    do {
      let edited = try operations[position].apply(to: content)
      content = finish(edited.content)
      if let reloads = edited.reloads { self.reloads.append(reloads) }
    } catch {
      errors[position] = .edit(error)
    }
  }

  /// What is to be reloaded in the content.
  var reloadOverrides: ReloadOverrides {
    reloads.reduce(into: ReloadOverrides()) { $0.formUnion($1(content)) }
  }
}

// MARK: - Outcomes

extension MergedOperations {
  /// Whether any operation was applied.
  var isAccepted: Bool { lastAccepted != nil }

  /// Whether the threshold of the content's size does not count.
  var ignoresDataCount: Bool {
    operations.indices.allSatisfy { errors[$0] != nil || operations[$0].ignoresDataCount }
  }

  /// Each operation with its outcome, in the order of the calls.
  ///
  /// - Parameter applied: The outcome of the last one that was accepted.
  /// - Returns: The operations with their outcomes.
  func outcomes(
    _ applied: AppliedUpdate
  ) -> [(operation: Operation<Element>, outcome: UpdateOutcome)] {
    operations.indices.map { (operations[$0], outcome(of: $0, applied)) }
  }

  private func outcome(of position: Int, _ applied: AppliedUpdate) -> UpdateOutcome {
    if let error = errors[position] { return .rejected(error) }
    guard let last = lastAccepted, position <= last else {
      let next = operations[position...].first(where: \.isReplacement)
      return .rejected(.overtaken(by: next?.number ?? operations[position].number))
    }
    return position == last ? .applied(applied) : .merged(into: operations[last].number)
  }

  /// The last operation that was applied.
  private var lastAccepted: Int? {
    operations.indices.last { errors[$0] == nil && !operations[$0].isDropped }
  }
}
