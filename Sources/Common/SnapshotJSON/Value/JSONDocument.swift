/// A validated JSON text with its parsed structure.
public struct JSONDocument: Sendable {
  let storage: JSONStorage

  /// The root value.
  public var root: JSONValue { JSONValue(storage: storage, index: 0) }

  /// The original text.
  public var bytes: [UInt8] { storage.bytes }
}
