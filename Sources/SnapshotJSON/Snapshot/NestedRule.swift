import DeltaEngine

/// The location of lists nested in items, whose changes are tracked separately from those of items.
///
/// The content hash of an item with such a list covers its other members and the existence of the
/// list, but not the list's elements. A value at the path that is not an array of objects with
/// unique ids is ordinary content.
public struct NestedRule: Hashable, Sendable {
  /// The path of the list in an item.
  public var path: JSONPointer
  /// The path of the id in an element of the list.
  public var idPath: JSONPointer

  /// Creates a rule.
  public init(path: JSONPointer, idPath: JSONPointer = .id) {
    self.path = path
    self.idPath = idPath
  }

  /// The hash of an item with a nested list, derived from that of its other content.
  ///
  /// It differs from rule to rule: what is left out of one hash is not what is left out of another.
  func marked(_ content: ContentHash) -> ContentHash {
    var bytes = Array("nested\(path) \(idPath) ".utf8)
    for word in [content.high, content.low] {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return hash128(bytes)
  }
}

/// An element of a nested list.
public struct NestedItem: Sendable {
  /// The text of its id.
  public let id: [UInt8]
  /// The element itself.
  public let value: JSONValue
}

extension JSONValue {
  /// Returns the nested list of an item.
  ///
  /// - Parameters:
  ///   - rule: The location of the list.
  ///   - idBytesMax: The longest id in bytes.
  /// - Returns: The elements in order; nil unless there is an array of objects with unique ids.
  /// - Complexity: O(*n*), where *n* is the number of members in the item and its elements.
  public func nestedItems(
    _ rule: NestedRule, idBytesMax: Int = SnapshotLimits().idBytesMax
  ) -> [NestedItem]? {
    guard let list = value(at: rule.path), list.kind == .array else { return nil }
    var items: [NestedItem] = []
    var seen: Set<[UInt8]> = []
    for element in list.elements {
      guard element.kind == .object, let id = element.value(at: rule.idPath)?.idText,
        1...idBytesMax ~= id.count, seen.insert(id).inserted
      else { return nil }
      items.append(NestedItem(id: id, value: element))
    }
    return items
  }

  /// The text of an id: a string, or an integer as written.
  private var idText: [UInt8]? { isInteger ? Array(rawBytes) : stringBytes }
}
