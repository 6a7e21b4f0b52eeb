import DeltaEngine

/// A content after an edit, and what the edit wants drawn anew.
struct Edited<Element: Sendable>: Sendable {
  var content: [Element]
  /// Finds, in the content after all edits, what is to be drawn anew though it is equal.
  var reloads: (@Sendable (_ content: [Element]) -> ForcedReloads)?

  init(
    _ content: [Element], reloads: (@Sendable (_ content: [Element]) -> ForcedReloads)? = nil
  ) {
    self.content = content
    self.reloads = reloads
  }
}

/// What is to be drawn anew although it is equal.
struct ForcedReloads: Sendable {
  var items: Set<ItemPath<Target>> = []
  var sections: Set<Int> = []

  var isEmpty: Bool { items.isEmpty && sections.isEmpty }

  mutating func formUnion(_ other: ForcedReloads) {
    items.formUnion(other.items)
    sections.formUnion(other.sections)
  }
}

extension Delta {
  /// The delta with items drawn anew although they are equal.
  ///
  /// - Parameters:
  ///   - paths: The items' places in the target.
  ///   - itemCounts: The number of items in each section of the target.
  /// - Returns: The delta with these reloads, staged anew.
  func forcing(_ paths: Set<ItemPath<Target>>, itemCounts: [Int]) -> Delta {
    if paths.isEmpty { return self }
    return isEmpty ? Delta(reloading: paths, itemCounts: itemCounts) : reloading(paths)
  }
}
