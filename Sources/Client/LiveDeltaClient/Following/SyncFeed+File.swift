extension SyncFeed {
  func stored() -> FeedReplicas {
    let contents = FeedReplicas(
      client, collections, holding: options.file?.load(client.owner(of: collections)) ?? [:])
    savedVersions = contents.versions
    return contents
  }

  func pass(on changes: Changes, _ show: Handler) async {
    if sinceStart() - savedAt >= options.savePause { save() }
    await show(.change(changes))
    await tellOfFile(show)
  }

  /// Writes the file, unless it has these versions.
  func save() {
    // The file is that of the first windows.
    guard let file = options.file, contents.versions != savedVersions,
      contents.windows == collections.map(\.view?.window)
    else { return }
    savedAt = sinceStart()
    do {
      try file.save(contents.replicas, client.owner(of: collections))
      (savedVersions, fileFault, toldOfFile) = (contents.versions, nil, false)
    } catch {
      fileFault = .file(reason: "\(error)")
    }
  }

  /// Tells that the file could not be written, once until it could again.
  func tellOfFile(_ show: Handler) async {
    guard let fileFault, !toldOfFile else { return }
    toldOfFile = true
    await show(.interrupted(fileFault, retryAfter: options.savePause))
  }
}
