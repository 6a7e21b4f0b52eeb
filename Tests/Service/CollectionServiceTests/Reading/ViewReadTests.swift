import Synchronization
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct ViewReadTests {
  /// Others who ask meanwhile may have the version that was read dropped from what all views share.
  @Test func `a reader of a view is told by the version that was read for it`() throws {
    let bench = MachineBench()
    let answers = MachineAnswers()
    let key = CollectionKey(client: name("u"), name: name("c"))
    var states: [CollectionState] = []
    // Memory has the items that were replaced last, not those before them.
    for text in [String(repeating: "1", count: 5000), String(repeating: "2", count: 5000), "3"] {
      bench.handle(.put(1, [key], #"[{"id":"a","text":"\#(text)"}]"#, answers))
      bench.giveAll()
      states.append(try #require(bench.machine.clients[key.client]?.collections[key.name]?.state))
    }
    var request = ReadRequest(.everything, since: states[0].token, form: .plain)
    request.form.view = try ViewQuery([("where", #"/text:ne:"3""#)])
    var maker = bench.maker
    let visible = try VisibleCollection(states[2], .everything)
    let missing = try maker.missingVersion(request, visible, of: key.client)
    #expect(missing?.token == states[0].token)
    maker.read = [RetainedVersion(states[0], states[0].record)]
    let answer = try maker.answer(request, visible, of: key.client).get()
    guard case .delta = answer else {
      Issue.record("\(answer.text)")
      return
    }
  }

  @Test func `where only the delta costs too much its reader is reset`() throws {
    let bench = MachineBench()
    let answers = MachineAnswers()
    let key = CollectionKey(client: name("u"), name: name("c"))
    var states: [CollectionState] = []
    for number in 1...2 {
      let items = (0..<20_000).map { #"{"id":"i\#($0)","n":\#($0 * number)}"# }
      bench.handle(.put(1, [key], "[\(items.joined(separator: ","))]", answers))
      bench.giveAll()
      states.append(try #require(bench.machine.clients[key.client]?.collections[key.name]?.state))
    }
    var request = ReadRequest(.everything, since: states[0].token, form: .plain)
    request.form.view = try ViewQuery([("where", "/n:ge:5"), ("window", "first:3")])
    /// A maker whose work takes two seconds at its second look around, and again later.
    func maker(again: Int) -> AnswerMaker {
      var (looks, spent) = (0, Duration.zero)
      let watch = WorkMeter.Watch(clock: { spent }) {
        looks += 1
        if looks == 2 || looks == again { spent += .seconds(2) }
        return true
      }
      let answering = bench.maker
      return AnswerMaker(
        context: answering.context, reader: answering.reader,
        meter: WorkMeter(watch, limit: .seconds(1)))
    }
    let visible = try VisibleCollection(states[1], .everything)
    #expect(throws: WorkStop.tooMuch) {
      try maker(again: 4).answer(request, visible, of: key.client)
    }
    let answer = try maker(again: 0).answer(request, visible, of: key.client).get()
    guard case .snapshot(_, _, let reset?) = answer else {
      Issue.record("\(answer.text)")
      return
    }
    #expect(reset.reason == .deltaTooLarge && reset.since == states[0].token)
    request.isStrict = true
    let refusal = try maker(again: 0).answer(request, visible, of: key.client)
    guard case .failure(let failure) = refusal, case .reset = failure.error else {
      Issue.record("\(refusal)")
      return
    }
  }

  @Test func `views that wait are counted as memory, and refused where they would take too much`()
    throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 1 << 20
    let bench = MachineBench(limits: limits)
    let answers = MachineAnswers()
    let key = CollectionKey(client: name("u"), name: name("c"))
    bench.handle(.put(1, [key], "[]", answers))
    bench.giveAll()
    let bytes = bench.counters.residentBytes.value
    let view = try ViewQuery(
      (0..<8).map { ("where", "/\($0):eq:" + String(repeating: "x", count: 8000)) })
    for id in 2...100 as ClosedRange<UInt64> {
      bench.handle(.read(id, key, since: bench.store.head(key), wait: 25, view: view, answers))
    }
    let refused = (2...100).filter { answers[$0] == ["refused"] }
    let held = bench.counters.residentBytes.value - bytes
    #expect(held > 3 << 20 && held <= 4 << 20, "\(held)")
    #expect(refused.count > 60 && bench.counters.parked.value == 99 - refused.count)
    for id in 2...100 as ClosedRange<UInt64> { bench.handle(.left(id)) }
    #expect(bench.counters.residentBytes.value == bytes)
    #expect(bench.counters.parkedViewBytes.value == 0)
  }

  @Test func `an answer that nobody waits for is not made`() async throws {
    let bench = ServiceBench()
    let items = (0..<5000).map { #"{"id":"i\#($0)","n":\#($0)}"# }
    _ = try await bench.put("[\(items.joined(separator: ","))]")
    let charges = Mutex(0)
    var request = ReadRequest(.everything, since: nil, form: .plain)
    request.form.view = try ViewQuery([("where", "/n:ge:5")])
    request.interest = ReadInterest(asker: "a") { _ in charges.withLock { $0 += 1 } }
    request.interest?.end()
    bench.service.read(bench.key, request) { result, _ in Issue.record("\(result)") }
    request.interest = ReadInterest(asker: "b") { _ in charges.withLock { $0 += 1 } }
    _ = try await bench.read(request)
    // One that is made later is made after both.
    request.form.view = try ViewQuery([("where", "/n:ge:6")])
    _ = try await bench.read(request)
    #expect(charges.withLock { $0 } <= 2)
  }

  @Test func `no answer is made of a change that misses a view, whose reader gets its version`()
    throws
  {
    let bench = MachineBench()
    let answers = MachineAnswers()
    let key = CollectionKey(client: name("u"), name: name("c"))
    let held = Mutex<VersionToken?>(nil)
    func put(_ id: UInt64, _ body: String) -> [String] {
      var actions = bench.handle(.put(id, [key], body, answers))
      while !bench.pending.isEmpty { actions += bench.give() }
      return actions.filter { $0.hasPrefix("compose") }
    }
    _ = put(1, #"[{"id":"a","n":1},{"id":"b","n":8}]"#)
    let view = try ViewQuery([("where", "/n:lt:5"), ("window", "first:2")])
    bench.handle(
      .read(2, key, since: bench.store.head(key), wait: 25, view: view, answers) { version in
        held.withLock { $0 = version }
      })
    bench.handle(.follow(3, key, since: bench.store.head(key), view: view, answers))
    for body in [
      #"[{"id":"a","n":1},{"id":"b","n":7}]"#,
      #"[{"id":"a","n":1},{"id":"b","n":9}]"#,
      #"[{"id":"a","n":1},{"id":"b","n":9},{"id":"c","n":7}]"#,
      #"[{"id":"a","n":1},{"id":"c","n":7},{"id":"b","n":9}]"#,
      #"[{"id":"a","n":1},{"id":"b","n":9}]"#,
    ] { #expect(put(5, body) == [], "\(body)") }
    bench.handle(.waitEnded(2))
    bench.giveAll()
    #expect(answers[2].count == 1)
    #expect(held.withLock { $0 } == bench.store.head(key))
    #expect(put(6, #"[{"id":"a","n":1},{"id":"b","n":2}]"#) == ["compose 3"])
    #expect(answers[3].count == 2, "\(answers[3])")
  }
}
