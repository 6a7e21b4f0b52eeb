// A difference that RFC 7396 cannot express has no patch.

extension JSONMergePatch {
  /// Returns the merge patch from one object to another.
  ///
  /// Equal members are omitted, removed members are `null`, and objects present in both are patched
  /// recursively; all other values are included in full, arrays too. Values are equal if their
  /// contents are: in any order and spelling, with numbers compared as text.
  ///
  /// ```
  /// source {"title":"Trip","unread":true}   target {"title":"Trip","place":"Rome"}
  /// patch {"place":"Rome","unread":null}
  /// ```
  ///
  /// - Returns: The patch as JSON text; nil if there is none, because a new or changed member is or
  ///   contains `null` (RFC 7396 §1), a name occurs twice in an object, or a value is not an
  ///   object.
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the lengths of the values in bytes.
  public static func difference(from source: JSONValue, to target: JSONValue) -> [UInt8]? {
    guard source.kind == .object, target.kind == .object else { return nil }
    var writer = JSONWriter(capacity: 256)
    return writeDifference(from: source, to: target, &writer) ? writer.bytes : nil
  }

  /// - Returns: Whether there is a patch; if not, the output must be discarded.
  private static func writeDifference(
    from source: JSONValue, to target: JSONValue, _ writer: inout JSONWriter
  ) -> Bool {
    let (old, new) = (LastMembers(source), LastMembers(target))
    if old.hasRepeats || new.hasRepeats { return false }
    writer.beginObject()
    for (name, value) in new.inOrder {
      guard writeMember(value, before: old.value(named: name), &writer) else { return false }
    }
    for (name, value) in old.inOrder where new.value(named: name) == nil {
      writer.key(of: value)
      writer.null()
    }
    writer.endObject()
    return true
  }

  private static func writeMember(
    _ value: JSONValue, before: JSONValue?, _ writer: inout JSONWriter
  ) -> Bool {
    if let before {
      if before.rawBytes == value.rawBytes || before.contentHash() == value.contentHash() {
        return true
      }
      if before.kind == .object, value.kind == .object {
        writer.key(of: value)
        return writeDifference(from: before, to: value, &writer)
      }
    }
    guard value.staysWhole else { return false }
    writer.member(value)
    return true
  }
}

extension JSONValue {
  /// Whether a merge patch would insert the value unchanged, instead of removing members of
  /// objects.
  fileprivate var staysWhole: Bool {
    if isNull { return false }
    guard kind == .object else { return true }
    let members = LastMembers(self)
    return !members.hasRepeats && members.inOrder.allSatisfy(\.value.staysWhole)
  }
}
