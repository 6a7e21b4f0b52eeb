import VersionedCollections

/// What a reader may see of its collections, as of now.
extension Reader {
  /// Whether it may read nothing but public collections.
  var isStranger: Bool { entries.contains { $0.access == .ifPublic } }

  /// What becomes of a reader by who may read its collections.
  enum Admission {
    case admitted
    case refused
    /// The collections must be loaded to tell.
    case unknown([SyncRequest.Entry])
  }

  /// Decides, as of now, what the reader may see of its collections.
  ///
  /// Whoever is restricted to a view once stays so: what it is sent is never kept by shared caches. One that holds
  /// more than its view shows gets a snapshot of that.
  func admission() -> Admission {
    var unknown: [SyncRequest.Entry] = []
    for (index, entry) in entries.enumerated() where entry.access != .granted {
      switch (client.isPublic(entry.name), entry.access) {
      case (true?, _), (_, .granted): break
      case (nil, _): unknown.append(SyncRequest.Entry(name: entry.name, since: nil))
      case (false?, .ifPublic): return .refused
      case (false?, .restricted(let view)):
        entries[index].access = .granted
        entries[index].view = view
        if isCounted { (entries[index].since, entries[index].same) = (nil, nil) }
      }
    }
    return unknown.isEmpty ? .admitted : .unknown(unknown)
  }
}
