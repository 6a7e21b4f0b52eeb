import VersionedCollections

extension WriteJob {
  /// What must be loaded; collections to be deleted need not be.
  var requirements: Requirements {
    var requirements = Requirements(requestID: requestID)
    if case .writes(let writes) = scope {
      requirements.collections = writes.lazy.filter(\.needsState).map {
        NeededCollection(name: $0.name)
      }
    }
    if key != nil { requirements.records = .some(recordsName) }
    // The store says whether the state that a write rests on is the newest. What a client has must
    // be known before all of it is deleted, and the versions before one is restored.
    let isOld = if case .deleteAll = scope { true } else { revert != nil || conflictCount > 0 }
    requirements.confirmation = isOld ? .always : .ifOld
    return requirements
  }
}
