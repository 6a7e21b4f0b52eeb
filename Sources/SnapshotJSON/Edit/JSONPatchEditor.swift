/// A patch being applied to a document.
struct JSONPatchEditor {
  private(set) var root: JSONNode
  private let limits: JSONPatch.Limits
  /// An upper bound of the document's size in bytes.
  private(set) var byteCount: Int
  private var work: JSONPatchBudget

  init(_ document: JSONValue, limits: JSONPatch.Limits) {
    root = .text(document)
    self.limits = limits
    byteCount = document.range.count
    work = JSONPatchBudget(stepsMax: limits.stepsMax)
  }

  mutating func perform(
    _ operation: JSONPatch.Operation, number: Int
  ) throws(JSONPatchError) {
    do throws(JSONPatchError) {
      try apply(operation, number)
    } catch {
      // When the steps are exhausted, existing values are reported as missing.
      throw work.isOver ? .tooMuchWork(operation: number, limit: limits.stepsMax) : error
    }
    guard !work.isOver else {
      throw .tooMuchWork(operation: number, limit: limits.stepsMax)
    }
  }

  private mutating func apply(
    _ operation: JSONPatch.Operation, _ number: Int
  ) throws(JSONPatchError) {
    switch operation {
    case .add(let path, let value): try add(.text(value), at: path, number)
    case .remove(let path): _ = try remove(path, number)
    case .replace(let path, let value): try replace(path, .text(value), number)
    case .move(let from, let path): try move(from, path, number)
    case .copy(let from, let path): try add(try value(at: from, number), at: path, number)
    case .test(let path, let expected):
      guard try value(at: path, number).isEqual(to: .text(expected), &work) else {
        throw .testFailed(operation: number, path: path.description)
      }
    }
  }

  private mutating func value(
    at path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) -> JSONNode {
    guard let value = root.edit(path.tokens[...], &work, { value, _ in value }) else {
      throw .notFound(operation: number, path: path.description)
    }
    return value
  }

  /// Moves a value (RFC 6902 §4.4): a removal followed by an addition.
  ///
  /// A value moved to its own path only has to exist; it cannot be moved into itself.
  private mutating func move(
    _ from: JSONPointer, _ path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) {
    if from == path {
      _ = try value(at: from, number)
      return
    }
    guard !path.starts(with: from) else {
      throw .movedIntoItself(operation: number, path: path.description)
    }
    try add(try remove(from, number), at: path, number)
  }

  private mutating func add(
    _ value: JSONNode, at path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) {
    let extent = try extent(of: value, at: path, number)
    guard let name = path.tokens.last else {
      root = value
      byteCount = extent.byteCount
      return try checkSize(number)
    }
    let added = root.edit(path.tokens.dropLast(), &work) { $0.add(value, name, &$1) } ?? nil
    guard let added else { throw .notFound(operation: number, path: path.description) }
    byteCount += extent.byteCount + added.overhead - size(of: added.old)
    try checkSize(number)
  }

  private mutating func remove(
    _ path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) -> JSONNode {
    // The document itself cannot be removed, because an empty text is not JSON.
    guard let name = path.tokens.last,
      let removed = root.edit(path.tokens.dropLast(), &work, { $0.remove(name, &$1) }) ?? nil,
      let old = removed.old
    else { throw .notFound(operation: number, path: path.description) }
    byteCount -= size(of: old) + removed.overhead
    return old
  }

  private mutating func replace(
    _ path: JSONPointer, _ value: JSONNode, _ number: Int
  ) throws(JSONPatchError) {
    let extent = try extent(of: value, at: path, number)
    let old = root.edit(path.tokens[...], &work) { place, _ in
      let old = place
      place = value
      return old
    }
    guard let old else { throw .notFound(operation: number, path: path.description) }
    byteCount += extent.byteCount - size(of: old)
    try checkSize(number)
  }

  // MARK: Limits

  /// Returns the extent of a value to be inserted at a path; throws `tooDeep`.
  private mutating func extent(
    of value: JSONNode, at path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) -> JSONNode.Extent {
    let extent = value.extent(&work)
    guard path.tokens.count + extent.depth <= limits.depthMax else {
      throw .tooDeep(operation: number, limit: limits.depthMax)
    }
    return extent
  }

  private mutating func size(of old: JSONNode?) -> Int { old?.extent(&work).byteCount ?? 0 }

  private func checkSize(_ number: Int) throws(JSONPatchError) {
    guard byteCount <= limits.byteCountMax else {
      throw .tooLarge(operation: number, limit: limits.byteCountMax)
    }
  }
}
