package import SnapshotJSON

/// A value of an answer with its position, for error messages.
package struct WireValue {
  package let json: JSONValue
  package let pointer: String

  init(_ json: JSONValue, at pointer: String = "") {
    self.json = json
    self.pointer = pointer
  }

  init(parsing bytes: [UInt8]) throws(ClientError) {
    do {
      self.init(try JSONReader(depthMax: 128, isPortable: true).read(bytes).root)
    } catch {
      throw .malformed("\(error)")
    }
  }

  package func member(_ name: String) throws(ClientError) -> WireValue {
    guard let value = optional(name) else { throw fault("has no \"\(name)\"") }
    return value
  }

  /// Returns a member, or `nil` if it is missing or `null`.
  package func optional(_ name: String) -> WireValue? {
    guard let value = json[name], !value.isNull else { return nil }
    return WireValue(value, at: "\(pointer)/\(name)")
  }

  /// Returns the value at a JSON pointer (RFC 6901).
  package func value(at path: String) throws(ClientError) -> WireValue {
    if path == "/id" { return try member("id") }
    guard let value = json.value(at: path) else { throw fault("has nothing at \"\(path)\"") }
    return WireValue(value, at: pointer + path)
  }

  package func elements() throws(ClientError) -> [WireValue] {
    guard json.kind == .array else { throw fault("is no array") }
    return json.elements.enumerated().map { WireValue($1, at: "\(pointer)/\($0)") }
  }

  package func members() throws(ClientError) -> [(name: String, value: WireValue)] {
    guard json.kind == .object else { throw fault("is no object") }
    return json.members.map { ($0.key, WireValue($0.value, at: "\(pointer)/\($0.key)")) }
  }

  package func string() throws(ClientError) -> String {
    guard let string = json.string else { throw fault("is no string") }
    return string
  }

  package func bool() throws(ClientError) -> Bool {
    guard let bool = json.bool else { throw fault("is no boolean") }
    return bool
  }

  package func int() throws(ClientError) -> Int {
    guard let int = json.int else { throw fault("is no integer") }
    return int
  }

  /// Returns an integer in the range of the engine's indices and counts.
  package func index() throws(ClientError) -> Int {
    let value = try int()
    guard (0...Int(Int32.max)).contains(value) else { throw fault("is no index") }
    return value
  }

  /// Returns an id: a string, or the text of an integer.
  package func id() throws(ClientError) -> ReplicaID {
    if let string = json.string { return ReplicaID(string) }
    guard json.isInteger else { throw fault("is no id") }
    return ReplicaID(json.rawText)
  }

  package func text() throws(ClientError) -> ReplicaID { ReplicaID(try string()) }

  /// Returns the elements of an array with exactly `count` elements.
  package func tuple(_ count: Int) throws(ClientError) -> [WireValue] {
    let elements = try elements()
    guard elements.count == count else {
      throw fault("has \(elements.count) elements, not \(count)")
    }
    return elements
  }

  package func fault(_ reason: String) -> ClientError {
    .malformed("\(pointer.isEmpty ? "the body" : pointer) \(reason)")
  }
}
