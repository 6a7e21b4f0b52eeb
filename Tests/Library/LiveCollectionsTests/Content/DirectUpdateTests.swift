import DeltaEngine
import ListTestSupport
import LiveCollections
import Testing

/// Collections without a view: updated at once, by their caller.
@Suite struct DirectUpdateTests {
  @Test func `an update replaces the sections and tells what changed`() throws {
    let data = CollectionSectionData(list("x:AB y:C"))
    let before = data.sections
    let delta = try data.updateNow(list("y:C1A x:B"))
    #expect(text(data.sections) == "y:C1A x:B")
    #expect(delta.changes.movedItems.count == 1)
    #expect(delta.changes.reloadedItems.count == 1)
    try Simulator.check(delta, from: before, to: data.sections)
  }

  @Test func `an equal update changes nothing`() throws {
    let data = CollectionSectionData(list("x:AB"))
    #expect(try data.updateNow(list("x:AB")).isEmpty)
  }

  @Test func `a section without a declared header is reloaded with all but its items`() throws {
    let data = CollectionSectionData([Shelf(uniqueID: 1, title: "New", items: items("A"))])
    let delta = try data.updateNow([Shelf(uniqueID: 1, title: "Now", items: items("AB"))])
    #expect(delta.steps.map(notation) == ["I0.1", "RS0"])
    let next = try data.updateNow([Shelf(uniqueID: 1, title: "Now", items: items("B1"))])
    #expect(next.steps.map(notation) == ["D0.0 R0.1"])
    #expect(data.sections[0].header == Shelf(uniqueID: 1, title: "Now", items: []))
    let sunday = Day(nonUniqueID: 1, title: "Sun", items: ["A", "A"])
    let monday = Day(nonUniqueID: 1, title: "Mon", items: ["A", "A"])
    let days = NonUniqueCollectionSectionData([sunday])
    #expect(try days.calculateDelta([monday]).steps.map(notation) == ["RS0"])
  }

  @Test func `a header that changes reloads the section, its items' changes do not`() throws {
    let data = CollectionSectionData(list("x:AB"))
    #expect(try data.updateNow(list("x:BA")).changes.reloadedSections.isEmpty)
    #expect(try data.updateNow(list("x1:BA")).changes.reloadedSections.count == 1)
  }

  @Test func `a duplicate is refused and nothing is changed`() throws {
    let data = CollectionSectionData(list("x:AB y:C"))
    #expect(
      throws: DuplicateIdentifier(
        kind: .item, side: .target, id: "A", first: [0, 0], second: [1, 0])
    ) { try data.updateNow(list("x:A y:A")) }
    #expect(throws: DuplicateIdentifier.self) { try data.appendNow(list("x:D")) }
    #expect(text(data.sections) == "x:AB y:C")
  }

  @Test func `append adds sections behind those held`() throws {
    let data = CollectionSectionData(list("x:AB"))
    let delta = try data.appendNow(list("y:C z:"))
    #expect(delta.changes.insertedSections.map(\.index) == [1, 2])
    #expect(text(data.sections) == "x:AB y:C z:")
  }

  @Test func `a calculated delta changes nothing`() throws {
    let data = CollectionSectionData(list("x:AB"))
    #expect(try data.calculateDelta(list("x:A")).changes.deletedItems.count == 1)
    #expect(text(data.sections) == "x:AB")
  }

  @Test func `a prepared update is applied once, and not to a later version`() throws {
    let data = CollectionSectionData(list("x:AB"))
    let first = try data.prepareUpdate(list("x:A"))
    let second = try data.prepareUpdate(list("x:B"))
    #expect(text(data.sections) == "x:AB")
    let applied = [data.commit(first), data.commit(second), data.commit(first)]
    #expect(applied == [true, false, false])
    #expect(text(data.sections) == "x:A")
  }

  @Test func `places can be read, and those that are not there too`() {
    let data = CollectionSectionData(list("x:AB y:C z:"))
    #expect(data.sectionCount == 3)
    #expect(data.count == 3)
    #expect(!data.isEmpty)
    #expect(CollectionSectionData<Section>().isEmpty)
    #expect((-1...3).map(data.itemCount(forSection:)) == [0, 2, 1, 0, 0])
    #expect(data[1].uniqueID == "y")
    #expect(data[0, 1].uniqueID == "B")
    #expect(data[ItemPath<TargetSpace>(section: 1, item: 0)].uniqueID == "C")
    #expect(text(data.items) == "ABC")
    #expect(data.item(1, inSection: 1) == nil)
    #expect(data.item(0, inSection: 3) == nil)
    #expect(data.item(0, inSection: 1)?.uniqueID == "C")
  }

  @Test func `a flat collection does the same with items`() throws {
    let data = CollectionData(items("ABC"))
    #expect(try data.updateNow(items("BCA")).changes.movedItems.count == 1)
    #expect(try data.appendNow(items("D")).changes.insertedItems == [ItemPath(section: 0, item: 3)])
    #expect(throws: DuplicateIdentifier.self) { try data.appendNow(items("B")) }
    let prepared = try data.prepareUpdate(items("A"))
    #expect(data.count == 4 && data[3].uniqueID == "D" && data.item(at: 4) == nil)
    let isApplied = data.commit(prepared)
    #expect(isApplied && text(data.items) == "A" && !data.isEmpty)
    #expect(try data.calculateDelta([]).changes.deletedItems.count == 1)
  }

  @Test func `a value can be its own identity`() throws {
    let data = CollectionData(["a", "b"])
    #expect(try data.updateNow(["b", "c"]).changes.reloadedItems.isEmpty)
    #expect(data.items.map(\.rawData) == ["b", "c"])
  }

  @Test func `every base type is its own identity, alone or more than once`() throws {
    try expectOwnIdentity("a", "b")
    try expectOwnIdentity(1 as Int, 2)
    try expectOwnIdentity(1 as Int8, 2)
    try expectOwnIdentity(1 as Int16, 2)
    try expectOwnIdentity(1 as Int32, 2)
    try expectOwnIdentity(1 as Int64, 2)
    try expectOwnIdentity(1 as UInt, 2)
    try expectOwnIdentity(1 as UInt8, 2)
    try expectOwnIdentity(1 as UInt16, 2)
    try expectOwnIdentity(1 as UInt32, 2)
    try expectOwnIdentity(1 as UInt64, 2)
    try expectOwnIdentity(1.5 as Float, 2)
    try expectOwnIdentity(1.5 as Double, 2)
    let zeros = CollectionData([0.0, 1])
    #expect(try zeros.calculateDelta([-0.0, 1]).isEmpty)
    #expect(throws: DuplicateIdentifier.self) { try zeros.updateNow([-0.0, 0]) }
    let numbers = CollectionData([Double.nan, 1])
    let delta = try numbers.updateNow([.nan, 1, .nan])
    #expect(delta.changes.deletedItems.count == 1 && delta.changes.insertedItems.count == 2)
  }

  private func expectOwnIdentity<Value>(_ one: Value, _ other: Value) throws
  where
    Value: UniquelyIdentifiable & NonUniquelyIdentifiable & Sendable, Value.UniqueIDType == Value,
    Value.NonUniqueIDType == Value, Value.RawType == Value
  {
    #expect(one.uniqueID == one && one.rawData == one && one.nonUniqueID == one)
    let data = CollectionData<Value>([one])
    let changes = try data.updateNow([other, one]).changes
    #expect(changes.insertedItems.count == 1 && changes.count == 1)
    let more = NonUniqueCollectionData<Value>([one, other, one])
    #expect(more.items.map(\.occurrence) == [1, 1, 2])
  }

  @Test func `updates from many threads take place one after the other`() async throws {
    let data = CollectionData<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<50 { try data.appendNow([task * 50 + step]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(data.items.sorted() == Array(0..<400))
  }
}

private struct Shelf: UniquelyIdentifiableSection, Sendable {
  var uniqueID: Int
  var title: String
  var items: [Item]
}

private struct Day: NonUniquelyIdentifiableSection, Sendable {
  var nonUniqueID: Int
  var title: String
  var items: [String]
}
