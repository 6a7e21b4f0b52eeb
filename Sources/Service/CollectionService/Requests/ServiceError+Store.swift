import VersionedCollections

extension ServiceError {
  init(_ error: StoreError) {
    switch error {
    case .conflict: self = .versionConflict
    case .full: self = .storageFull
    case .unavailable: self = .storeUnavailable
    case .unknown: self = .outcomeUnknown
    case .unsynced: self = .storeUnsynced
    case .damaged: self = .collectionDamaged
    }
  }
}
