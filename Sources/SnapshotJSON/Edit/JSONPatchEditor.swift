/// One application of a patch.
struct JSONPatchEditor {
  private var root: JSONTree
  private let limits: JSONPatch.Limits
  /// An upper bound of the size of the result: what was removed is taken off again.
  private var byteCount: Int
  private var operationCount = 0

  init(_ document: JSONValue, limits: JSONPatch.Limits) {
    root = .text(document)
    self.limits = limits
    byteCount = document.range.count
  }

  /// The result as text.
  ///
  /// - Throws: `tooLarge`, for the escapes of names were not foreseen.
  func text() throws(JSONPatchError) -> [UInt8] {
    var writer = JSONWriter(capacity: byteCount)
    root.write(to: &writer)
    guard writer.bytes.count <= limits.byteCountMax else {
      throw .tooLarge(operation: max(operationCount - 1, 0), limit: limits.byteCountMax)
    }
    return writer.bytes
  }

  mutating func perform(
    _ operation: JSONPatch.Operation, number: Int
  ) throws(JSONPatchError) {
    operationCount = number + 1
    switch operation {
    case .add(let path, let value): try add(.text(value), at: path, number)
    case .remove(let path): _ = try remove(path, number)
    case .replace(let path, let value): try replace(path, .text(value), number)
    case .move(let from, let path):
      // RFC 6902 §4.4: a removal, then an addition; onto itself it only has to exist.
      guard from != path else { return try requireValue(from, number) }
      try add(try remove(from, number), at: path, number)
    case .copy(let from, let path):
      guard let value = root.value(from.tokens[...]) else {
        throw .notFound(operation: number, path: from.description)
      }
      try add(value, at: path, number)
    case .test(let path, let expected):
      guard let value = root.value(path.tokens[...]) else {
        throw .notFound(operation: number, path: path.description)
      }
      guard value.isEqual(to: .text(expected)) else {
        throw .testFailed(operation: number, path: path.description)
      }
    }
  }

  private func requireValue(_ path: JSONPointer, _ number: Int) throws(JSONPatchError) {
    guard root.value(path.tokens[...]) != nil else {
      throw .notFound(operation: number, path: path.description)
    }
  }

  private mutating func add(
    _ value: JSONTree, at path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) {
    try grow(value, at: path, number)
    guard let name = path.tokens.last else {
      byteCount -= root.extent.byteCount
      root = value
      return
    }
    let replaced = root.edit(path.tokens.dropLast()) { $0.add(value, name) } ?? nil
    guard let replaced else {
      throw .notFound(operation: number, path: path.description)
    }
    shrink(replaced, at: path)
  }

  private mutating func remove(
    _ path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) -> JSONTree {
    // The whole document cannot be removed: nothing is no JSON text.
    guard let name = path.tokens.last,
      let removed = root.edit(path.tokens.dropLast(), { $0.remove(name) }) ?? nil
    else { throw .notFound(operation: number, path: path.description) }
    shrink(removed, at: path)
    return removed
  }

  private mutating func replace(
    _ path: JSONPointer, _ value: JSONTree, _ number: Int
  ) throws(JSONPatchError) {
    try grow(value, at: path, number)
    var old: JSONTree?
    let isDone: Void? = root.edit(path.tokens[...]) {
      old = $0
      $0 = value
    }
    guard isDone != nil, let old else {
      throw .notFound(operation: number, path: path.description)
    }
    shrink(old, at: path)
  }

  // MARK: Limits

  private mutating func grow(
    _ value: JSONTree, at path: JSONPointer, _ number: Int
  ) throws(JSONPatchError) {
    let extent = value.extent
    guard path.tokens.count + extent.depth <= limits.depthMax else {
      throw .tooDeep(operation: number, limit: limits.depthMax)
    }
    byteCount += extent.byteCount + JSONPatchEditor.nameCost(path)
    guard byteCount <= limits.byteCountMax else {
      throw .tooLarge(operation: number, limit: limits.byteCountMax)
    }
  }

  private mutating func shrink(_ removed: JSONTree?, at path: JSONPointer) {
    if let removed { byteCount -= removed.extent.byteCount + JSONPatchEditor.nameCost(path) }
  }

  /// A name, its quotes, a colon and a comma.
  private static func nameCost(_ path: JSONPointer) -> Int {
    (path.tokens.last?.utf8.count ?? 0) + 4
  }
}

extension JSONTree {
  /// The value at a path, or nil.
  func value(_ path: ArraySlice<String>) -> JSONTree? {
    guard let name = path.first else { return self }
    switch self {
    case .text(let value):
      return value.value(at: JSONPointer(tokens: Array(path))).map { .text($0) }
    case .array(let elements):
      guard let index = JSONPointer.arrayIndex(name), index < elements.count else { return nil }
      return elements[index].value(path.dropFirst())
    case .object(let members):
      return members.first { $0.isNamed(name) }?.value.value(path.dropFirst())
    }
  }

  /// Changes the value at a path in place; nil when there is none.
  ///
  /// While a part is changed its parent holds nothing of it, so that nothing is copied.
  mutating func edit<Result>(
    _ path: ArraySlice<String>, _ body: (inout JSONTree) -> Result
  ) -> Result? {
    guard let name = path.first else { return body(&self) }
    takeApart()
    switch self {
    case .text: return nil
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(name), index < elements.count else { return nil }
      self = .array([])
      defer { self = .array(elements) }
      return elements[index].edit(path.dropFirst(), body)
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.isNamed(name) }) else {
        return nil
      }
      self = .object([])
      defer { self = .object(members) }
      return members[index].value.edit(path.dropFirst(), body)
    }
  }

  /// RFC 6902 §4.1.
  ///
  /// - Returns: nil when nothing can be added here; else what was replaced, if anything was.
  fileprivate mutating func add(_ value: JSONTree, _ name: String) -> JSONTree?? {
    takeApart()
    switch self {
    case .text: return nil
    case .array(var elements):
      guard let index = name == "-" ? elements.count : JSONPointer.arrayIndex(name),
        index <= elements.count
      else { return nil }
      self = .array([])
      elements.insert(value, at: index)
      self = .array(elements)
      return .some(nil)
    case .object(var members):
      self = .object([])
      defer { self = .object(members) }
      guard let index = members.firstIndex(where: { $0.isNamed(name) }) else {
        members.append(Member(name: Array(name.utf8), value: value))
        return .some(nil)
      }
      let old = members[index].value
      members[index].value = value
      return .some(old)
    }
  }

  /// RFC 6902 §4.2; nil when there is nothing to remove.
  fileprivate mutating func remove(_ name: String) -> JSONTree? {
    takeApart()
    switch self {
    case .text: return nil
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(name), index < elements.count else { return nil }
      self = .array([])
      defer { self = .array(elements) }
      return elements.remove(at: index)
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.isNamed(name) }) else {
        return nil
      }
      self = .object([])
      defer { self = .object(members) }
      return members.remove(at: index).value
    }
  }
}
