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
    arranged = await elsewhere(arranged)
    #expect(text(arranged.sections) == "a:A b:B")
    var outline = ItemOutline<Item>()
    try outline.append(items("AB"))
    outline = await elsewhere(outline)
    #expect(text(outline.allItems) == "AB")
    let flat = try await elsewhere(EditableItems(items("AB")))
    #expect(text(flat.items) == "AB")
    let sectioned = try await elsewhere(EditableSections(list("x:A")))
    #expect(text(sectioned.sections) == "x:A")
  }
}
