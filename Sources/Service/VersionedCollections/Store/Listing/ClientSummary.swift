/// An entry of the index of clients.
public struct ClientSummary: Hashable, Sendable {
  /// Its name.
  public var name: ResourceName
  /// The number of its collections.
  public var collectionCount: Int

  /// Creates a summary.
  public init(name: ResourceName, collectionCount: Int) {
    self.name = name
    self.collectionCount = collectionCount
  }
}
