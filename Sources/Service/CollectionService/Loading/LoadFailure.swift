import VersionedCollections

/// Why a request could not be loaded.
enum LoadFailure: Error {
  /// The store failed to read a part.
  case store(StoreError)
  /// The request's collections together exceed the limit for one request.
  case tooLarge(limit: Int)
}

extension ServiceError {
  init(_ failure: LoadFailure) {
    switch failure {
    case .store(let error): self.init(error)
    case .tooLarge(let limit):
      self = .limitPassed(
        PassedLimit(
          .bytes, "",
          "the collections that the request is about have more than \(limit) bytes of contents "
            + "together: ask for fewer at once", limit: limit))
    }
  }
}
