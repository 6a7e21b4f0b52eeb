/// The result of applying a JSON Patch, or a part of it.
public struct PatchedJSON: Sendable {
  let tree: JSONNode
  /// An upper bound of the size of the whole document in bytes.
  public let byteCount: Int

  /// Returns the value at a path of reference tokens (RFC 6901); nil if there is none.
  public func value(at tokens: [String]) -> PatchedJSON? {
    var tree = tree
    var work = JSONPatchBudget(stepsMax: .max)
    guard let value = tree.edit(tokens[...], &work, { value, _ in value }) else { return nil }
    return PatchedJSON(tree: value, byteCount: byteCount)
  }

  /// The unescaped string; nil for other kinds.
  public var string: String? {
    if case .text(let value) = tree { value.string } else { nil }
  }
}

extension JSONWriter {
  /// Writes a patched value without white space; parts not named in an operation keep their order
  /// and spelling.
  public mutating func value(_ patched: PatchedJSON) { patched.tree.write(to: &self) }
}
