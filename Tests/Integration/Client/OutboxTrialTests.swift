import DeltaEngine
import Foundation
import LiveCollections
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

/// Random edits from three clients, while connections are cut and clients and the service are killed.
@Suite(.timeLimit(.minutes(30))) struct OutboxTrialTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  @Test func `each edit is made once or refused, and all end equal to the service`() async throws {
    try await run(200) { CurlTransport() }
  }

  @MainActor private func run(
    _ usual: Int, over transport: @escaping () -> any DeltaTransport
  ) async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["LIVEDELTA_EDITS"].flatMap { Int($0) } ?? usual
    let seed = environment["LIVEDELTA_EDITS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...9999)
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = folder.appending(path: "data").path
    var service = try await RunningService("--data", data)
    let cutting = Locked<SeededGenerator?>(SeededGenerator(seed: seed))
    let relay = try CountingRelay(toPort: try service.port) {
      cutting.withLock { random in
        guard var generator = random else { return nil }
        defer { random = generator }
        let cuts = Int.random(in: 0..<6, using: &generator) == 0
        return cuts ? Int.random(in: 0..<3000, using: &generator) : nil
      }
    }
    defer { relay.stop() }
    try await service.client().put(Self.first, to: inbox)
    let devices = try (0..<3).map { number in
      EditingDevice(
        number, inbox, try ServerAddress(relay.address),
        folder.appending(path: "edits \(number)"), over: transport)
    }
    for device in devices { try await device.start() }
    var counts = (deviceKills: 0, serviceKills: 0)
    for number in 0..<count {
      let device = devices[Int.random(in: 0..<3, using: &random)]
      await device.edit("mark \(number)", &random)
      if Int.random(in: 0..<30, using: &random) == 0 {
        counts.deviceKills += 1
        await device.kill()
        if Bool.random(using: &random) { try device.tearFile() }
        try await device.start()
      }
      if Int.random(in: 0..<50, using: &random) == 0 { relay.cut() }
      if Int.random(in: 0..<100, using: &random) == 0 {
        counts.serviceKills += 1
        service.send(SIGKILL)
        _ = await service.end()
        service = try await RunningService("--data", data)
        relay.port = try service.port
      }
      if device.shown.pendingCount > 9 { try await until { device.shown.pendingCount < 5 } }
    }
    cutting.withLock { $0 = nil }
    let client = try service.client()
    // What is shown may be late, as after a start: the file says what is pending.
    for device in devices { try await until { try device.pendingInFile().isEmpty } }
    let newest = try await client.snapshot(of: inbox).value
    for device in devices {
      try await until {
        device.shown.version == newest.version && device.shown.pendingCount == 0
      }
      #expect(device.contents == EditingDevice.contents(of: newest.sections), "seed \(seed)")
      await device.kill()
      #expect(try device.pendingInFile().isEmpty, "seed \(seed)")
    }
    let made = Set(devices.flatMap(\.made))
    let refused = Set(devices.flatMap(\.refused))
    let marks = newest.sections.first { $0.id == "marks" }?.items.map(\.id.text) ?? []
    print(
      "outbox trial over \(type(of: transport())), seed \(seed): \(made.count) edits, "
        + "\(marks.count) taken, \(refused.count) refused, \(relay.cutCount) cuts, \(counts.deviceKills) kills of clients, "
        + "\(counts.serviceKills) of the service, \(newest.seq - 1) versions")
    #expect(Set(marks).count == marks.count, "seed \(seed)")
    #expect(Set(marks).isDisjoint(with: refused), "seed \(seed)")
    #expect(Set(marks).union(refused) == made, "seed \(seed): lost")
    #expect(newest.seq - 1 == marks.count, "seed \(seed): each is one version")
    for device in devices {
      let own = marks.filter(Set(device.made).contains)
      #expect(own == device.made.filter(Set(marks).contains), "seed \(seed): in order")
    }
    await service.stop()
  }

  private static let first = Array(
    #"""
    {"settings":{"retention":{"versions":4}},"sections":[{"id":"marks","items":[]},\#
    {"id":"a","items":[{"id":"x"},{"id":"y"}]},{"id":"b","items":[]}]}
    """#.utf8)
}

/// A device that follows a list and edits it; what it keeps survives `kill()`.
@MainActor private final class EditingDevice {
  struct Row: Codable, Sendable, Equatable {
    var id: String
    var n: Int?
  }

  typealias Feed = CollectionFeed<Row, NoContent, NoContent>

  private(set) var shown = Feed.Content()
  /// The marks of the edits that were made, in order.
  private(set) var made: [String] = []
  private(set) var refused: [String] = []
  private let number: Int
  private let collection: CollectionAddress
  private let address: ServerAddress
  private let file: URL
  private let transport: () -> any DeltaTransport
  private var feed: Feed?
  private var running: Task<Void, any Error>?
  private var itemCount = 0

  init(
    _ number: Int, _ collection: CollectionAddress, _ address: ServerAddress, _ file: URL,
    over transport: @escaping () -> any DeltaTransport
  ) {
    (self.number, self.collection, self.address, self.file) = (number, collection, address, file)
    self.transport = transport
  }

  func start() async throws {
    var limits = DeltaClient.Limits()
    limits.answerMilliseconds = 20_000
    let client = DeltaClient(address, transport: transport(), limits: limits)
    var options = FeedOptions(edits: file)
    options.backoff = Backoff(first: .milliseconds(5), max: .milliseconds(100))
    let feed = Feed(client, collection, options: options)
    let seen = shown.version
    shown = Feed.Content()
    running = Task {
      try await feed.run { event in
        switch event {
        case .change(let content): self.shown = content
        case .interrupted: break
        case .refused(let edits, _):
          self.refused.append(JSONTree(Array(edits.utf8))[0]["items"][0]["id"].string ?? "-")
        }
      }
    }
    self.feed = feed
    if seen == nil { try await until { shown.version != nil } }
  }

  func kill() async {
    running?.cancel()
    _ = await running?.result
    (running, feed) = (nil, nil)
  }

  /// Leaves a line behind that was not written to its end.
  func tearFile() throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"\#n1f3 {"key":"torn","edits":[{"op":"del"#.utf8))
    try handle.close()
  }

  func pendingInFile() throws -> [String] {
    let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
    let keys = { (part: String) in
      Set(
        lines.filter { $0.contains(part) }.compactMap {
          JSONTree(Array($0.drop { $0 != "{" }.utf8))["key"].string
        })
    }
    return keys(#""edits":["#).subtracting(keys(#""done":true"#)).filter { $0 != "torn" }
  }

  /// Makes an edit with a mark, which stays in the list if it is made, and would be refused a second time.
  func edit(_ mark: String, _ random: inout SeededGenerator) async {
    let operation = operation(&random)
    do {
      try await feed?.edit { edits in
        try edits.insert([Row(id: mark)], at: .last(in: "marks"))
        try operation(&edits)
      }
      made.append(mark)
    } catch {
      // It does not fit what is shown, which has changed since.
    }
  }

  private func operation(
    _ random: inout SeededGenerator
  ) -> @Sendable (inout CollectionEdits<Row>) throws -> Void {
    let section: ReplicaID = Bool.random(using: &random) ? "a" : "b"
    let ids = shown.sections.filter { $0.id != "marks" }.flatMap { $0.items.map { $0.id } }
    let value = Int.random(in: 0..<100, using: &random)
    guard let id = ids.randomElement(using: &random), let other = ids.randomElement(using: &random)
    else { return insertion(.last(in: section)) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return { $0.delete([id]) }
    case 1: return { $0.move([id], to: .first(in: section)) }
    case 2: return { $0.move([id], to: id == other ? .last(in: section) : .after(other)) }
    case 3, 4: return { try $0.merge(id, ["n": value]) }
    case 5: return { try $0.upsert([Row(id: id.text, n: value)], at: .last(in: section)) }
    default: return insertion(.before(id))
    }
  }

  private func insertion(
    _ position: CollectionEdits<Row>.Position
  ) -> @Sendable (inout CollectionEdits<Row>) throws -> Void {
    itemCount += 1
    let row = Row(id: "d\(number)-\(itemCount)")
    return { try $0.insert([row], at: position) }
  }

  var contents: [[Row]] { shown.sections.map { $0.items.map { $0.value } } }

  static func contents(of sections: [ReplicaSection]) -> [[Row]] {
    sections.map { section in
      section.items.map { item in
        let json = JSONTree(item.json)
        return Row(id: json["id"].string ?? "", n: json["n"].int)
      }
    }
  }
}

extension RunningService {
  fileprivate var port: UInt16 {
    get throws {
      try #require(listening.first?.split(separator: ":").last.flatMap { UInt16($0) })
    }
  }
}
