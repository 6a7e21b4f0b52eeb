public import VersionedCollections

extension ReadAnswer {
  /// The version that the reader has after applying the answer.
  public var heldVersion: VersionToken? {
    switch self {
    case .snapshot(let version, _, _), .delta(let version, _), .unchanged(let version, _): version
    case .deleted: nil
    }
  }
}
