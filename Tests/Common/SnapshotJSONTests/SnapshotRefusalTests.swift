import SnapshotJSON
import Testing

/// PROTOCOL §3: what is not a snapshot, and where.
struct SnapshotRefusalTests {
  typealias Row = (text: String, code: SnapshotError.Code, pointers: [String])

  static let rows: [Row] = [
    ("7", .badSnapshot, [""]), ("null", .badSnapshot, [""]), (#""a""#, .badSnapshot, [""]),
    ("{}", .badSnapshot, [""]), (#"{"meta":1}"#, .badSnapshot, [""]),
    (#"{"items":[],"sections":[]}"#, .badSnapshot, ["/items"]),
    (#"{"items":[],"a/b~":1}"#, .badSnapshot, ["/a~1b~0"]),
    (#"{"items":[],"versions":1}"#, .badSnapshot, ["/versions"]),
    (#"{"items":[],"items":[]}"#, .badSnapshot, ["/items"]),
    (#"{"items":[],"it\u0065ms":[]}"#, .badSnapshot, ["/items"]),
    (#"{"sections":[],"sections":[]}"#, .badSnapshot, ["/sections"]),
    (#"{"items":[],"meta":1,"meta":1}"#, .badSnapshot, ["/meta"]),
    (#"{"items":{}}"#, .badSnapshot, ["/items"]),
    (#"{"sections":null}"#, .badSnapshot, ["/sections"]),
    (#"{"sections":[7]}"#, .badSnapshot, ["/sections/0"]),
    (#"{"sections":[{"items":[]}]}"#, .badSnapshot, ["/sections/0"]),
    (#"{"sections":[{"id":"a","items":[]},{"id":"b"}]}"#, .badSnapshot, ["/sections/1"]),
    (#"{"sections":[{"id":"a","items":7}]}"#, .badSnapshot, ["/sections/0/items"]),
    (#"{"sections":[{"id":"a","id":"b","items":[]}]}"#, .badSnapshot, ["/sections/0/id"]),
    (#"{"sections":[{"id":"a","items":[],"items":[]}]}"#, .badSnapshot, ["/sections/0/items"]),
    (#"{"sections":[{"id":"","t":1,"items":[]}]}"#, .badSnapshot, ["/sections/0/id"]),
    (
      #"{"sections":[{"id":"","items":[]},{"id":"a","items":[]}]}"#, .badSnapshot,
      ["/sections/0/id"]
    ),
    (#"{"sections":[{"id":null,"items":[]}]}"#, .badSnapshot, ["/sections/0/id"]),
    (#"{"sections":[{"id":1.0,"items":[]}]}"#, .badSnapshot, ["/sections/0/id"]),
    (#"{"sections":[{"id":"a","items":[7]}]}"#, .badSnapshot, ["/sections/0/items/0"]),
    (#"{"sections":[{"id":"a","items":[{"id":1},[]]}]}"#, .badSnapshot, ["/sections/0/items/1"]),
    (
      #"{"sections":[{"id":"a","items":[{"id":1}]},{"id":"b","items":[{"id":2},{}]}]}"#,
      .badSnapshot, ["/sections/1/items/1"]
    ),
    (#"[7]"#, .badSnapshot, ["/0"]), (#"[{"id":1},{"ID":2}]"#, .badSnapshot, ["/1"]),
    (#"{"items":[{"x":{"id":1}}]}"#, .badSnapshot, ["/items/0"]),
    (#"[{"id":1,"id":1}]"#, .badSnapshot, ["/0/id"]),
    (#"[{"id":1,"\u0069d":2}]"#, .badSnapshot, ["/0/id"]),
    (#"[{"id":""}]"#, .badSnapshot, ["/0/id"]), (#"[{"id":true}]"#, .badSnapshot, ["/0/id"]),
    (#"[{"id":[]}]"#, .badSnapshot, ["/0/id"]), (#"[{"id":{}}]"#, .badSnapshot, ["/0/id"]),
    (#"[{"id":1e2}]"#, .badSnapshot, ["/0/id"]), (#"[{"id":7.5}]"#, .badSnapshot, ["/0/id"]),
    (#"[{"id":7},{"id":"7"}]"#, .duplicateID, ["/0/id", "/1/id"]),
    (#"[{"id":"a"},{"id":"b"},{"id":"\u0061"}]"#, .duplicateID, ["/0/id", "/2/id"]),
    (
      #"{"items":[{"id":1},{"id":2},{"id":1},{"id":2},{"id":1}]}"#, .duplicateID,
      ["/items/0/id", "/items/2/id", "/items/4/id", "/items/1/id", "/items/3/id"]
    ),
    (
      #"{"sections":[{"id":"a","items":[]},{"id":"b","items":[]},{"id":"a","items":[]}]}"#,
      .duplicateID, ["/sections/0/id", "/sections/2/id"]
    ),
    (
      #"{"sections":[{"id":"a","items":[{"id":1}]},{"id":"e","items":[]},{"id":"b","items":[{"id":2},{"id":"1"}]}]}"#,
      .duplicateID, ["/sections/0/items/0/id", "/sections/2/items/1/id"]
    ),
  ]

  @Test(arguments: rows.indices)
  func `a value of another shape is refused with a pointer`(row: Int) throws {
    let (text, code, pointers) = SnapshotRefusalTests.rows[row]
    let error = #expect(throws: SnapshotError.self, "\(text)") { try snapshot(text) }
    #expect(error?.code == code, "\(text)")
    #expect(error?.entries.map(\.pointer) == pointers, "\(text)")
    #expect(error?.detail.isEmpty == false)
  }

  @Test func `of many duplicates the first ten places are named`() throws {
    let items = (0..<30).map { #"{"id":\#($0 % 15)}"# }.joined(separator: ",")
    let error = #expect(throws: SnapshotError.self) { try snapshot("[\(items)]") }
    #expect(error?.entries.count == SnapshotError.entriesMax)
    #expect(error?.entries.prefix(4).map(\.pointer) == ["/0/id", "/15/id", "/1/id", "/16/id"])
    #expect(error?.entries.first?.detail == #"item id "0""#)
  }

  private func refusal(_ text: String, _ limits: SnapshotLimits) -> SnapshotError? {
    #expect(throws: SnapshotError.self) { try snapshot(text, limits: limits) }
  }

  @Test func `one item or section over the limit is refused, with the limit`() throws {
    let items = #"{"sections":[{"id":1,"items":[{"id":1}]},{"id":2,"items":[{"id":2}]}]}"#
    _ = try snapshot(items, limits: SnapshotLimits(itemsMax: 2, sectionsMax: 2))
    let many = refusal(items, SnapshotLimits(itemsMax: 1))
    #expect(many?.code == .tooManyItems)
    #expect(many?.limit == 1)
    #expect(many?.entries.map(\.pointer) == ["/sections"])
    let flat = refusal(#"{"items":[{"id":1},{"id":2}]}"#, SnapshotLimits(itemsMax: 1))
    #expect(flat?.entries.map(\.pointer) == ["/items"])
    let sections = refusal(items, SnapshotLimits(sectionsMax: 1))
    #expect(sections?.code == .tooManySections)
    #expect(sections?.limit == 1)
  }

  @Test func `an id is measured in UTF-8 bytes, unescaped`() throws {
    let limits = SnapshotLimits(idBytesMax: 4)
    for id in ["abcd", "éé", #"\u00e9\u00e9"#] {
      _ = try snapshot(#"[{"id":"\#(id)"}]"#, limits: limits)
      let error = refusal(#"[{"id":"\#(id)x"}]"#, limits)
      #expect(error?.code == .idTooLong)
      #expect(error?.limit == 4)
      #expect(error?.entries.map(\.pointer) == ["/0/id"])
    }
    #expect(refusal(#"[{"id":12345}]"#, limits)?.code == .idTooLong)
    let long = String(repeating: "x", count: 256)
    #expect(try snapshot(#"[{"id":"\#(long)"}]"#).items[0].id.count == 256)
  }

  @Test func `an item is measured minified`() throws {
    let limits = SnapshotLimits(itemBytesMax: 8)
    _ = try snapshot(#"[{ "id" :   12 }]"#, limits: SnapshotLimits(itemBytesMax: 9))
    let error = refusal(#"[{"id":1},{"id":12}]"#, limits)
    #expect(error?.code == .itemTooLarge)
    #expect(error?.limit == 8)
    #expect(error?.entries.map(\.pointer) == ["/1"])
  }
}
