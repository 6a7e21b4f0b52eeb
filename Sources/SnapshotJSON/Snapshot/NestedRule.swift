import DeltaEngine

/// Where items have nested lists, whose changes are kept apart from those of the items.
///
/// With a rule, the content of an item that has such a list is what it has beside the list: its
/// hash says that there is one, and nothing of what is in it. What stands at the path and is no
/// list of objects with ids, each once, is content like any other.
public struct NestedRule: Hashable, Sendable {
  /// Where an item has its list.
  public var path: JSONPointer
  /// Where an element of the list has its id.
  public var idPath: JSONPointer

  /// Puts a rule together.
  public init(path: JSONPointer, idPath: JSONPointer = .id) {
    self.path = path
    self.idPath = idPath
  }

  /// The hash of an item's content that is beside a list, rather than without one.
  func marked(_ content: ContentHash) -> ContentHash {
    var bytes = Array("nested".utf8)
    for word in [content.high, content.low] {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    return hash128(bytes)
  }
}

/// An element of a list inside an item.
public struct NestedItem: Sendable {
  /// The text of its id.
  public let id: [UInt8]
  /// Its content.
  public let value: JSONValue
}

extension JSONValue {
  /// The list that an item has of its own.
  ///
  /// - Parameters:
  ///   - rule: Where it is.
  ///   - idBytesMax: The most bytes of an id.
  /// - Returns: The elements in order; nil when there is no array, or one of other things than
  ///   objects with ids, each once.
  /// - Complexity: O(n) in the members of the item and of its elements.
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

  /// The text of an id: a string, or an integer as it is spelled.
  private var idText: [UInt8]? { isInteger ? Array(rawBytes) : stringBytes }
}
