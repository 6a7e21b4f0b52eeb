import DeltaEngine
import DeltaHTTP
import ListTestSupport
import LiveCollections
import LiveDeltaClient
import LiveDeltaCurl
import Logging
import SocketServer
import TestSupport
import Testing
import VersionedCollections

/// Windows on a large list of a real server, in a strict table.
@MainActor @Suite(.timeLimit(.minutes(10))) struct WindowedListTests {
  // The service takes 100,000, of which some come later.
  private static let itemCount = 99_900

  private struct Item: Codable {
    var n: Int
  }

  /// A list in a table, and a writer.
  @MainActor private final class Bench {
    let server: WindowServer
    let list: WindowedList<Item>
    let table: ScrolledTable
    let requests = Locked(0)
    let inbox = CollectionAddress(client: "u42", name: "inbox")
    private(set) var running: Task<Void, any Error>?
    private var changes = AsyncStream<Void>.makeStream()
    private var lastID = 1_000_000

    init(
      _ server: WindowServer, start: WindowedListStart = .start, edge: WindowedListEdge? = .start,
      at address: ServerAddress? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.server = server
      let transport = CountedTransport(count: requests)
      let client = DeltaClient(address ?? server.address, transport: transport)
      var options = FeedOptions()
      options.clock = clock
      let list = WindowedList<Item>(
        client, inbox, start: start, edge: edge, pageRows: 10, options: options)
      self.list = list
      table = ScrolledTable {
        [list.count]
      } shown: { _, row in
        list.id(at: row).map { id in "\(id) \(list[row]?.n ?? -1)".hashValue } ?? 0
      }
      table.onScroll = { list.visible($0) }
      list.show(in: table)
    }

    func run() {
      changes = AsyncStream<Void>.makeStream()
      running = Task { [list, changes] in
        defer { changes.continuation.finish() }
        try await list.run { _ in changes.continuation.yield() }
      }
    }

    func stop() async {
      running?.cancel()
      _ = await running?.result
    }

    /// Returns when all rows on screen are known.
    func untilKnown(after version: String? = nil) async throws {
      var iterator = changes.stream.makeAsyncIterator()
      while list.version == version || list.version == nil || !isKnown {
        guard await iterator.next() != nil else { return try await running?.value ?? () }
      }
    }

    private var isKnown: Bool {
      table.visible.allSatisfy { list.id(at: $0) != nil } && table.count == list.count
    }

    /// Changes a few items at random places.
    func write(_ random: inout SeededGenerator) async throws {
      var edits: [String] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let near = list.id(at: Int.random(in: list.knownRows, using: &random))
        let id = near.map { "\($0)" } ?? "5"
        switch Int.random(in: 0...4, using: &random) {
        case 0:
          lastID += 1
          edits.append(#"{"op":"insert","first":true,"items":[{"id":"\#(lastID)","n":0}]}"#)
        case 1: edits.append(#"{"op":"delete","ids":["\#(id)"]}"#)
        case 2: edits.append(#"{"op":"move","ids":["\#(id)"],"last":true}"#)
        case 3:
          lastID += 1
          edits.append(
            #"{"op":"insert","before":"\#(id)","items":[{"id":"\#(lastID)","n":0}]}"#)
        default:
          edits.append(
            #"{"op":"merge","id":"\#(id)","value":{"n":\#(Int.random(in: 0...9, using: &random))}}"#
          )
        }
      }
      // An edit of an item that one before it deletes refuses all.
      let answer = try await server.edit(edits.joined(separator: ","))
      #expect([200, 409, 422].contains(answer.status), "\(answer.text)")
    }

    /// Compares what is on screen with what the server has.
    func compare(_ note: String) async throws {
      var address = inbox
      address.view = CollectionView(
        sections: "flat", window: "at:\(table.visible.lowerBound):\(table.visible.count)")
      let snapshot = try await server.client.snapshot(of: address).value
      #expect(snapshot.view?.total == list.count, "\(note)")
      let rows = table.visible.map { list.id(at: $0) }
      #expect(rows == snapshot.sections.flatMap(\.items).map(\.id), "\(note)")
      #expect(table.faults.isEmpty, "\(note): \(table.faults)")
    }
  }

  private static func fill(_ server: WindowServer, _ count: Int = itemCount) async throws {
    let items = (0..<count).map { #"{"id":"\#($0)","n":\#($0),"title":"An item of some length"}"# }
    try await server.put(items)
  }

  @Test func `100,000 rows are scrolled through at random while they change`() async throws {
    try await WindowServer.run { server in
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = SeededGenerator(seed: seed)
      try await Self.fill(server)
      let bench = Bench(server)
      let (list, table) = (bench.list, bench.table)
      bench.run()
      try await bench.untilKnown()
      for round in 0..<20 {
        let note = "seed \(seed), round \(round)"
        let far = Double.random(in: 0...Double(list.count) * 44, using: &random)
        table.scroll(
          to: round.isMultiple(of: 3) ? far : table.offset + .random(in: -900...900, using: &random)
        )
        try await bench.untilKnown()
        let top = try #require(table.topRow)
        let ids = table.visible.map { list.id(at: $0) }
        try await bench.write(&random)
        try await list.refresh()
        try await bench.untilKnown()
        try await bench.compare(note)
        // The first visible row is where it was, unless it is the one that was deleted or moved to the end.
        if table.offset > 0, let id = ids[0], let row = list.index(of: id), row < list.count - 30 {
          #expect(table.topRow == ScrolledRow(item: row, offset: top.offset), "\(note)")
        }
        if round.isMultiple(of: 10) { table.checkAll() }
        #expect(table.faults.isEmpty, "\(note): \(table.faults)")
        guard table.faults.isEmpty else { break }
      }
      #expect(table.reloadCount == 2, "seed \(seed)")
      await bench.stop()
    }
  }

  @Test func `fast scrolling asks for where it stops, and costs a phone little`() async throws {
    try await WindowServer.run { server in
      try await Self.fill(server)
      let relay = try CountingRelay(toPort: server.port)
      defer { relay.stop() }
      // No machine is so busy that a pause of the list ends while the user scrolls.
      let clock = ManualClock()
      clock.isFree = true
      let bench = Bench(server, at: try ServerAddress("http://\(relay.address)"), clock: clock)
      bench.run()
      try await bench.untilKnown()
      for stop in 1...20 {
        let before = bench.requests.withLock { $0 }
        clock.isFree = false
        for _ in 1...100 {
          bench.table.scroll(to: bench.table.offset + Double(Self.itemCount) * 44 / 2000)
          await Task.yield()
        }
        clock.isFree = true
        try await bench.untilKnown()
        let count = bench.requests.withLock { $0 } - before
        #expect(count <= 4, "stop \(stop): \(count) requests")
        try await bench.compare("stop \(stop)")
      }
      await bench.stop()
      let windows = relay.byteCount
      let whole = DeltaClient(
        try ServerAddress("http://\(relay.address)"), transport: CurlTransport())
      _ = try await whole.delta(of: bench.inbox, since: nil)
      let all = relay.byteCount - windows
      print(
        "windows: \(windows) bytes, \(bench.requests.withLock { $0 }) requests; all: \(all) bytes")
      #expect(windows * 4 < all)
    }
  }

  @Test func `a list goes to rows and items, and stays at the end where it sticks`() async throws {
    try await WindowServer.run { server in
      try await Self.fill(server, 5000)
      let bench = Bench(server, start: .end, edge: .end)
      let (list, table) = (bench.list, bench.table)
      func edit(_ text: String) async throws {
        let answer = try await server.edit(text)
        #expect(answer.status == 200, "\(answer.text)")
        try await list.refresh()
      }
      bench.run()
      try await bench.untilKnown()
      #expect(table.visible == 4990..<5000)
      try await edit(#"{"op":"insert","last":true,"items":[{"id":"new","n":1}]}"#)
      #expect(table.visible == 4991..<5001 && list.id(at: 5000) == "new")
      try await list.jump(to: 700)
      #expect(table.topRow == ScrolledRow(item: 700) && list.id(at: 700) == "700")
      #expect(try await list.jump(to: ReplicaID("3000")) == 3000)
      #expect(table.topRow == ScrolledRow(item: 3000))
      #expect(try await list.jump(to: ReplicaID("nowhere")) == nil)
      #expect(try await list.jump(to: ReplicaID("3000")) == 3000)
      try await edit(#"{"op":"insert","first":true,"items":[{"id":"top","n":1}]}"#)
      #expect(table.topRow == ScrolledRow(item: 3001))
      try await edit(#"{"op":"delete","ids":["3000"]}"#)
      #expect(table.topRow == ScrolledRow(item: 3001) && list.id(at: 3001) == "3001")
      try await bench.compare("at the end")
      await bench.stop()
    }
  }

  @Test func `selection, place and open swipe actions survive resuming and a reset`() async throws {
    try await WindowServer.run { server in
      try await Self.fill(server, 2000)
      let bench = Bench(server)
      let (list, table) = (bench.list, bench.table)
      bench.run()
      try await bench.untilKnown()
      try await list.jump(to: 1000)
      try await bench.untilKnown()
      table.select(1003)
      table.open(1004)
      let reloads = table.reloadCount
      for isReset in [false, true] {
        await bench.stop()
        let top = try #require(table.topRow)
        let items =
          (0..<(isReset ? 500 : 1)).map { #"{"id":"x\#($0)","n":0}"# }
          + (0..<2000).map { #"{"id":"\#($0)","n":\#($0 + 1)}"# }
        if isReset { try await server.client.delete(bench.inbox) }
        try await server.put(items)
        let shown = list.version
        bench.run()
        try await bench.untilKnown(after: shown)
        let row = try #require(list.index(of: "1003"))
        #expect(table.cells[0][row].isSelected && table.cells[0][row + 1].isOpen)
        #expect(table.topRow == ScrolledRow(item: row - 3, offset: top.offset))
        try await bench.compare("reset \(isReset)")
        table.checkAll()
        #expect(table.faults.isEmpty, "\(table.faults)")
      }
      #expect(table.reloadCount == reloads)
      await bench.stop()
    }
  }

  @Test func `an item that an answer has twice is two rows, in legal batches`() async throws {
    func snapshot(_ version: String, _ ids: String) -> ScriptedPeer.Script {
      let items = ids.map { #"{"id":"\#($0)","n":1}"# }.joined(separator: ",")
      return .init(
        body: #"{"kind":"snapshot","collection":"inbox","version":"\#(version)","seq":1,"#
          + #""view":{"total":\#(ids.count),"start":0,"count":\#(ids.count)},"items":[\#(items)]}"#)
    }
    let peer = try ScriptedPeer([
      snapshot("v1", "abc"), snapshot("v2", "aba"), snapshot("v3", "ab"),
    ])
    var options = FeedOptions()
    options.usesStream = false
    let list = WindowedList<Item>(
      try TransportKind.curl.client(peer), CollectionAddress(client: "u42", name: "inbox"),
      options: options)
    let table = ScrolledTable {
      [list.count]
    } shown: { _, row in
      list.id(at: row)?.text.hashValue ?? 0
    }
    list.show(in: table)
    var told: [String] = []
    await #expect(throws: (any Error).self) {
      try await list.run { event in
        switch event {
        case .change(let count):
          let ids = (0..<count).compactMap { list.id(at: $0)?.text }.joined()
          told.append("\(list.version ?? "-") \(count) \(table.count) \(ids)")
          if list.version == "v3" { withUnsafeCurrentTask { $0?.cancel() } }
        case .interrupted(let error, _): told.append("\(error)")
        case .refused: break
        }
      }
    }
    #expect(told == ["v1 3 3 abc", "v2 3 3 aba#2", "v3 2 2 ab"])
    #expect(table.faults.isEmpty, "\(table.faults)")
  }

  @Test func `a list whose first answer names a row twice begins where it is to`() async throws {
    func snapshot(_ version: String, _ ids: [String]) -> ScriptedPeer.Script {
      let items = ids.map { #"{"id":"\#($0)","n":1}"# }.joined(separator: ",")
      return .init(
        body: #"{"kind":"snapshot","collection":"inbox","version":"\#(version)","seq":1,"#
          + #""view":{"total":\#(ids.count),"start":0,"count":\#(ids.count)},"items":[\#(items)]}"#)
    }
    let ids = (0..<40).map { "\($0)" }
    // The second `a` is called `a#2`, as another one is.
    let peer = try ScriptedPeer([
      snapshot("v1", ids + ["a", "a", "a#2"]), snapshot("v2", ids + ["a"]), snapshot("v3", ids),
    ])
    var options = FeedOptions()
    options.usesStream = false
    let list = WindowedList<Item>(
      try TransportKind.curl.client(peer), CollectionAddress(client: "u42", name: "inbox"),
      start: .end, edge: .end, options: options)
    let table = ScrolledTable {
      [list.count]
    } shown: { _, row in
      list.id(at: row)?.text.hashValue ?? 0
    }
    list.show(in: table)
    var told: [String] = []
    await #expect(throws: (any Error).self) {
      try await list.run { event in
        switch event {
        case .change(let count):
          told.append("\(list.version ?? "-") \(count) \(table.visible.upperBound)")
          if list.version == "v3" { withUnsafeCurrentTask { $0?.cancel() } }
        case .interrupted(.malformed, _): told.append("malformed")
        case .interrupted(let error, _): told.append("\(error)")
        case .refused: break
        }
      }
    }
    // The first answer is shown without a batch; none leads from it to the second.
    #expect(told == ["v1 43 43", "malformed", "v2 41 41", "v3 40 40"])
  }
}

/// The service in this process, on a free port, for the time of a test.
@MainActor private struct WindowServer {
  let address: ServerAddress
  let client: DeltaClient
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  static func run(_ body: @MainActor (WindowServer) async throws -> Void) async throws {
    var configuration = DeltaServerConfiguration()
    configuration.listeners = [.tcp(host: "127.0.0.1", port: 0)]
    configuration.operations = [.tcp(host: "127.0.0.1", port: 0)]
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let server = DeltaServer(configuration: configuration, store: MemoryStore(), logger: logger)
    let address = try ServerAddress(try #require(try server.start().public.first).description)
    let client = DeltaClient(address, transport: CurlTransport())
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(WindowServer(address: address, client: client)))
    } catch {
      result = .failure(error)
    }
    await server.shutdown(isPatient: false)
    try result.get()
  }

  var port: UInt16 {
    get throws {
      try #require(address.description.split(separator: ":").last.flatMap { UInt16($0) })
    }
  }

  func put(_ items: [String]) async throws {
    try await client.put(Array("[\(items.joined(separator: ","))]".utf8), to: inbox)
  }

  func edit(_ edit: String) async throws -> ClientResponse {
    try await client.request(
      "PATCH", inbox.path,
      fields: [HeaderField("Content-Type", "application/vnd.livedelta.edits+json")],
      body: Array(#"{"edits":[\#(edit)]}"#.utf8))
  }
}

/// Counts the requests.
private struct CountedTransport: DeltaTransport {
  let count: Locked<Int>
  private let transport = CurlTransport()

  init(count: Locked<Int>) { self.count = count }

  func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
    count.withLock { $0 += 1 }
    return try await transport.send(request)
  }
}
