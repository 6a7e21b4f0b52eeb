/// A validated JSON text.
public struct JSONDocument: Sendable {
  let storage: JSONStorage

  /// The text's value.
  public var root: JSONValue { JSONValue(storage: storage, index: 0) }

  /// The text as it was read.
  public var bytes: [UInt8] { storage.bytes }
}

/// The bytes of a document and their tape, shared by all its values.
final class JSONStorage: Sendable {
  let bytes: [UInt8]
  let tape: [Token]

  init(bytes: [UInt8], tape: [Token]) {
    self.bytes = bytes
    self.tape = tape
  }
}
