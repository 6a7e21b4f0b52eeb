/// What a ticket allows: to read some collections of one client, on behalf of a credential.
struct Ticket: Hashable, Sendable {
  /// When it can no longer be used, in seconds since 1970.
  var expires: Int64
  /// The credential it was issued for.
  var holder: TicketHolder
  var client: String
  var collections: [String]
  /// What a token's holder may see of them; that of a key is in its scopes.
  var view: ImposedView?

  init(
    expires: Int64, holder: TicketHolder, client: String, collections: [String],
    view: ImposedView? = nil
  ) {
    self.expires = expires
    self.holder = holder
    self.client = client
    self.collections = collections
    self.view = view
  }

  /// Whether it allows what a request requires, as far as that is known by its head.
  func meets(_ requirement: Requirement) -> Bool {
    switch requirement {
    case .collection(.read, let client, let name):
      client == self.client && collections.contains(name)
    case .someCollections(.read, let client): client == self.client
    default: false
    }
  }

  // MARK: Bytes

  /// `expires`, the holder, `client/name,name` and the view in base64url if there is one, separated by line feeds.
  var bytes: [UInt8] {
    let view = view.map { "\n" + base64URL(Array($0.text.utf8)) } ?? ""
    return Array(
      "\(expires)\n\(holder)\n\(client)/\(collections.joined(separator: ","))\(view)".utf8)
  }

  /// Parses ``bytes``.
  init?(bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard 3...4 ~= lines.count, let expires = Int64(lines[0]), let holder = TicketHolder(lines[1])
    else { return nil }
    let names = lines[2].split(separator: "/")
    guard names.count == 2 else { return nil }
    var view: ImposedView?
    if lines.count == 4 {
      view = base64URLDecoded(Array(lines[3].utf8)[...]).flatMap {
        ImposedView(String(decoding: $0, as: UTF8.self))
      }
      guard view != nil else { return nil }
    }
    self.init(
      expires: expires, holder: holder, client: String(names[0]),
      collections: names[1].split(separator: ",").map { String($0) }, view: view)
  }
}
