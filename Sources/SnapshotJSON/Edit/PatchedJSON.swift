/// A document that a JSON Patch was applied to, or a part of one.
public struct PatchedJSON: Sendable {
  let tree: JSONNode
  /// The most bytes that the text of the whole document has.
  public let byteCount: Int

  /// The value at a path of reference tokens (RFC 6901), or nil when there is none.
  public func value(at tokens: [String]) -> PatchedJSON? {
    var tree = tree
    var work = JSONPatchWork(stepsMax: .max)
    guard let value = tree.edit(tokens[...], &work, { value, _ in value }) else { return nil }
    return PatchedJSON(tree: value, byteCount: byteCount)
  }

  /// The string with its escapes undone, or nil when this is none.
  public var string: String? {
    if case .text(let value) = tree { value.string } else { nil }
  }

  /// The text, without white space; what no operation named keeps its order and spelling.
  public var bytes: [UInt8] {
    var writer = JSONWriter(capacity: byteCount)
    writer.value(self)
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes a value that was patched.
  public mutating func value(_ patched: PatchedJSON) { patched.tree.write(to: &self) }
}
