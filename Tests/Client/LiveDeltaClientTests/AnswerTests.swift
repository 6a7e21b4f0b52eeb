import DeltaEngine
import LiveDeltaClient
import LiveDeltaCurl
import SnapshotJSON
import TestSupport
import Testing

/// Typed calls against a peer that answers what the test says.
@Suite(.timeLimit(.minutes(10))) struct AnswerTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  @Test func `a delta is read with every kind of operation`() async throws {
    let answer = try await delta(
      """
      {"kind":"delta","collection":"inbox","from":"a.1.x","to":"a.4.y","seq":4,"steps":[
       {"delete":{"sections":[3],"items":[[1,1]]},
        "insert":{"sections":[{"at":0,"id":"pinned","items":["m9"]}],"items":[[1,0,"m6"]]},
        "move":{"sections":[[2,1]],"items":[[2,0,0,0]]},
        "reload":{"sections":[[1,"t"]],"items":[[1,2,"m3"]]},"counts":[1,3,2]}],
       "items":{"m3":{ "id":"m3","title":"Tr\\u0069p" },"m6":{"id":"m6"},"m9":{"id":"m9"}},
       "sections":{"pinned":{"id":"pinned","title":"Pinned"},"t":{"id":"t"}},
       "deleted":["m2"]}
      """)
    var step = WireStep()
    step.deletedSections = [SectionIndex(3)]
    step.deletedItems = [ItemPath(section: 1, item: 1)]
    step.insertedSections = [.init(at: SectionIndex(0), id: "pinned", items: ["m9"])]
    step.insertedItems = [.init(at: ItemPath(section: 1, item: 0), id: "m6")]
    step.movedSections = [SectionMove(from: SectionIndex(2), to: SectionIndex(1))]
    step.movedItems = [
      ItemMove(from: ItemPath(section: 2, item: 0), to: ItemPath(section: 0, item: 0))
    ]
    step.reloadedSections = [.init(at: SectionIndex(1), id: "t")]
    step.reloadedItems = [.init(at: ItemPath(section: 1, item: 2), id: "m3")]
    step.counts = [1, 3, 2]
    guard case .delta(let delta) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(delta.from == "a.1.x")
    #expect(delta.to == "a.4.y")
    #expect(delta.seq == 4)
    #expect(delta.steps == [step])
    #expect(delta.items["m3"]?.json == Array(#"{"id":"m3","title":"Tr\u0069p"}"#.utf8))
    #expect(delta.sections["pinned"]?.header == Array(#"{"id":"pinned","title":"Pinned"}"#.utf8))
    #expect(delta.deleted == ["m2"])
    #expect(delta.operationCount == 8)
  }

  @Test func `a snapshot is read as the service reads one`() async throws {
    let body = """
      {"sections":[{"id":"a","items":[{"title":"\\u0041","id":7},{"id":"x"}],"title":"T"},
                   {"id":"b","items":[]}]}
      """
    let answer = try await delta(
      #"{"kind":"snapshot","collection":"inbox","version":"v","seq":1,"meta":{ "n":1.0 },"#
        + body.dropFirst())
    guard case .snapshot(let snapshot) = answer else {
      Issue.record("\(answer)")
      return
    }
    let ours = try Snapshot.read(JSONReader().read(Array(body.utf8)).root, limits: .init())
    #expect(snapshot.sections.map(\.id.text) == ours.sections.map { ours.text($0.id) })
    #expect(snapshot.sections.map(\.content) == ours.sections.map(\.content))
    #expect(
      snapshot.sections.map { String(decoding: $0.header, as: UTF8.self) }
        == ours.sections.map { ours.text($0.header) })
    let items = snapshot.sections.flatMap(\.items)
    #expect(items.map(\.id.text) == ours.items.map { ours.text($0.id) })
    #expect(items.map(\.content) == ours.items.map(\.content))
    #expect(
      items.map { String(decoding: $0.json, as: UTF8.self) }
        == ours.items.map { ours.text($0.json) }
    )
    #expect(snapshot.meta == Array(#"{"n":1.0}"#.utf8))
    #expect(snapshot.reset == nil)
  }

  @Test func `a flat snapshot is one section without a name`() async throws {
    let answer = try await delta(
      """
      {"kind":"snapshot","collection":"c","version":"v","seq":1,"items":[{"id":"x"}],
       "reset":{"reason":"diverged","since":"u"}}
      """)
    guard case .snapshot(let snapshot) = answer else {
      Issue.record("\(answer)")
      return
    }
    let ours = try Snapshot.read(
      JSONReader().read(Array(#"[{"id":"x"}]"#.utf8)).root, limits: .init())
    #expect(snapshot.sections.map(\.id) == [""])
    #expect(snapshot.sections.first?.content == ours.sections.first?.content)
    #expect(snapshot.reset == WireSnapshot.Reset(reason: "diverged", since: "u"))
  }

  @Test func `no news and a deletion are read`() async throws {
    let unchanged = try await delta(
      #"{"kind":"unchanged","collection":"inbox","version":"v","seq":3}"#)
    #expect(unchanged == .unchanged(version: "v", seq: 3))
    #expect(try await delta(#"{"kind":"deleted","collection":"inbox"}"#) == .deleted)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"kind":"odd"}"#, #"{"kind":"delta"}"#, #"{"kind":"snapshot"}"#,
    #"{"kind":"delta","steps":[{"counts":[-1]}]}"#,
    #"{"kind":"delta","steps":[{"counts":[2147483648]}]}"#,
    #"{"kind":"delta","steps":[{"counts":[1.5]}]}"#,
    #"{"kind":"delta","steps":[{"counts":[],"delete":{"items":[[1]]}}]}"#,
    #"{"kind":"delta","steps":[{"counts":[],"delete":{"sections":["a"]}}]}"#,
    #"{"kind":"delta","steps":[{"counts":[],"insert":{"items":[[0,0,1]]}}]}"#,
    #"{"kind":"delta","steps":[{"counts":[],"move":{"items":[[0,0,0,99999999999]]}}]}"#,
    #"{"kind":"delta","steps":[{"counts":[]}],"items":[]}"#,
    #"{"kind":"delta","steps":[{"counts":[]}],"deleted":{}}"#,
  ])
  func `an answer that the protocol does not know is an error`(body: String) async throws {
    let error = await #expect(throws: ClientError.self) { try await delta(body) }
    guard case .malformed = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `repeated ids are named by their occurrence, as the service names them`() throws {
    let body = """
      {"sections":[{"id":"s","items":[{"id":1},{"id":"1"},{"id":2}]},
       {"id":"s","items":[{"id":2},{"id":1}]}]}
      """
    let sections = try WireSnapshot(body: Array(body.utf8)).sections
    #expect(sections.map(\.id) == ["s", "s#2"])
    #expect(sections.map { $0.items.map(\.id) } == [["1", "1#2", "2"], ["2#2", "1#3"]])
    #expect(sections[1].header == Array(#"{"id":"s"}"#.utf8))
  }

  @Test func `a refusal is thrown with everything it says`() async throws {
    let body = """
      {"type":"about:blank","title":"Unprocessable","status":422,"code":"duplicate-id",
       "detail":"twice","limit":5,"current":"v",
       "errors":[{"pointer":"/items/0/id","detail":"first"},{"pointer":"/items/4/id"}]}
      """
    let expected = ProblemDetails(
      status: 422, code: "duplicate-id", title: "Unprocessable", detail: "twice", current: "v",
      limit: 5,
      entries: [
        .init(pointer: "/items/0/id", detail: "first"), .init(pointer: "/items/4/id", detail: ""),
      ])
    await #expect(throws: ClientError.problem(expected)) { try await delta(body, status: 422) }
  }

  @Test func `a refusal that is no problem document keeps its text`() async throws {
    await #expect(
      throws: ClientError.problem(ProblemDetails(status: 502, code: "unknown", detail: "<html>"))
    ) { try await delta("<html>", status: 502) }
  }

  @Test func `a write says what it made`() async throws {
    let body = #"{"version":"v2","seq":2,"previous":"v1","changed":true,"counts":{}}"#
    let peer = try ScriptedPeer([.init(body: body, status: 201)])
    let client = DeltaClient(try ServerAddress(peer.address), transport: CurlTransport())
    let answer = try await client.put(Array("[]".utf8), to: inbox).value
    #expect(
      answer
        == WriteAnswer(version: "v2", seq: 2, previous: "v1", changed: true, created: true))
    let request = try #require(peer.requests.first)
    #expect(request.hasPrefix("PUT /v1/clients/u42/collections/inbox HTTP/1.1\r\n"))
    #expect(request.contains("\r\nContent-Type: application/json\r\n"))
    #expect(request.hasSuffix("\r\n\r\n[]"))
  }

  @Test func `a reader says what it holds and how long it waits`() async throws {
    let unchanged = #"{"kind":"unchanged","collection":"c","version":"v","seq":3}"#
    let peer = try ScriptedPeer([.init(body: unchanged), .init(body: unchanged)])
    let client = DeltaClient(try ServerAddress(peer.address), transport: CurlTransport())
    _ = try await client.delta(of: inbox, since: "a.1.b&c", wait: 25)
    _ = try await client.delta(of: inbox, since: nil)
    let path = "/v1/clients/u42/collections/inbox/delta"
    #expect(peer.requests[0].hasPrefix("GET \(path)?since=a.1.b%26c&wait=25 HTTP/1.1\r\n"))
    #expect(peer.requests[1].hasPrefix("GET \(path)?since= HTTP/1.1\r\n"))
  }

  private func delta(_ body: String, status: Int = 200) async throws -> DeltaAnswer {
    let peer = try ScriptedPeer([.init(body: body, status: status)])
    return try await DeltaClient(try ServerAddress(peer.address), transport: CurlTransport()).delta(
      of: inbox, since: "v"
    ).value
  }
}
