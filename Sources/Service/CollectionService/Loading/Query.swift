import VersionedCollections

/// A question about a client's collections, answered once what it needs is loaded.
struct Query: Sendable {
  /// What is asked, and where the answer goes.
  enum Kind: Sendable {
    /// A collection's newest version; nil if there is none, or if it cannot be read.
    case version(ResourceName, Reply<VersionToken?>)
    /// Whether anybody may read a collection; nil if that is known only once it is loaded.
    case audience(ResourceName, Reply<Bool?>)
    /// A page of the client's collections by name, without those that are damaged in the store.
    case index(after: ResourceName?, limit: Int, Reply<Result<IndexPage, ServiceFailure>>)
    /// A collection's state.
    case collection(ResourceName, Reply<Result<CollectionState, ServiceFailure>>)
  }

  let client: ResourceName
  let requirements: Requirements
  let kind: Kind
}

/// A page of a client's collections, and whether there are more.
typealias IndexPage = (page: [CollectionSummary], hasMore: Bool)
