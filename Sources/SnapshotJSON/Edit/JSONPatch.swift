/// JSON Patch (RFC 6902): operations on a document, applied in order, all or none.
///
/// ```json
/// [{"op":"test","path":"/a","value":1},{"op":"move","from":"/a","path":"/b"}]
/// ```
public struct JSONPatch: Sendable {
  /// One operation.
  enum Operation: Sendable {
    case add(JSONPointer, JSONValue)
    case remove(JSONPointer)
    case replace(JSONPointer, JSONValue)
    case move(from: JSONPointer, to: JSONPointer)
    case copy(from: JSONPointer, to: JSONPointer)
    case test(JSONPointer, JSONValue)
  }

  /// How much a patch may do.
  public struct Limits: Hashable, Sendable {
    /// The most operations.
    public var operationsMax: Int
    /// The most bytes of the result; `copy` could double it each time.
    public var byteCountMax: Int
    /// How deep the result may be nested, at most `JSONReader.depthMaxMax`.
    public var depthMax: Int

    /// The limits of the protocol, or others.
    public init(operationsMax: Int = 1000, byteCountMax: Int = 16 << 20, depthMax: Int = 64) {
      self.operationsMax = operationsMax
      self.byteCountMax = byteCountMax
      self.depthMax = min(depthMax, JSONReader.depthMaxMax)
    }
  }

  let operations: [Operation]
  private let limits: Limits

  /// Reads a patch.
  ///
  /// RFC 6902 §3: members that an operation does not define are ignored.
  ///
  /// - Parameters:
  ///   - value: An array of operations.
  ///   - limits: How much it may do.
  /// - Throws: `JSONPatchError.malformed`, `.tooManyOperations`.
  public init(_ value: JSONValue, limits: Limits = Limits()) throws(JSONPatchError) {
    guard value.kind == .array else {
      throw .malformed(pointer: "", detail: "a patch is an array, not \(value.kind.noun)")
    }
    var operations: [Operation] = []
    for operation in value.elements {
      guard operations.count < limits.operationsMax else {
        throw .tooManyOperations(limit: limits.operationsMax)
      }
      operations.append(try Operation(operation, at: "/\(operations.count)"))
    }
    self.operations = operations
    self.limits = limits
  }

  /// The document with the patch applied, without white space.
  ///
  /// - Parameter document: What is changed. In objects with several members of one name, the last
  ///   counts.
  /// - Returns: The result as JSON text; what no operation names keeps its order and spelling.
  /// - Throws: Any `JSONPatchError` but `malformed` and `tooManyOperations`.
  /// - Complexity: O(n + k·m): n bytes in all, k operations, m members or elements of the largest
  ///   container on their paths.
  public func apply(to document: JSONValue) throws(JSONPatchError) -> [UInt8] {
    var editor = JSONPatchEditor(document, limits: limits)
    for (index, operation) in operations.enumerated() {
      try editor.perform(operation, number: index)
    }
    return try editor.text()
  }
}

extension JSONPatch.Operation {
  /// RFC 6902 §4.
  init(_ value: JSONValue, at place: String) throws(JSONPatchError) {
    guard value.kind == .object else {
      throw .malformed(pointer: place, detail: "an operation is an object")
    }
    let path = try Self.pointer("path", of: value, at: place)
    switch value["op"]?.string {
    case "add": self = .add(path, try Self.value(of: value, at: place))
    case "remove": self = .remove(path)
    case "replace": self = .replace(path, try Self.value(of: value, at: place))
    case "move": self = .move(from: try Self.from(value, path, at: place), to: path)
    case "copy": self = .copy(from: try Self.pointer("from", of: value, at: place), to: path)
    case "test": self = .test(path, try Self.value(of: value, at: place))
    default:
      throw .malformed(
        pointer: place + "/op", detail: "op is one of add, remove, replace, move, copy, test")
    }
  }

  private static func pointer(
    _ name: String, of value: JSONValue, at place: String
  ) throws(JSONPatchError) -> JSONPointer {
    guard let pointer = value[name]?.string.flatMap({ JSONPointer($0) }) else {
      throw .malformed(pointer: "\(place)/\(name)", detail: "\(name) is a JSON pointer")
    }
    return pointer
  }

  private static func value(
    of operation: JSONValue, at place: String
  ) throws(JSONPatchError) -> JSONValue {
    guard let value = operation["value"] else {
      throw .malformed(pointer: place, detail: "the operation has no value")
    }
    return value
  }

  /// RFC 6902 §4.4: nothing is moved into itself.
  private static func from(
    _ value: JSONValue, _ path: JSONPointer, at place: String
  ) throws(JSONPatchError) -> JSONPointer {
    let from = try pointer("from", of: value, at: place)
    guard from == path || !path.starts(with: from) else {
      throw .malformed(pointer: place + "/from", detail: "a value cannot move into itself")
    }
    return from
  }
}
