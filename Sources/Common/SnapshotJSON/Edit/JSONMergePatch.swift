/// JSON Merge Patch (RFC 7396): a patch with the same structure as the document it changes.
///
/// ```
/// target {"title":"Trip","unread":true}   patch {"unread":null,"place":"Rome"}
/// result {"title":"Trip","place":"Rome"}
/// ```
public enum JSONMergePatch {
  /// Applies a patch to a target.
  ///
  /// Members keep the target's order and spelling; new ones follow in the patch's order. If a name
  /// occurs twice in an object, the last member counts, and only one is written.
  ///
  /// - Parameters:
  ///   - patch: A patch whose members replace those of the target, or remove them if they are
  ///     `null`; a patch that is not an object replaces the target.
  ///   - target: The value to change; nil for none.
  /// - Returns: The result as JSON text without white space.
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the lengths of target and patch in bytes.
  public static func apply(_ patch: JSONValue, to target: JSONValue?) -> [UInt8] {
    var writer = JSONWriter(capacity: (target?.range.count ?? 0) + patch.range.count)
    merge(patch, into: target, &writer)
    return writer.bytes
  }

  private static func merge(
    _ patch: JSONValue, into target: JSONValue?, _ writer: inout JSONWriter
  ) {
    guard patch.kind == .object else { return writer.value(patch) }
    let current = LastMembers(target)
    let changes = LastMembers(patch)
    writer.beginObject()
    // RFC 7396 §2: members not in the patch are kept; null removes a member; others are merged.
    for (name, value) in current.inOrder {
      if let change = changes.value(named: name) {
        merge(change, into: value, as: value, &writer)
      } else {
        writer.member(value)
      }
    }
    for (name, change) in changes.inOrder where current.value(named: name) == nil {
      merge(change, into: nil, as: change, &writer)
    }
    writer.endObject()
  }

  /// Merges a member, spelling its name as in `named`.
  private static func merge(
    _ change: JSONValue, into value: JSONValue?, as named: JSONValue, _ writer: inout JSONWriter
  ) {
    if change.isNull { return }
    writer.key(of: named)
    merge(change, into: value, &writer)
  }
}

/// The members of an object by the bytes of their names, in order of first occurrence; for repeated
/// names, the last member counts.
struct LastMembers {
  private(set) var inOrder: [(name: [UInt8], value: JSONValue)] = []
  /// Whether a name occurred twice.
  private(set) var hasRepeats = false
  /// The index of each name in `inOrder`; only used if there are too many to search linearly.
  private var places: [[UInt8]: Int] = [:]

  /// The most members that are searched linearly.
  private static let searchedMax = 8

  /// - Parameter value: The object; nil and other values have no members.
  init(_ value: JSONValue?) {
    guard let value else { return }
    for member in JSONElements(value, .object) { insert(member) }
  }

  /// The value of a member; nil if there is none.
  func value(named name: [UInt8]) -> JSONValue? { place(of: name).map { inOrder[$0].value } }

  private func place(of name: [UInt8]) -> Int? {
    if inOrder.count > Self.searchedMax { return places[name] }
    return inOrder.firstIndex { $0.name == name }
  }

  private mutating func insert(_ member: JSONValue) {
    let name = member.name.stringBytes ?? []
    if let place = place(of: name) {
      inOrder[place].value = member
      hasRepeats = true
      return
    }
    inOrder.append((name, member))
    if inOrder.count == Self.searchedMax + 1 {
      for (place, known) in inOrder.enumerated() { places[known.name] = place }
    } else if inOrder.count > Self.searchedMax {
      places[name] = inOrder.count - 1
    }
  }
}

extension JSONWriter {
  /// Writes the name of a member's value, with its original spelling.
  mutating func key(of value: JSONValue) { key(rawName: value.name.rawBytes) }

  /// Writes a member of another document, with its original spelling.
  mutating func member(_ value: JSONValue) {
    key(of: value)
    self.value(value)
  }
}
