package import SnapshotJSON

// The parts of an answer; errors tell where in it they are.

extension JSONValue {
  init(parsing bytes: [UInt8]) throws(ClientError) {
    do {
      self = try JSONReader(depthMax: 128, isPortable: true).read(bytes).root
    } catch {
      throw .malformed("\(error)")
    }
  }

  package func member(_ name: String) throws(ClientError) -> JSONValue {
    guard let value = optional(name) else { throw fault("has no \"\(name)\"") }
    return value
  }

  /// Returns a member, or `nil` if it is missing or `null`.
  package func optional(_ name: String) -> JSONValue? {
    self[name].flatMap { $0.isNull ? nil : $0 }
  }

  /// Returns the value at a JSON pointer (RFC 6901).
  func required(at path: String) throws(ClientError) -> JSONValue {
    if path == "/id" { return try member("id") }
    guard let value = value(at: path) else { throw fault("has nothing at \"\(path)\"") }
    return value
  }

  package func asArray() throws(ClientError) -> [JSONValue] {
    guard kind == .array else { throw fault("is no array") }
    return Array(elements)
  }

  func asObject() throws(ClientError) -> [(name: String, value: JSONValue)] {
    guard kind == .object else { throw fault("is no object") }
    return members.map { ($0.key, $0.value) }
  }

  package func asString() throws(ClientError) -> String {
    guard let string else { throw fault("is no string") }
    return string
  }

  func asBool() throws(ClientError) -> Bool {
    guard let bool else { throw fault("is no boolean") }
    return bool
  }

  package func asInt() throws(ClientError) -> Int {
    guard let int else { throw fault("is no integer") }
    return int
  }

  /// Returns an integer in the range of the engine's indices and counts.
  func asIndex() throws(ClientError) -> Int {
    let value = try asInt()
    guard (0...Int(Int32.max)).contains(value) else { throw fault("is no index") }
    return value
  }

  /// Returns an id: a string, or the text of an integer.
  func asID() throws(ClientError) -> ReplicaID {
    if let string { return ReplicaID(string) }
    guard isInteger else { throw fault("is no id") }
    return ReplicaID(rawText)
  }

  /// Returns the id that a string is.
  func asTextID() throws(ClientError) -> ReplicaID { ReplicaID(try asString()) }

  /// Returns the elements of an array with exactly `count` elements.
  func asArray(of count: Int) throws(ClientError) -> [JSONValue] {
    let elements = try asArray()
    guard elements.count == count else {
      throw fault("has \(elements.count) elements, not \(count)")
    }
    return elements
  }

  func fault(_ reason: String) -> ClientError {
    .malformed("\(pointer.isEmpty ? "the body" : pointer) \(reason)")
  }
}
