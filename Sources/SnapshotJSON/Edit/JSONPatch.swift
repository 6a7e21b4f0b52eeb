/// A JSON Patch (RFC 6902): operations that are applied in order, all or none.
///
/// ```json
/// [{"op":"test","path":"/a","value":1},{"op":"move","from":"/a","path":"/b"}]
/// ```
public struct JSONPatch: Sendable {
  enum Operation: Sendable {
    case add(JSONPointer, JSONValue)
    case remove(JSONPointer)
    case replace(JSONPointer, JSONValue)
    case move(from: JSONPointer, to: JSONPointer)
    case copy(from: JSONPointer, to: JSONPointer)
    case test(JSONPointer, JSONValue)
  }

  /// The limits on applying a patch.
  public struct Limits: Hashable, Sendable {
    /// The most bytes in the document after each operation; each `copy` could double it.
    public var byteCountMax: Int
    /// The maximum nesting depth of the document; at most `JSONReader.depthMaxMax`.
    public var depthMax: Int
    /// The most steps of all operations together: about one for each value visited, copied or
    /// moved.
    public var stepsMax: Int

    /// Creates limits; the defaults are those of the protocol.
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

  /// Parses a patch.
  ///
  /// RFC 6902 §3: members not defined for an operation are ignored.
  ///
  /// - Parameters:
  ///   - value: An array of operations.
  ///   - operationsMax: The most operations allowed.
  /// - Throws: `JSONPatchError.malformed` or `.tooManyOperations`.
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
}

extension JSONPatch.Operation {
  /// Parses an operation (RFC 6902 §4).
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
