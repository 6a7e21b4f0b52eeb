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
    var request = ReadRequest(since: states[0].token, form: .plain)
    request.form.view = try ViewQuery([("where", #"/text:ne:"3""#)])
    var maker = bench.maker
    #expect(maker.missingVersion(request, states[2])?.token == states[0].token)
    maker.read = [RetainedVersion(states[0], states[0].record)]
    let answer = try maker.answer(request, states[2], of: key.client).get()
    guard case .delta = answer else {
      Issue.record("\(answer.text)")
      return
    }
  }
}
