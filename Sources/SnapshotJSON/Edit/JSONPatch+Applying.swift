extension JSONPatch {
  /// Applies the patch to a document.
  ///
  /// The first operation that exceeds a limit stops it, before the result is created.
  ///
  /// - Parameters:
  ///   - document: The document. If a name occurs several times in an object, the last member
  ///     counts.
  ///   - limits: The limits of the patch.
  /// - Returns: The result; parts not named in an operation keep their order and spelling.
  /// - Throws: Any `JSONPatchError` except `malformed` and `tooManyOperations`.
  /// - Complexity: O(*n* + *s*), where *n* is the total number of bytes and *s* the number of
  ///   steps, both bounded by `limits`.
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
