import SnapshotJSON
import TestSupport
import Testing
import VersionedCollections

@Suite struct JSONPatchWriteTests {
  static let start =
    #"{"sections":[{"id":"s","items":[{"id":1,"x":[1,{"y":2}]},{"id":2}]},{"id":"t","items":[]}],"meta":{"m":1}}"#

  static let applied: [(String, String)] = [
    (#"{"op":"remove","path":"/sections/0/items/0"}"#, "s:2;t:"),
    (#"{"op":"add","path":"/sections/0/items/-","value":{"id":3}}"#, "s:1,2,3;t:"),
    (#"{"op":"add","path":"/sections/0/items/0","value":{"id":3}}"#, "s:3,1,2;t:"),
    (#"{"op":"replace","path":"/sections/0/items/0","value":{"id":3}}"#, "s:3,2;t:"),
    (#"{"op":"move","from":"/sections/0/items/0","path":"/sections/1/items/0"}"#, "s:2;t:1"),
    (
      #"{"op":"copy","from":"/sections/0/items/0","path":"/sections/1/items/-"},{"op":"replace","path":"/sections/1/items/0/id","value":"c"}"#,
      "s:1,2;t:c"
    ),
    (
      #"{"op":"test","path":"/sections/0/items/0/x","value":[1, {"y":2}]},{"op":"remove","path":"/sections/1"}"#,
      "s:1,2"
    ),
    (#"{"op":"move","from":"/sections/0","path":"/sections/1"}"#, "t:;s:1,2"),
    (
      #"{"op":"test","path":"/seq","value":1},{"op":"replace","path":"/seq","value":9},{"op":"remove","path":"/sections/0/items/1"}"#,
      "s:1;t:"
    ),
  ]

  @Test(arguments: applied)
  func `a JSON Patch changes the document that readers get`(
    patch: String, result: String
  ) async throws {
    let bench = ServiceBench()
    _ = try await bench.put(Self.start)
    _ = try await bench.patch(patch)
    #expect(try await bench.delta(since: nil).text == result)
  }

  @Test func `a JSON Patch of what is too large to be read at once is refused`() async throws {
    var limits = ServiceLimits()
    limits.parsedBytesMax = 40
    let bench = ServiceBench(limits: limits)
    let first = try await bench.put(Self.start)
    let failure = await refusal {
      try await bench.patch(#"{"op":"remove","path":"/sections/0/items/0"}"#)
    }
    guard case .limitPassed(let passed)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(passed.quantity == .bytes && passed.limit == 40)
    #expect(failure?.current == first.version)
    #expect(try await bench.delta(since: first.version).text == "unchanged")
  }

  static let conflicts = [
    #"{"op":"remove","path":"/sections/7"}"#, #"{"op":"replace","path":"/x","value":1}"#,
    #"{"op":"add","path":"/sections/0/items/01","value":{"id":3}}"#,
    #"{"op":"add","path":"/sections/0/items/3","value":{"id":3}}"#,
    #"{"op":"test","path":"/sections/0/items/0/id","value":"1"}"#,
    #"{"op":"move","from":"/sections","path":"/sections/0/items/0"}"#,
    #"{"op":"copy","from":"/nope","path":"/meta"}"#,
    #"{"op":"add","path":"/meta/m/n","value":1}"#,
  ]

  @Test(arguments: conflicts)
  func `an operation that does not fit is told by its pointer`(patch: String) async throws {
    let bench = ServiceBench()
    let first = try await bench.put(Self.start)
    let failure = await refusal {
      try await bench.patch(#"{"op":"remove","path":"/sections/0/items/1"},"# + patch)
    }
    guard case .editConflict(let conflict)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(conflict.pointer == "/1")
    #expect(try await bench.delta(since: first.version).text == "unchanged")
  }

  /// Patches that would make the document a thousand times as large, or as deep, as may be.
  static let doubling: [(String, [String], PassedLimit.Quantity)] = [
    (
      #"{"items":[{"id":1}],"meta":[["x"]]}"#,
      Array(repeating: #"{"op":"copy","from":"/meta","path":"/meta/-"}"#, count: 60), .bytes
    ),
    (
      #"{"items":[{"id":1}],"meta":[["x"],["y"]]}"#,
      Array(
        repeating:
          #"{"op":"copy","from":"/meta/0","path":"/meta/1/-"},{"op":"copy","from":"/meta/1","path":"/meta/0/-"}"#,
        count: 40), .bytes
    ),
    (
      #"{"items":[{"id":1}],"meta":{"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}"#,
      (0..<60).map {
        #"{"op":"copy","from":"/meta","path":"/m\#($0)"},{"op":"add","path":"/meta/k","value":{}}"#
      }
        + (0..<800).map { #"{"op":"copy","from":"/sections","path":"/meta/k/s\#($0)"}"# },
      .bytes
    ),
    (
      #"{"items":[{"id":1,"x":[1]}]}"#,
      Array(
        repeating: #"{"op":"copy","from":"/sections/0/items/0","path":"/sections/0/items/0/x/-"}"#,
        count: 70), .bytes
    ),
    (
      #"{"items":[{"id":1}],"meta":[[]]}"#,
      (1..<60).map {
        #"{"op":"copy","from":"/meta","path":"/meta\#(String(repeating: "/0", count: $0))"}"#
      }, .depth
    ),
  ]

  @Test(arguments: doubling.indices)
  func `a patch whose copies double is refused while it runs`(row: Int) async throws {
    let (start, operations, quantity) = Self.doubling[row]
    var limits = ServiceLimits()
    limits.collectionBytesMax = 20_000
    limits.sectionsMax = 10
    let bench = ServiceBench(limits: limits)
    let first = try await bench.put(start)
    let failure = await refusal { try await bench.patch(operations.joined(separator: ",")) }
    guard case .limitPassed(let passed)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(passed.quantity == quantity)
    #expect(passed.limit == (quantity == .bytes ? 20_000 : limits.depthMax))
    #expect(passed.pointer.hasPrefix("/"))
    #expect(try await bench.delta(since: first.version).text == "unchanged")
  }

  @Test func `a test compares numbers by their value`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(#"{"items":[{"id":1,"n":1.50}],"meta":{"n":100}}"#)
    let receipt = try await bench.patch(
      #"{"op":"test","path":"/meta/n","value":1e2},{"op":"test","path":"/sections/0/items/0/n","value":15e-1}"#
    )
    #expect(!receipt.isChanged)
  }

  @Test func `what comes of a patch must be a snapshot`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(Self.start)
    for patch in [
      #"{"op":"remove","path":"/sections"}"#, #"{"op":"replace","path":"","value":1}"#,
      #"{"op":"add","path":"/sections/0/items/0","value":{"id":2}}"#, #"{"op":"fly","path":""}"#,
    ] {
      let failure = await refusal { try await bench.patch(patch) }
      guard case .badSnapshot? = failure?.error else {
        Issue.record("\(patch): \(failure as Any)")
        return
      }
    }
  }
}

extension ServiceBench {
  fileprivate func patch(_ operations: String) async throws -> WriteReceipt {
    try await write(WriteRequest(.patch(body: Array("[\(operations)]".utf8))))
  }
}
