package import SnapshotJSON

/// A version, and which of its items a view shows.
package struct ViewedVersion: Sendable {
  package let version: ViewableVersion
  package let members: ViewMembers
  /// The path of the ids in items and sections.
  let idPath: JSONPointer

  package init(_ version: ViewableVersion, _ members: ViewMembers, idPath: JSONPointer) {
    self.version = version
    self.members = members
    self.idPath = idPath
  }
}

/// A part of a view's list.
package struct ViewRun: Hashable, Sendable {
  package var total: Int
  package var start: Int
  package var count: Int
  /// Whether it is asked for without a window: it is the whole list, with its empty sections.
  package var isWhole = false
  /// The number of the id of the item that a window around one stands at, counted in the whole view; nil for other
  /// windows, and where the view shows no item.
  package var anchor: UInt32?
  /// Whether the anchor is the item that was asked for.
  ///
  /// If not, the window is not that of the reader who asks for the same again: what he holds depends on what he
  /// held before.
  package var isExact = true
  /// Whether the collection knows no such id as was asked for, not even of an older version, or the view is empty.
  package var isOfUnknownID = false

  var positions: Range<Int> { start..<start + count }
}
