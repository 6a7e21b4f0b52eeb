import VersionedCollections

extension Shard {
  /// Performs work once the contents of a version are read; one old version at a time.
  ///
  /// If the store does not have the contents, those that the head also has are used.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - client: The owner of the collection.
  ///   - requestID: The request's ID in the log.
  ///   - work: Called once, on any queue, with the version or the store's error, and with a
  ///     function to call when the version is no longer needed.
  func withContents(
    of version: RetainedVersion, _ client: ResourceName, _ requestID: RequestID?,
    _ work:
      @escaping @Sendable (
        AnswerMaker, Result<RetainedVersion, ServiceFailure>, _ end: @escaping @Sendable () -> Void
      ) -> Void
  ) {
    let byteCount = version.collection.contents.byteCount
    guard version.contents == nil else {
      return withMaker(of: byteCount) { work($0, .success(version)) {} }
    }
    guard context.store.keepsContents else {
      return withMaker(of: byteCount) { maker in
        var version = version
        version.takeHeld()
        work(maker, .success(version)) {}
      }
    }
    let name = version.collection.name
    context.versionQueue.enter { [context] in
      context.store.read([.version(name, version.token)], of: client) { results in
        self.withMaker(of: .max) { maker in
          var version = version
          var failure: ServiceFailure?
          switch results[0] {
          case .success(.version(let stored?)): version.take(stored)
          case .success: break
          case .failure(let error):
            context.faults(Fault(error, client: client, collection: name, requestID: requestID))
            if case .damaged = error { break }
            failure = ServiceFailure(ServiceError(error), current: version.collection.token)
          }
          if version.contents == nil { version.takeHeld() }
          let result: Result<RetainedVersion, ServiceFailure> =
            if let failure { .failure(failure) } else { .success(version) }
          work(maker, result) { context.versionQueue.leave() }
        }
      }
    }
  }
}
