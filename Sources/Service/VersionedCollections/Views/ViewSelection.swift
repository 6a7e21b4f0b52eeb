package import SnapshotJSON

/// The members that a view shows of an item, besides its id: `select`.
package struct ViewSelection: Hashable, Sendable {
  /// Their pointers, of which none is inside another; empty if only ids are shown.
  package let pointers: [JSONPointer]

  init(_ pointers: some Sequence<JSONPointer>) {
    // In this order, a pointer follows those that it is inside of.
    let sorted = Set(pointers).sorted {
      $0.tokens.lexicographicallyPrecedes($1.tokens) { $0.lexicographicallyPrecedes($1) }
    }
    var outermost: [JSONPointer] = []
    for pointer in sorted where !(outermost.last?.contains(pointer) ?? false) {
      outermost.append(pointer)
    }
    self.pointers = outermost
  }

  /// Whether all of what is at a pointer is selected.
  func covers(_ pointer: JSONPointer) -> Bool { pointers.contains { $0.contains(pointer) } }

  /// Whether something is selected that is at one of some pointers, inside of it or around it; pointers to whole items
  /// do not count.
  func overlaps(_ others: [JSONPointer]) -> Bool {
    others.contains { other in
      !other.tokens.isEmpty && (covers(other) || ViewSelection([other]).covers(any: pointers))
    }
  }

  private func covers(any others: [JSONPointer]) -> Bool { others.contains(where: covers) }

  func intersection(_ other: ViewSelection) -> ViewSelection {
    ViewSelection(pointers.filter(other.covers) + other.pointers.filter(covers))
  }

  /// The selection with what is at another pointer.
  func adding(_ pointer: JSONPointer) -> ViewSelection { ViewSelection(pointers + [pointer]) }
}

extension JSONPointer {
  /// Whether another pointer leads to the same value or into it.
  fileprivate func contains(_ other: JSONPointer) -> Bool {
    other.tokens.starts(with: tokens)
  }
}

extension JSONPointer {
  /// The approximate size in bytes, with that of its text.
  var byteCount: Int { 2 * description.utf8.count + 48 * tokens.count }
}
