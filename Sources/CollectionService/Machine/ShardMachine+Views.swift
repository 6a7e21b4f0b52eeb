import VersionedCollections

/// Readers of views: changes that do not touch what they see.
extension ShardMachine {
  /// Records the newest versions that are known to show a reader the same as its own, so that no answer is made of them.
  func followUntouched(_ reader: Reader) {
    // An answer that is being made is compared with the head again once it is made.
    if reader.stream?.isBusy == true { return }
    for index in reader.entries.indices {
      let entry = reader.entries[index]
      guard let query = entry.view, !entry.movesWindow, entry.isExact,
        let state = reader.client.collections[entry.name]?.state,
        case .behind(let record, _) = state.relation(of: entry.newest),
        state.showsSame(query, as: record, jsonReader)
      else { continue }
      reader.entries[index].same = state.token
    }
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
