import SnapshotJSON

/// A JSON value for tests: navigated by subscripts, compared with literals by its text.
struct JSONTree: CustomStringConvertible {
  private let value: JSONValue?

  init(_ bytes: [UInt8]) { value = try? JSONReader().read(bytes).root }

  private init(_ value: JSONValue?) { self.value = value }

  subscript(_ key: String) -> JSONTree { JSONTree(value?[key]) }

  subscript(_ index: Int) -> JSONTree {
    JSONTree(value?.elements.dropFirst(index).first { _ in true })
  }

  /// The elements of an array.
  var array: [JSONTree] { value?.elements.map { JSONTree($0) } ?? [] }

  /// The names of an object's members, in order.
  var keys: [String] { value?.members.map(\.key) ?? [] }

  /// The value's text without white space; `-` for none.
  var description: String {
    guard let value else { return "-" }
    return String(decoding: value.minified(), as: UTF8.self)
  }

  var string: String? { value?.string }
  var int: Int? { value?.int }
  var bool: Bool? { value?.bool }
  var exists: Bool { value != nil }
}
