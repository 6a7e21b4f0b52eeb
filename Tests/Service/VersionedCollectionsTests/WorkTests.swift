import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// What views may cost, and how their work ends.
@Suite struct WorkTests {
  /// Counts how often a meter looks around, and ends the work after so many looks.
  private final class Looks {
    var count = 0
    let limit: Int
    let isWanted: Bool

    init(limit: Int = .max, isWanted: Bool = true) {
      (self.limit, self.isWanted) = (limit, isWanted)
    }

    var meter: WorkMeter {
      let watch = WorkMeter.Watch(clock: { .seconds(self.count > self.limit ? 10 : 0) }) {
        self.count += 1
        return self.isWanted || self.count < self.limit
      }
      return WorkMeter(watch, limit: .seconds(1))
    }
  }

  private static func items(_ count: Int, _ text: (Int) -> String) -> [String] {
    (0..<count).map { #"{"id":"i\#($0)","x":\#(text($0))}"# }
  }

  private func version(
    _ bench: inout ViewBench, _ items: [String]
  ) throws -> ViewableVersion {
    try bench.version([(id: "a", items: items)])
  }

  /// The looks at the work of a view.
  private func looks(_ terms: [String], _ items: [String]) throws -> Int {
    var bench = ViewBench()
    let version = try version(&bench, items)
    let view = CompiledView(try ViewQuery(terms.map { ("where", $0) }).view, bench.settings)
    let looks = Looks()
    _ = try view.members(of: version, bench.reader, looks.meter)
    return looks.count
  }

  @Test(arguments: ["eq", "ne", "in"])
  func `a value is read once, however many values it is compared with`(word: String) throws {
    let ones = "[" + String(repeating: "1,", count: 50_000) + "1]"
    let items = Self.items(4) { _ in ones }
    let list = (0..<64).map { "[\($0)]" }.joined(separator: ",")
    let value = word == "in" ? "[\(list)]" : "[1]"
    let one = try looks(["/x:\(word):\(word == "in" ? "[[1]]" : "[1]")"], items)
    #expect(one > 4)
    #expect(try looks(["/x:\(word):\(value)"], items) == one)
    let terms = (0..<8).map { "/x:\(word):\(word == "in" ? "[[\($0)],[]]" : "[\($0)]")" }
    #expect(try looks(terms, items) <= one + 1)
  }

  @Test(arguments: ["where=/x:ge:7", "where=/x:has:7", "order=/x:number", "order=/y", "select=/x"])
  func `work ends that takes too long, or that nobody wants`(parameter: String) throws {
    var bench = ViewBench()
    let version = try version(
      &bench, Self.items(20_000) { parameter.contains("has") ? "[\($0)]" : "\($0)" })
    let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
    let view = CompiledView(try ViewQuery([(parts[0], parts[1])]).view, bench.settings)
    func work(_ meter: WorkMeter) throws(WorkStop) {
      guard let members = try view.members(of: version, bench.reader, meter) else { return }
      let viewed = ViewedVersion(version, members, idPath: bench.settings.idPath)
      guard let run = try viewed.run(nil, meter) else { return }
      _ = try view.list(run, of: viewed, bench.reader, meter)
    }
    let looks = Looks()
    #expect(throws: WorkStop.tooMuch) { try work(Looks(limit: 2).meter) }
    #expect(throws: WorkStop.unwanted) { try work(Looks(limit: 2, isWanted: false).meter) }
    // Nothing that was not finished is remembered.
    try work(looks.meter)
    #expect(looks.count > 3)
  }

  @Test func `work that was too much goes on once with another part, unless it was so for others`()
    throws
  {
    let looks = Looks(limit: 1)
    let meter = looks.meter
    try meter.look()
    #expect(throws: WorkStop.tooMuch) { try meter.look() }
    #expect(throws: WorkStop.tooMuch) { try meter.spend(1) }
    meter.renew()
    #expect(meter.stop == nil)
    try meter.look()
    let watch = WorkMeter.Watch(clock: { .zero }) { true }
    let spent = WorkMeter(watch, limit: .seconds(1), isSpent: true)
    #expect(throws: WorkStop.tooMuch) { try spent.spend(1) }
    spent.renew()
    #expect(throws: WorkStop.tooMuch) { try spent.spend(1) }
  }

  @Test(arguments: 1...(UInt64(rounds(40))))
  func `items that are ranked are in the order of their keys`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let values = [
      "1", "1.0", "-1", "0", "-0.0", "1e300", "1e-300", "1e999", "-1e999", "123456789012345678",
      "123456789012345679", "123456789012345678.5", "true", "null", "[]", #""""#, #""a""#,
      #""abcdefgh""#, #""abcdefghi""#, #""abcdefghj""#, #""\u0000""#, #""é""#, #""2026-01-02""#,
      #""2026-01-01T23:59:59.5Z""#, "1767312000", #""x\/y""#,
    ]
    var bench = ViewBench()
    let items = (0..<200).map { number in
      let members = ["x", "y"].filter { _ in Int.random(in: 0..<8, using: &generator) > 0 }.map {
        #","\#($0)":\#(values.randomElement(using: &generator) ?? "1")"#
      }
      return #"{"id":"i\#(number)"\#(members.joined())}"#
    }
    let version = try version(&bench, items)
    let kinds = ["", ":text", ":number", ":date"]
    let texts = ["/x", "/y"].map { path in
      "\(path)\(Bool.random(using: &generator) ? ":desc" : "")"
        + (kinds.randomElement(using: &generator) ?? "")
    }
    let view = try ViewQuery(texts.map { ("order", $0) }).view
    let members = try #require(
      try CompiledView(view, bench.settings).members(of: version, bench.reader))
    let keys = try items.map {
      SortKey(try bench.reader.read(Array($0.utf8)).root, id: [], rules: view.order)
    }
    let expected = keys.indices.sorted { one, other in
      keys[one] < keys[other] || !(keys[other] < keys[one]) && one < other
    }
    #expect(members.order?.map { Int($0) } == expected, "seed \(seed): \(texts)")
  }

  @Test func `terms, criteria and selections of a request have a bound, before they are parsed`()
    throws
  {
    let long = String(repeating: "x", count: 8000)
    let terms = (0..<8).map { ("where", "/\($0):eq:\(long)") }
    _ = try ViewQuery(terms)
    let pointers = (0..<32).map { "/\($0)" + String(repeating: "y", count: 50) }
    let error = #expect(throws: ViewError.self) {
      try ViewQuery(terms + [("select", pointers.joined(separator: ","))])
    }
    #expect(error?.limit == 65_536 && error?.parameter == "select")
    var bytesLeft = 100
    let reader = JSONReader()
    let text = #"{"where":["/a:eq:1"],"window":"first:9"}"#
    let view = StrictJSON(try reader.read(Array(text.utf8)).root)
    for _ in 0..<14 { _ = try ViewQuery(view, &bytesLeft) }
    #expect(bytesLeft == 2)
    let last = #expect(throws: ViewError.self) { try ViewQuery(view, &bytesLeft) }
    #expect(last?.pointer == "/where/0" && last?.limit == 65_536)
  }
}
