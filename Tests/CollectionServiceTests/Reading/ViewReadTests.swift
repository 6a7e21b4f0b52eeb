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
    #expect(maker.missingVersion(request, visible, of: key.client)?.token == states[0].token)
    maker.read = [RetainedVersion(states[0], states[0].record)]
    let answer = try maker.answer(request, visible, of: key.client).get()
    guard case .delta = answer else {
      Issue.record("\(answer.text)")
      return
    }
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
