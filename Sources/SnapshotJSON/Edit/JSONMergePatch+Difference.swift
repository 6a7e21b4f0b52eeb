// Patches are made so that nobody has to trust them: what RFC 7396 cannot say has none.

extension JSONMergePatch {
  /// The merge patch that makes one object of another.
  ///
  /// Members that are equal are left out, those that are gone are `null`, and objects that both have
  /// are patched inside; all else is there whole, arrays too. Values are equal as contents are: in any
  /// order and spelling, numbers by their text.
  ///
  /// ```
  /// source {"title":"Trip","unread":true}   target {"title":"Trip","place":"Rome"}
  /// patch {"place":"Rome","unread":null}
  /// ```
  ///
  /// - Returns: The patch as JSON text; nil when there is none, since a member that is new or changed
  ///   is or has a `null` (RFC 7396 §1), since a name occurs twice in an object, or since one of the
  ///   two is no object.
  /// - Complexity: O(n + m), n and m being the bytes of the two.
  public static func difference(from source: JSONValue, to target: JSONValue) -> [UInt8]? {
    guard source.kind == .object, target.kind == .object else { return nil }
    var writer = JSONWriter(capacity: 256)
    return writeDifference(from: source, to: target, &writer) ? writer.bytes : nil
  }

  /// - Returns: Whether there is a patch; if not, what was written is of no use.
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
  /// Whether a merge patch brings the value as it is: not where an object in it would lose a member.
  fileprivate var staysWhole: Bool {
    if isNull { return false }
    guard kind == .object else { return true }
    let members = LastMembers(self)
    return !members.hasRepeats && members.inOrder.allSatisfy(\.value.staysWhole)
  }
}
