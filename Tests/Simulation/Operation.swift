import TestSupport

@testable import CollectionService
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
  /// The number of attempts whose outcome is not known.
  var attempts = 0
  /// Whether it has been answered, its connection was cut or its replica was killed.
  var isOver = false
  /// Whether its connection was cut.
  var isCut = false
  /// Whether its writer was told that nothing was written.
  var isRefused = false
  /// What it writes: what becomes of each collection's content.
  var writes: [CollectionKey: Change] = [:]
  /// The versions that it made.
  var versions: [CollectionKey: VersionToken] = [:]
  /// The version that its writer expects.
  var expected: VersionToken?

  enum Change {
    case put(Page)
    case edit(without: String)
    case delete
  }

  init(_ number: Int, _ plan: Plan) {
    self.number = number
    generator = plan.generator(.operation, number)
  }

  /// The item that each of its versions has.
  var mark: Page.Item { Page.Item(id: "w", text: #"{"id":"w","op":\#(number)}"#) }

  /// A page drawn from few items, so that many stay, move and change.
  func randomPage() -> Page {
    var ids = (0..<10).map { "i\($0)" }
    var page = Page(sections: [])
    for section in 0..<(1 + generator.below(2)) {
      var items: [Page.Item] = []
      for _ in 0..<generator.below(5) {
        let id = ids.remove(at: generator.below(ids.count))
        items.append(.init(id: id, text: #"{"id":"\#(id)","v":\#(generator.below(2))}"#))
      }
      if section == 0 { items.insert(mark, at: generator.below(items.count + 1)) }
      page.sections.append(.init(id: "s\(section)", items: items))
    }
    return page
  }

  /// The content of a collection after it, from that before; nil if that is not known.
  func page(of key: CollectionKey, after before: Page?) -> Page? {
    switch writes[key] {
    case .put(let page): return page
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
    case .delete, nil: return nil
    }
  }

  /// The change as it is sent.
  func change(of key: CollectionKey) -> Write.Change {
    switch writes[key] {
    case .put(let page): .put(WriteBody(Array(page.body.utf8)))
    case .edit(let id):
      .edit(
        WriteBody(
          Array(
            (#"{"edits":[{"op":"merge","id":"w","value":{"op":\#(number)}},"#
              + #"{"op":"delete","ids":["\#(id)"],"missing":"ignore"}]}"#).utf8)))
    case .delete, nil: .delete
    }
  }
}

/// What a reader has of one collection.
struct Held {
  var version: VersionToken
  var page: Page
}
