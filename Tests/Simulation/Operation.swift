import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import LiveDeltaClient
@testable import VersionedCollections

/// What one user does once.
///
/// All it needs is drawn from numbers of its own, so that it is the same without others.
/// `@unchecked Sendable`: a simulation has one thread.
final class Operation: @unchecked Sendable {
  let number: Int
  var generator: SeededGenerator
  /// When it was sent first, and when the last attempt arrived.
  var sent: Microseconds = 0
  var arrived: Microseconds = 0
  /// When the first attempt arrived.
  var firstArrived: Microseconds = .max
  /// The number of attempts whose outcome is not known.
  var attempts = 0
  /// Whether it has been answered, its connection was cut or its replica was killed.
  var isOver = false { didSet { if isOver { onEnd?() } } }
  /// Called when it is over.
  var onEnd: (() -> Void)?
  /// Whether its connection was cut.
  var isCut = false
  /// The exchange with a replica, if it is a reader's; the replica keeps it.
  weak var exchange: Exchange?
  /// Whether it counts as open at its replica.
  var isOpen = false
  /// Whether its writer was told that nothing was written.
  var isRefused = false
  /// What it writes: what becomes of each collection's content.
  var writes: [CollectionKey: Change] = [:]
  /// The versions that it made.
  var versions: [CollectionKey: VersionToken] = [:]
  /// The last versions of what it deleted.
  var deleted: [CollectionKey: VersionToken] = [:]
  /// When it changed settings.
  var configured: [CollectionKey: Microseconds] = [:]
  /// The version that its writer expects of the first collection.
  var expected: VersionToken?
  /// Whether the store has lost what it did.
  var isLost = false
  /// Whether it may only create.
  var isCreation = false
  /// Whether its key is that of another request.
  var hasForeignKey = false
  /// Whether another request has its key.
  var isKeyTaken = false
  /// The version that its reader has written, or knows of, and shows.
  var shown: VersionToken?
  /// Whether it was answered from memory while the store could not be asked.
  var isStale = false
  /// Whether its reader wants a snapshot, whatever it has.
  var wantsSnapshot = false
  /// How its reader wants deltas.
  var dialect = Dialect.splice

  enum Change {
    case put(Page)
    case edit(without: String)
    case revert(VersionToken, Page)
    /// A setting becomes this number, by which the operation is known.
    case settings(String)
    case delete
  }

  init(_ number: Int, _ plan: Plan) {
    self.number = number
    generator = plan.generator(.operation, number)
  }

  /// The item that each of its versions has.
  var mark: Page.Item { Page.Item(id: "w", text: #"{"id":"w","op":\#(number)}"#) }

  /// The value that it gives to a setting: too high to matter.
  var setting: Int { 9999 - number }

  /// A page drawn from few items, so that many stay, move and change.
  func randomPage() -> Page {
    var ids = (0..<10).map { "i\($0)" }
    var page = Page(sections: [])
    for section in 0..<(1 + generator.below(2)) {
      var items: [Page.Item] = []
      for _ in 0..<generator.below(5) {
        let id = ids.remove(at: generator.below(ids.count))
        items.append(.init(id: id, text: #"{"id":"\#(id)","v":\#(generator.below(3))}"#))
      }
      if section == 0 { items.insert(mark, at: generator.below(items.count + 1)) }
      page.sections.append(.init(id: "s\(section)", items: items))
    }
    return page
  }

  /// The content of a collection after it, from that before; nil if that is not known.
  func page(of key: CollectionKey, after before: Page?) -> Page? {
    switch writes[key] {
    case .put(let page), .revert(_, let page): return page
    case .edit(let id):
      guard var page = before else { return nil }
      for section in page.sections.indices {
        page.sections[section].items.removeAll { $0.id == id }
        for item in page.sections[section].items.indices
        where page.sections[section].items[item].id == "w" {
          page.sections[section].items[item] = mark
        }
      }
      return page
    case .settings, .delete, nil: return nil
    }
  }

  /// The change as it is sent.
  func request(of key: CollectionKey) -> Request {
    var request: Request
    var type = "application/json"
    switch writes[key] {
    case .put(let page):
      request = Request("PUT", key)
      request.body = page.body
    case .edit(let id):
      request = Request("PATCH", key)
      type = "application/vnd.livedelta.edits+json"
      request.body =
        #"{"edits":[{"op":"merge","id":"w","value":{"op":\#(number)}},"#
        + #"{"op":"delete","ids":["\#(id)"],"missing":"ignore"}]}"#
    case .revert(let version, _):
      request = Request("POST", key, "/revert")
      request.body = #"{"to":"\#(version)"}"#
    case .settings(let name):
      request = Request("PATCH", key, "/settings")
      request.body = #"{"\#(name)":\#(setting)}"#
    case .delete, nil: return Request("DELETE", key)
    }
    request.fields.append(("Content-Type", type))
    return request
  }

  /// The changes as they are sent together.
  func request(ofAll keys: [CollectionKey]) -> Request {
    let entries = keys.map { key in
      var text = #"{"collection":"\#(key.name.text)","#
      if case .put(let page)? = writes[key] {
        text += #""put":\#(page.body)"#
      } else {
        text += #""delete":true"#
      }
      if key == keys[0] {
        if let expected { text += #","ifVersion":"\#(expected)""# }
        if isCreation { text += #","ifNoneMatch":"*""# }
      }
      return text + "}"
    }
    var request = Request("POST", "/v1/clients/\(keys[0].client.text)/batch")
    request.fields.append(("Content-Type", "application/json"))
    request.body = #"{"writes":[\#(entries.joined(separator: ","))]}"#
    return request
  }
}

/// What a reader has of one collection.
struct Held {
  var version: VersionToken
  /// What it shows of it, if the reader has a view.
  var page: Page
  /// What the client's own code has, if the reader uses it.
  var replica: CollectionReplica?
  /// The window that the reader of a view has.
  var window: PageView.Window?
}
