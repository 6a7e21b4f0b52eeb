import VersionedCollections

/// Readers of views: changes that do not touch what they see.
extension ShardMachine {
  /// Whether a notified reader goes on waiting at once, because what changed is not in its views.
  func goesOn(_ reader: Reader, _ event: ReaderEvent) -> Bool {
    // A reader whose answer is being made is compared with the head again once it is made.
    guard case .changed = event, !isReleasing, reader.phase == .waiting, !reader.isLoading,
      reader.stream?.isBusy != true, followsUntouched(reader)
    else { return false }
    if let wake = reader.endingWake() { wake.stages?.end(.wake, at: now) }
    return true
  }

  /// Records the newest versions that show a reader the same, where few items have changed since its own.
  ///
  /// - Returns: Whether these are the heads of all its collections, and others than before.
  func followsUntouched(_ reader: Reader) -> Bool {
    var hasFollowed = false
    for index in reader.entries.indices {
      let entry = reader.entries[index]
      guard let state = reader.client.collections[entry.name]?.state else { return false }
      switch state.relation(of: entry.newest) {
      case .current: continue
      case .behind(let record, _):
        guard let query = entry.view, !entry.movesWindow, entry.isExact,
          state.showsSame(query, as: record, jsonReader)
        else { return false }
        reader.entries[index].same = state.token
        hasFollowed = true
      default: return false
      }
    }
    return hasFollowed
  }
}

extension SyncRequest.Entry {
  /// Whether its window is known to be where it is asked for: that around an item may stand at another one, which is
  /// found when it is compared for the first time.
  fileprivate var isExact: Bool {
    if case .around? = view?.window { return same != nil }
    return true
  }
}
