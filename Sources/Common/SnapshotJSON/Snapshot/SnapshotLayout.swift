/// The locations of the top-level parts of a snapshot.
struct SnapshotLayout {
  /// The array of sections or items.
  let list: UInt32
  /// Whether `list` contains items.
  let isFlat: Bool
  var meta: UInt32?
  var settings: UInt32?
  /// The version named in the document, as in those that readers get from the service.
  var version: UInt32?
}
