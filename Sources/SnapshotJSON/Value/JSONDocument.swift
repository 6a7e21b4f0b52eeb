/// A validated JSON text with its parsed structure.
public struct JSONDocument: Sendable {
  let storage: JSONStorage

  /// The root value.
  public var root: JSONValue { JSONValue(storage: storage, index: 0) }

  /// The original text.
  public var bytes: [UInt8] { storage.bytes }
}

/// The bytes of a document and their tape, shared by all values in it.
final class JSONStorage: Sendable {
  let bytes: [UInt8]
  let tape: Tape

  init(bytes: [UInt8], tape: Tape) {
    self.bytes = bytes
    self.tape = tape
  }
}
