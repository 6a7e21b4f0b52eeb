import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Synchronization
import TestSupport

/// The server from one start to its end, as those see it who talk to it.
final class ServerRun: Sendable {
  let address: ServerAddress
  let history: History
  let credentials: Credentials
  private let ended = Atomic<Bool>(false)

  init(_ address: ServerAddress, _ history: History, _ credentials: Credentials) {
    self.address = address
    self.history = history
    self.credentials = credentials
  }

  /// Whether nobody has begun to end it.
  var isOn: Bool { !ended.load(ordering: .sequentiallyConsistent) }

  /// Says that it is about to end: what breaks from now on is no fault.
  func end() { ended.store(true, ordering: .sequentiallyConsistent) }
}

/// One who writes or reads, move after move, through all runs of the server.
protocol TestActor: Sendable {
  /// Makes a move.
  mutating func act(_ session: ClientSession) async throws
}

/// The server ended while an answer was awaited.
struct ServerEnded: Error {}

/// From where an actor talks to the server during one run.
struct ClientSession: Sendable {
  let run: ServerRun
  let name: String
  private let number: Int
  private let client: DeltaClient

  init(_ run: ServerRun, _ name: String, _ number: Int) {
    self.run = run
    self.name = name
    self.number = number
    client = DeltaClient(run.address, transport: CurlTransport())
  }

  var history: History { run.history }

  /// What the next request shows.
  func credential() -> Credentials.Credential { run.credentials.next(number) }

  /// Makes a request anew when its credential ended before it was answered.
  func authorized<Answer>(
    _ request: (Credentials.Credential) async throws -> Answer?
  ) async throws -> Answer {
    while true {
      let credential = credential()
      if let answer = try await request(credential) { return answer }
      guard run.credentials.mayRefuse(credential) else {
        if run.isOn { throw Misfit(reason: "a good credential was refused") }
        throw ServerEnded()
      }
    }
  }

  /// A stream of events; nil when its credential ended before it began.
  ///
  /// - Throws: `ServerEnded`, or `Misfit` when there is none for any other reason.
  func events(_ path: String, _ fields: [String: String] = [:]) async throws -> EventReader? {
    let credential = credential()
    guard
      let reader = try? EventReader(run.address, path, fields.merging(credential.field) { $1 }),
      let head = await reader.block(endingWith: "\r\n\r\n")
    else {
      if run.isOn { throw Misfit(reason: "no events of \(path)") }
      throw ServerEnded()
    }
    if head.contains(" 200 ") { return reader }
    if head.contains(" 401 "), run.credentials.mayRefuse(credential) { return nil }
    if run.isOn { throw Misfit(reason: "no events of \(path): \(head)") }
    throw ServerEnded()
  }

  /// Sends a request.
  ///
  /// - Throws: `ServerEnded` when no answer came, or one of a server that ends.
  func send(
    _ method: String, _ path: String, _ fields: [String: String] = [:], _ body: String? = nil
  ) async throws -> ClientResponse {
    let type = body == nil ? [:] : ["Content-Type": "application/json"]
    let all = fields.merging(type) { given, _ in given }
    do {
      let answer: ClientResponse = try await authorized { credential in
        let fields = all.merging(credential.field) { $1 }
        let answer = try await client.request(
          method, path, fields: fields.map { HeaderField($0.key, $0.value) },
          body: body.map { Array($0.utf8) }, extraMilliseconds: 60_000)
        return answer.status == 401 ? nil : answer
      }
      if answer.status >= 500 {
        guard answer.status == 503, !run.isOn else {
          throw Misfit(reason: "\(method) \(path): \(answer.status) \(answer.text)")
        }
        throw ServerEnded()
      }
      return answer
    } catch let error as ClientError {
      if run.isOn { throw Misfit(reason: "\(method) \(path): \(error)") }
      throw ServerEnded()
    }
  }

  /// Tells what happened.
  func add(_ what: Event.What, of collection: String, since start: Int) {
    history.add(what, of: collection, by: name, since: start)
  }

  /// Lets an actor move until the server ends.
  func perform(_ actor: any TestActor) async -> any TestActor {
    var actor = actor
    while run.isOn {
      do {
        try await actor.act(self)
      } catch is ServerEnded {
        break
      } catch {
        add(.fault("\(error)"), of: "-", since: history.now())
      }
    }
    return actor
  }
}

extension ClientResponse {
  /// The body as a value that can be taken apart.
  var tree: JSONTree { get throws { try JSONTree(parsing: body) } }
}
