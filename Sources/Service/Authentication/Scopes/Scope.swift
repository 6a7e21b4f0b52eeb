/// What may be done to a collection.
package enum Access: String, CaseIterable, Hashable, Sendable {
  case read, write
}

/// One thing that a credential allows.
///
/// ```text
/// write:u42              all collections of the client u42, and the client itself
/// write:u*/inbox         the collection inbox of every client whose name begins with u
/// read:public/news-*     may be read, not written
/// read:u*/feed?where=/public:eq:true&select=/id,/title
///                        of what may be read, only what this view shows
/// write:**               everything that clients have
/// changes                the feed of changes
/// admin                  the operations listener
/// ```
package enum Scope: Hashable, Sendable {
  /// Collections, by the names of the client and of the collection; writing includes reading.
  case collections(Access, Pattern)
  case changes
  /// What operators do; contents are not among it.
  case admin

  /// Which collections of which clients.
  package struct Pattern: Hashable, Sendable {
    let client: Glob
    let collection: Glob
    /// What is shown of them; nil for all.
    var view: ImposedView?
  }

  /// Reads a scope as it is written in a keys file; throws `ScopeError`, which says what is wrong with it.
  package init(_ text: String) throws(ScopeError) {
    switch text {
    case "changes": self = .changes
    case "admin": self = .admin
    default:
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let access = Access(rawValue: String(parts[0])) else {
        throw .unknown(text)
      }
      let names = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      guard var pattern = Pattern(names[0]) else { throw .badPattern(text) }
      if names.count == 2 {
        let view = ImposedView(names[1])
        guard access == .read, case .text = view else { throw .badView(text) }
        pattern.view = view
      }
      self = .collections(access, pattern)
    }
  }

  /// Allows to do something to collections, given by patterns for their names.
  ///
  /// - Throws: `ScopeError` when one of the patterns is none.
  init(
    _ access: Access, client: String, collection: String, view: ImposedView? = nil
  ) throws(ScopeError) {
    guard let client = Glob(client[...]), let collection = Glob(collection[...]) else {
      throw .badPattern("\(access.rawValue):\(client)/\(collection)")
    }
    self = .collections(access, Pattern(client: client, collection: collection, view: view))
  }

  /// What is shown of what it allows to read; nil for all.
  package var view: ImposedView? {
    if case .collections(_, let pattern) = self { pattern.view } else { nil }
  }
}

extension Scope.Pattern {
  /// Reads `<client-glob>[/<collection-glob>]`; nil when it is not that.
  init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, let client = Glob(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(client: client, collection: .all)
      return
    }
    guard let collection = Glob(parts[1]) else { return nil }
    self.init(client: client, collection: collection)
  }
}

extension Scope: CustomStringConvertible {
  package var description: String {
    switch self {
    case .changes: "changes"
    case .admin: "admin"
    case .collections(let access, let pattern):
      "\(access.rawValue):\(pattern.client.text)/\(pattern.collection.text)"
        + (pattern.view.map { "?\($0)" } ?? "")
    }
  }
}

/// Why a text is not a scope.
package enum ScopeError: Error, Hashable, CustomStringConvertible {
  /// It begins with none of the words.
  case unknown(String)
  /// What follows the word is not a pattern.
  case badPattern(String)
  /// It imposes a view and allows to write, or the view is empty, too long or not UTF-8.
  case badView(String)
  /// The view that it imposes has no meaning; why.
  case refusedView(String)

  /// What is wrong, and how it is written.
  package var description: String {
    switch self {
    case .unknown(let text):
      "\"\(text)\" is not a scope; there are read:CLIENT[/COLLECTION], write:CLIENT[/COLLECTION], "
        + "changes and admin"
    case .badPattern(let text):
      "\"\(text)\" is not a scope: CLIENT and COLLECTION are names of A-Za-z0-9._~:@- in which * stands "
        + "for any part, or ** for all"
    case .badView(let text):
      "\"\(text.prefix(200))\" is not a scope: only read: is followed by a view, as in "
        + "read:u*/feed?where=/public:eq:true, of at most \(ImposedView.bytesMax) bytes"
    case .refusedView(let fault): "the view of a scope cannot be understood: \(fault)"
    }
  }
}
