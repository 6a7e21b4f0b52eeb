extension Snapshot {
  /// Reads and validates a snapshot.
  ///
  /// - Parameters:
  ///   - value: The snapshot's JSON; a whole document or a part of one.
  ///   - limits: The limits of the snapshot.
  ///   - options: How to find and compare ids, items and sections.
  ///   - pointer: The JSON pointer to `value`, prepended to those in errors.
  ///   - markers: The objects that replace elided items, in text order; each makes a gap.
  /// - Returns: The snapshot, which does not retain `value`.
  /// - Throws: `SnapshotError` at the first error; duplicate ids are reported together, up to
  ///   `SnapshotError.entriesMax` of them.
  /// - Complexity: O(*n*) in the number of bytes, and O(*m* log *m*) in the number of members of an
  ///   object.
  public static func read(
    _ value: JSONValue, limits: SnapshotLimits = SnapshotLimits(),
    options: SnapshotOptions = SnapshotOptions(), pointer: String = "",
    markers: [ElisionMarker] = []
  ) throws(SnapshotError) -> Snapshot {
    let result = value.storage.withView { view in
      var reader = SnapshotReader(
        value: value, view: view, limits: limits, options: options,
        pointer: pointer, markers: markers)
      return reader.read()
    }
    guard let result else { throw SnapshotError(.badSnapshot, at: pointer, "no value") }
    return try result.get()
  }
}
