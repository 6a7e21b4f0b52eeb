import DeltaEngine

/// Operations applied together: the content that they lead to, and the outcome of each.
///
/// The content is the one that the operations lead to one after the other, without the rejected
/// ones: no timing changes the result. Operations before the last replacement are skipped; only
/// when an id then occurs twice is each one applied and checked by itself, from the first. Edits by
/// ids need no check.
struct MergedOperations<Element: Sendable>: Sendable {
  /// Refuses ids that occur twice in a content; those of `known` are unique.
  typealias Check = (
    _ known: [Element], _ content: [Element]
  ) throws(DuplicateIdentifier) -> Void
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
  /// Whether the current content's ids are known to be unique.
  private let isUnique: Bool

  /// Applies the operations from the last replacement on; the caller checks the ids of the result.
  init(
    _ operations: [Operation<Element>], current: [Element], isUnique: Bool, finish: Finish,
    check: Check
  ) {
    self.operations = operations
    self.current = current
    self.isUnique = isUnique
    content = current
    let first = operations.lastIndex(where: \.isReplacement) ?? 0
    if !applyAll(from: first, finish, check) { applyOneByOne(finish, check) }
  }

  /// Applies operations, without a check of the last one.
  ///
  /// - Returns: Whether no id occurred twice.
  private mutating func applyAll(from first: Int, _ finish: Finish, _ check: Check) -> Bool {
    // Reloads that were asked for before the replacement still happen, where it has the item.
    reloads = operations[..<first].compactMap(\.reload)
    var draft = Draft(current)
    var isUnique = isUnique
    for position in operations.indices[first...] {
      let isLast = position == operations.count - 1
      let isChecked = !isLast && !(isUnique && operations[position].keepsIDsUnique)
      let known = isChecked && isUnique ? draft.content : []
      apply(position, to: &draft, finish)
      if isChecked {
        // An error means that an id occurs twice: they are applied one by one then, and it is told.
        guard (try? check(known, draft.content)) != nil else { return false }
        isUnique = true
      }
    }
    content = draft.content
    return true
  }

  /// Applies each operation by itself, and rejects those after which an id occurs twice.
  mutating func applyOneByOne(_ finish: Finish, _ check: Check) {
    // What was dropped is replaced by the next operation.
    let first = operations.lastIndex(where: \.isDropped).map { $0 + 1 } ?? 0
    errors = [:]
    reloads = operations[..<first].compactMap(\.reload)
    var draft = Draft(current)
    var isUnique = isUnique
    for position in operations.indices[first...] {
      if isUnique && operations[position].keepsIDsUnique {
        apply(position, to: &draft, finish)
        continue
      }
      let before = (draft, reloads)
      apply(position, to: &draft, finish)
      do {
        try check(isUnique ? before.0.content : [], draft.content)
        isUnique = true
      } catch {
        (draft, reloads) = before
        errors[position] = .duplicate(error)
      }
    }
    content = draft.content
  }

  private mutating func apply(_ position: Int, to draft: inout Draft<Element>, _ finish: Finish) {
    let operation = operations[position]
    if case .failure(let error) = operation.apply(to: &draft) {
      errors[position] = error
      return
    }
    // Of a draft that was edited nothing is copied, unless something is left out.
    let finished = finish(draft.content)
    if let reload = operation.reload ?? draft.takeReloads() { reloads.append(reload) }
    if finished.count != draft.content.count { draft.content = finished }
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

  /// Whether the view may animate what is shown: whether all of it may be.
  var isAnimated: Bool {
    operations.indices.allSatisfy { errors[$0] != nil || operations[$0].isAnimated }
  }

  /// Each operation with its outcome, in the order of the calls.
  ///
  /// - Parameter applied: The outcome of the last one that was accepted.
  /// - Returns: The operations with their outcomes.
  func outcomes(
    _ applied: AppliedUpdate
  ) -> [(operation: Operation<Element>, outcome: UpdateOutcome)] {
    let last = lastAccepted
    let hasReplacement = operations.indices.contains {
      operations[$0].isReplacement && errors[$0] == nil
    }
    return operations.indices.map {
      (operations[$0], outcome(of: $0, last: last, hasReplacement: hasReplacement, applied))
    }
  }

  private func outcome(
    of position: Int, last: Int?, hasReplacement: Bool, _ applied: AppliedUpdate
  ) -> UpdateOutcome {
    if let error = errors[position] { return .rejected(error) }
    guard let last, hasReplacement || !operations[position].isDropped else {
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
