import DeltaEngine

/// Operations taken together: the content that they lead to, and what became of each.
///
/// The content is always the one that the operations would lead to one after the other, each
/// rejected one left out: no timing changes the result. The quick way skips what is replaced; only
/// when an id then occurs twice is each one tried by itself, from the first.
struct MergedOperations<Element: Sendable>: Sendable {
  /// Refuses ids that occur twice.
  typealias Check = ([Element]) throws(DuplicateIdentifier) -> Void
  /// What is done to every content, as leaving out empty sections.
  typealias Finish = ([Element]) -> [Element]

  let operations: [Operation<Element>]
  /// The content that the accepted operations lead to.
  private(set) var content: [Element]
  /// Why an operation was rejected, by its position.
  private(set) var errors: [Int: UpdateError] = [:]
  /// What the edits want reloaded.
  private var reloads: [@Sendable ([Element]) -> ReloadOverrides] = []
  private let held: [Element]

  /// Goes the quick way; the ids of the result are left for the caller to check.
  init(
    _ operations: [Operation<Element>], held: [Element], finish: Finish, check: Check
  ) {
    self.operations = operations
    self.held = held
    content = held
    let first = operations.lastIndex(where: \.isReplacement) ?? 0
    // What was to be reloaded still is, where the replacement has it.
    reloads = operations[..<first].compactMap(\.reload)
    for position in operations.indices[first...] {
      apply(position, finish)
      if position == operations.count - 1 { return }
      guard (try? check(content)) == nil else { continue }
      applyOneByOne(finish, check)
      return
    }
  }

  /// Goes the slow way: each operation by itself, rejected if an id occurs twice after it.
  mutating func applyOneByOne(_ finish: Finish, _ check: Check) {
    content = held
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

// MARK: - What became of each

extension MergedOperations {
  /// Whether any operation is in the content.
  var isAccepted: Bool { lastAccepted != nil }

  /// Whether the threshold of the content's size does not count.
  var ignoresDataCount: Bool {
    operations.indices.allSatisfy { errors[$0] != nil || operations[$0].ignoresDataCount }
  }

  /// What each caller hears, in the order in which they came.
  ///
  /// - Parameter applied: What the last accepted one hears.
  /// - Returns: Each operation with its outcome.
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

  /// The last operation that is in the content.
  private var lastAccepted: Int? {
    operations.indices.last { errors[$0] == nil && !operations[$0].isDropped }
  }
}
