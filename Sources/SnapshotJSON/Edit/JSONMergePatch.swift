/// JSON Merge Patch (RFC 7396): a patch that looks like what it changes.
///
/// ```
/// target {"title":"Trip","unread":true}   patch {"unread":null,"place":"Rome"}
/// result {"title":"Trip","place":"Rome"}
/// ```
public enum JSONMergePatch {
  /// The target with the patch applied, without white space.
  ///
  /// Members keep the target's order and spelling; new ones follow in the patch's order. Where a
  /// name occurs twice in one object, the last member counts and one is written.
  ///
  /// - Parameters:
  ///   - patch: Its members replace, with `null` remove, those of the target; a patch that is no
  ///     object replaces the whole.
  ///   - target: What is changed; nil for nothing.
  /// - Returns: The result as JSON text.
  /// - Complexity: O(n + m), n and m being the bytes of the target and the patch.
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
    // RFC 7396 §2: what the patch does not name stays; null removes; all else is merged.
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

  /// A member, with the name of `named` as it is spelled there.
  private static func merge(
    _ change: JSONValue, into value: JSONValue?, as named: JSONValue, _ writer: inout JSONWriter
  ) {
    if change.isNull { return }
    writer.key(of: named)
    merge(change, into: value, &writer)
  }
}

/// The members of an object by the bytes of their names; the last of those with one name, in the
/// place of the first.
///
/// Every edit of JSON goes by this rule: merge patches, JSON Patches, and their tests.
struct LastMembers {
  private(set) var inOrder: [(name: [UInt8], value: JSONValue)] = []
  /// Whether a name occurred twice.
  private(set) var hasRepeats = false
  /// Where each name is in `inOrder`; empty while a search of all is faster.
  private var places: [[UInt8]: Int] = [:]

  /// Objects of at most so many members are searched without a table.
  private static let searchedMax = 8

  /// - Parameter value: Nil, and what is no object, have no members.
  init(_ value: JSONValue?) {
    guard let value else { return }
    for member in value.memberValues { insert(member) }
  }

  /// The value of a member, or nil when there is none.
  func value(named name: [UInt8]) -> JSONValue? { place(of: name).map { inOrder[$0].value } }

  private func place(of name: [UInt8]) -> Int? {
    if inOrder.count > Self.searchedMax { return places[name] }
    return inOrder.firstIndex { $0.name == name }
  }

  private mutating func insert(_ member: JSONValue) {
    let name = member.nameBytes
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

extension JSONValue {
  /// The name of this member's value, its token being the one before.
  fileprivate var name: JSONValue { JSONValue(storage: storage, index: index - 1) }

  fileprivate var nameBytes: [UInt8] { name.stringBytes ?? [] }

  /// The values of an object's members, in order.
  fileprivate var memberValues: some Sequence<JSONValue> {
    let end = kind == .object ? Int(token.next) : 0
    return sequence(state: index + 1) { at -> JSONValue? in
      guard at < end else { return nil }
      let value = JSONValue(storage: storage, index: at + 1)
      at = Int(value.token.next)
      return value
    }
  }
}

extension JSONWriter {
  /// Writes the name of a member's value as it is spelled there.
  mutating func key(of value: JSONValue) { key(rawName: value.name.rawBytes) }

  /// Writes a member of another document as it is spelled there.
  mutating func member(_ value: JSONValue) {
    key(of: value)
    self.value(value)
  }
}
