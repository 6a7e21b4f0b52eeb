import VersionedCollections

extension ShardMachine {
  /// Answers a question whose requirements are loaded, or could not be.
  mutating func answer(_ query: Query, _ client: ClientState, _ failure: LoadFailure?) {
    switch query.kind {
    case .version(let name, let reply):
      let isReadable = failure == nil && client.readableNames.contains(name)
      actions.append(.tell(reply(isReadable ? client.head(name) : nil)))
    case .audience(let name, let reply):
      actions.append(.tell(reply(failure == nil ? client.isPublic(name) : false)))
    case .index(let after, let limit, let reply):
      if let failure {
        let failure = ServiceFailure(ServiceError(failure), current: nil)
        return actions.append(.tell(reply(.failure(failure))))
      }
      let rest = client.readableNames.filter { name in after.map { $0 < name } ?? true }.sorted()
      let page = rest.prefix(limit).compactMap {
        client.collections[$0]?.summary ?? client.stored[$0]
      }
      actions.append(.tell(reply(.success((page, rest.count > limit)))))
    case .collection(let name, let reply):
      let error = failure.map { ServiceError($0) } ?? .collectionNotFound
      guard failure == nil, let collection = client.collections[name]?.state else {
        let current = failure == nil ? nil : client.head(name)
        return actions.append(.tell(reply(.failure(ServiceFailure(error, current: current)))))
      }
      actions.append(.tell(reply(.success(collection))))
    }
  }
}
