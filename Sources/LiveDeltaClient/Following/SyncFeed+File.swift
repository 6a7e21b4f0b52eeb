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
  }

  /// Writes the file, unless it has these versions.
  func save() {
    // The file is that of the first windows.
    guard let file = options.file, contents.versions != savedVersions,
      contents.windows == collections.map(\.view?.window)
    else { return }
    savedAt = sinceStart()
    savedVersions = contents.versions
    // An error costs an initial load at the next start.
    try? file.save(contents.replicas, client.owner(of: collections))
  }
}
