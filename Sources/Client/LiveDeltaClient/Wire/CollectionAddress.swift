/// The identity of a collection: its owner and its name.
public struct CollectionAddress: Hashable, Sendable {
  /// The owner: a user, a device, or a shared audience.
  public var client: String
  /// The name among the owner's collections.
  public var name: String
  /// The JSON pointer to the id in each item, for services whose snapshots do not tell it.
  public var idPath: String
  /// What is shown of it to whoever reads it by this address; `nil` for all.
  ///
  /// It does not matter to writes.
  ///
  /// ```swift
  /// var inbox = CollectionAddress(client: "u42", name: "inbox")
  /// inbox.view = CollectionView(where: ["/unread:eq:true"], select: ["/title"], window: "first:50")
  /// ```
  public var view: CollectionView?

  /// Creates an address.
  public init(client: String, name: String, idPath: String = "/id") {
    self.client = client
    self.name = name
    self.idPath = idPath
  }

  /// Parses `client/name`.
  ///
  /// - Throws: `ClientError.badAddress` unless there are exactly two nonempty parts.
  public init(_ text: String) throws(ClientError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .badAddress("\"\(text)\": a collection is written CLIENT/NAME")
    }
    self.init(client: String(parts[0]), name: String(parts[1]))
  }

  /// The path of the collection's resource.
  public var path: String {
    "/v1/clients/\(client.percentEncoded)/collections/\(name.percentEncoded)"
  }
}

extension CollectionAddress {
  /// The path of a request to read the collection, or what is below it.
  ///
  /// - Parameters:
  ///   - resource: The part of the path below the collection, such as `/delta`.
  ///   - query: The parameters beside those of the view, and those of a window that moves.
  /// - Returns: The path and query.
  package func path(reading resource: String = "", _ query: String = "") -> String {
    let parameters = [query, view?.query ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
    return path + resource + (parameters.isEmpty ? "" : "?" + parameters)
  }
}

extension CollectionAddress: CustomStringConvertible {
  /// `client/name`.
  public var description: String { "\(client)/\(name)" }
}
