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
    /// The most bytes of the document after each operation; `copy` could double it each time.
    public var byteCountMax: Int
    /// How deep the document may be nested, at most `JSONReader.depthMaxMax`.
    public var depthMax: Int
    /// The most steps of all operations together: about one for each value that is visited,
    /// copied or moved.
    public var stepsMax: Int

    /// The limits of the protocol, or others.
    public init(
      byteCountMax: Int = 64 << 20, depthMax: Int = 64,
      stepsMax: Int = 10_000_000
    ) {
      self.byteCountMax = byteCountMax
      self.depthMax = min(depthMax, JSONReader.depthMaxMax)
      self.stepsMax = stepsMax
    }
  }

  let operations: [Operation]

  /// Reads a patch.
  ///
  /// RFC 6902 §3: members that an operation does not define are ignored.
  ///
  /// - Parameters:
  ///   - value: An array of operations.
  ///   - operationsMax: The most operations.
  /// - Throws: `JSONPatchError.malformed`, `.tooManyOperations`.
  public init(
    _ value: JSONValue, operationsMax: Int = 1000
  ) throws(JSONPatchError) {
    guard value.kind == .array else {
      throw .malformed(pointer: "", detail: "a patch is an array, not \(value.kind.noun)")
    }
    var operations: [Operation] = []
    for operation in value.elements {
      guard operations.count < operationsMax else {
        throw .tooManyOperations(limit: operationsMax)
      }
      operations.append(try Operation(operation, at: "/\(operations.count)"))
    }
    self.operations = operations
  }

  /// The document with the patch applied.
  ///
  /// The first operation that passes a limit ends it, before its result is made.
  ///
  /// - Parameters:
  ///   - document: What is changed. In objects with several members of one name, the last counts.
  ///   - limits: How much the patch may do.
  /// - Returns: The result; what no operation names keeps its order and spelling.
  /// - Throws: Any `JSONPatchError` but `malformed` and `tooManyOperations`.
  /// - Complexity: O(n + s): n bytes in all, s steps, which `limits` bound.
  public func apply(
    to document: JSONValue, limits: Limits = Limits()
  ) throws(JSONPatchError) -> PatchedJSON {
    var editor = JSONPatchEditor(document, limits: limits)
    for (index, operation) in operations.enumerated() {
      try editor.perform(operation, number: index)
    }
    return PatchedJSON(tree: editor.root, byteCount: editor.byteCount)
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
    case "move": self = .move(from: try Self.pointer("from", of: value, at: place), to: path)
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
}
