import VersionedCollections

/// Readers of views: changes that do not touch what they see.
extension ShardMachine {
  /// Whether a change leaves a waiting reader with what it has, as it is not in its views.
  func misses(_ reader: Reader) -> Bool {
    guard reader.phase == .waiting, reader.isCounted, !reader.isLoading, !isReleasing,
      reader.stream != nil || now < reader.newsUntil, followUntouched(reader)
    else { return false }
    reader.waitingTime?.update(now)
    reader.notified = nil
    return true
  }

  /// Records the newest versions that are known to show a reader the same as its own, so that no answer is made of them.
  ///
  /// - Returns: Whether these are the newest versions of all that the reader has, which is in views.
  @discardableResult
  func followUntouched(_ reader: Reader) -> Bool {
    // An answer that is being made is compared with the head again once it is made.
    if reader.stream?.isBusy == true { return false }
    var isCurrent = !reader.entries.isEmpty
    for index in reader.entries.indices where reader.entries[index].isViewed {
      isCurrent = follow(&reader.entries[index], reader.client) && isCurrent
    }
    return isCurrent && reader.entries.allSatisfy(\.isViewed)
  }

  private func follow(_ entry: inout SyncRequest.Entry, _ client: ClientState) -> Bool {
    guard !entry.movesWindow, entry.isExact, let state = client.collections[entry.name]?.state
    else { return false }
    let visible: VisibleCollection
    do throws(ServiceError) {
      visible = try VisibleCollection(state, entry.access)
    } catch {
      return false
    }
    switch visible.relation(of: entry.newest) {
    case .current: return true
    case .behind(let record, _):
      guard visible.showsSame(entry.view, as: record, jsonReader) else { return false }
      entry.same = visible.token
      return true
    default: return false
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
