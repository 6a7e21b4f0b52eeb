/// A list of items as an app shows them, which changes a little from version to version.
struct RandomList {
  struct Item {
    var id: Int
    var revision = 0
  }

  private(set) var items: [Item]
  private let title: String
  private var next: Int
  private var random: SeededGenerator

  init(count: Int, seed: UInt64, title: String = "Item number") {
    self.title = title
    items = (0..<count).map { Item(id: $0) }
    next = count
    random = SeededGenerator(state: seed)
  }

  /// Of 100 items one: two fifths are updated, the others inserted, deleted or moved.
  mutating func change(onePercentOf count: Int) {
    for change in 0..<max(1, count / 100) {
      let place = Int.random(in: 0..<items.count, using: &random)
      switch change % 5 {
      case 0:
        items.insert(Item(id: next), at: place)
        next += 1
      case 1: items.remove(at: place)
      case 2:
        let item = items.remove(at: place)
        items.insert(item, at: Int.random(in: 0...items.count, using: &random))
      default: items[place].revision += 1
      }
    }
  }

  /// The body of a PUT.
  var body: [UInt8] {
    var text = #"{"sections":[{"id":"all","title":"All","items":["#
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," }
      text += "{"
      for (index, member) in members(item).enumerated() {
        text += (index > 0 ? "," : "") + "\"\(member.name)\":\(member.value)"
      }
      text += "}"
    }
    return Array((text + "]}]}").utf8)
  }

  /// An item's members, values as JSON.
  func members(_ item: Item) -> [(name: String, value: String)] {
    [
      ("id", "\"item-\(item.id)\""), ("title", "\"\(title) \(item.id)\""),
      ("subtitle", "\"Something to read about it, revision \(item.revision)\""),
      ("price", "\(item.id % 90).5"), ("unread", "\(item.id % 3 == 0)"),
    ]
  }
}
