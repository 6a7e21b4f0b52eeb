import VersionedCollections

/// The reasons to evaluate a reader.
enum ReaderEvent {
  /// It arrived, and what it asks for is loaded.
  case begun
  /// A collection has a new version or was created.
  case changed
  /// A collection was deleted; its last version.
  case deleted(VersionToken)
  /// Its connection can be written to again.
  case writable
  /// An event was sent to it.
  case sent
  /// The deadline has passed.
  case deadline
  /// It waits for changes no longer.
  case waitEnded
  /// The requirements have been loaded.
  case loaded
  /// The requirements could not be loaded.
  case failed(LoadFailure)

  var isLoaded: Bool { if case .loaded = self { true } else { false } }
}
