extension DeltaClient {
  /// Whose content a file has: the service, the collections, where their items have ids, and what is shown of them.
  func owner(of collections: [CollectionAddress]) -> String {
    let names = collections.map { "\($0) \($0.idPath)" + ($0.view.map { "?\($0.query)" } ?? "") }
    return "\(address) " + names.sorted().joined(separator: " ")
  }
}
