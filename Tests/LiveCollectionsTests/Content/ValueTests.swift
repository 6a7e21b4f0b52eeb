import DeltaEngine
import ListTestSupport
import LiveCollections
import Testing

/// Values of the library, in another task.
@Suite struct ValueTests {
  private func elsewhere<Value: Sendable>(_ value: Value) async -> Value {
    await Task.detached { value }.value
  }

  @Test func `values can be made on one thread and used on another`() async throws {
    let order = await elsewhere(ItemOrder<Item>(\.id).then(\.revision, descending: true))
    #expect(text(order.sorted(items("BA1AC"))) == "A1ABC")
    let grouping = await elsewhere(
      SectionGrouping<Section>(by: \.id) { Section(id: $0.lowercased(), items: $1) })
    var arranged = await elsewhere(ArrangedItems(sections: grouping, order: order))
    try arranged.setItems(items("BA"))
    #expect(text(await elsewhere(arranged).sections) == "a:A b:B")
    var outline = ItemOutline<Item>()
    try outline.append(items("AB"))
    #expect(text(await elsewhere(outline).allItems) == "AB")
    #expect(text(await elsewhere(try EditableItems(items("AB"))).items) == "AB")
    #expect(text(await elsewhere(try EditableSections(list("x:A"))).sections) == "x:A")
  }
}
