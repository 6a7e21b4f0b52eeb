/// A version, and which of its items a view shows.
package struct ViewedVersion: Sendable {
  package let version: ViewableVersion
  package let members: ViewMembers

  package init(_ version: ViewableVersion, _ members: ViewMembers) {
    self.version = version
    self.members = members
  }

  /// The number of the id of the item at a position in the view.
  func id(at position: Int) -> UInt32 {
    version.item(at: members.flatIndex(at: position)).uniqueID
  }

  /// The flat index of an item that the reader may see; nil if there is none with that id.
  func allowedItem(_ id: UInt32) -> Int? {
    version.flatIndex(of: id).flatMap { members.isAllowed($0) ? $0 : nil }
  }

  func shows(_ id: UInt32) -> Bool { version.flatIndex(of: id).map(members.isShown) ?? false }
}

/// A part of a view's list.
package struct ViewRun: Hashable, Sendable {
  package var total: Int
  package var start: Int
  package var count: Int
  /// Whether it is asked for without a window: it is the whole list, with its empty sections.
  package var isWhole = false
  /// The number of the id of the item that a window around one stands at; nil for other windows, and where the view
  /// shows no item.
  package var anchor: UInt32?
  /// Whether the anchor is the item that was asked for.
  ///
  /// If not, the window is not that of the reader who asks for the same again: what he holds depends on what he
  /// held before.
  package var isExact = true

  var positions: Range<Int> { start..<start + count }
}
