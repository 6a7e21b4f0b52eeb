import VersionedCollections

/// The collections used since the store last recorded uses.
///
/// They are recorded before a search for unused collections, or when they are many. During a search
/// they stay in memory, because the search needs them.
struct Uses {
  private var used: Set<CollectionKey> = []
  /// Uses that the store is recording already.
  private var beingRecorded: Set<CollectionKey> = []
  /// Whether unused collections are being searched for.
  var isSearching = false

  /// The number of uses from which on they are recorded.
  private static let countMax = 4096

  func contains(_ key: CollectionKey) -> Bool { used.contains(key) }

  /// Adds uses.
  mutating func insert(_ keys: some Sequence<CollectionKey>) { used.formUnion(keys) }

  /// Removes the uses that are to be recorded now; nil if it is not time to.
  mutating func beginRecording() -> [CollectionKey]? {
    guard used.count >= Self.countMax, beingRecorded.isEmpty, !isSearching else { return nil }
    swap(&used, &beingRecorded)
    return Array(beingRecorded)
  }

  /// Records whether the store has recorded what `beginRecording` returned.
  mutating func endRecording(_ isRecorded: Bool) {
    if !isRecorded { used.formUnion(beingRecorded) }
    beingRecorded = []
  }

  /// Begins a search: removes and returns all uses.
  ///
  /// What is being recorded is among them, because it might not be before the search reads.
  mutating func beginSearch() -> [CollectionKey] {
    defer { used = [] }
    isSearching = true
    return Array(used.union(beingRecorded))
  }
}
