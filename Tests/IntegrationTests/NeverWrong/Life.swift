import LiveCollectionsClient
import Synchronization

/// The server from one start to its end, as those see it who talk to it.
final class Life: Sendable {
  let address: ServerAddress
  let history: History
  private let ended = Atomic<Bool>(false)

  init(_ address: ServerAddress, _ history: History) {
    self.address = address
    self.history = history
  }

  /// Whether nobody has begun to end it.
  var isOn: Bool { !ended.load(ordering: .sequentiallyConsistent) }

  /// Says that it is about to end: what breaks from now on is no fault.
  func end() { ended.store(true, ordering: .sequentiallyConsistent) }
}

/// One who writes or reads, move after move, through all lives of the server.
protocol Player: Sendable {
  /// Makes a move.
  mutating func play(_ desk: Desk) async throws
}

/// The server ended while an answer was awaited.
struct LifeEnded: Error {}

/// From where a player talks to the server during one life.
struct Desk: Sendable {
  let life: Life
  let name: String
  private let client: DeltaClient

  init(_ life: Life, _ name: String) {
    self.life = life
    self.name = name
    client = DeltaClient(life.address)
  }

  var history: History { life.history }

  /// Sends a request.
  ///
  /// - Throws: `LifeEnded` when no answer came, or one of a server that ends.
  func send(
    _ method: String, _ path: String, _ fields: [String: String] = [:], _ body: String? = nil
  ) async throws -> HTTPAnswer {
    let type = body == nil ? [:] : ["Content-Type": "application/json"]
    let all = fields.merging(type) { given, _ in given }
    do {
      let answer = try await client.request(
        method, path, fields: all.map { HTTPField($0.key, $0.value) },
        body: body.map { Array($0.utf8) }, extraMilliseconds: 60_000)
      if answer.status >= 500 {
        guard answer.status == 503, !life.isOn else {
          throw Misfit(reason: "\(method) \(path): \(answer.status) \(answer.text)")
        }
        throw LifeEnded()
      }
      return answer
    } catch let error as ClientError {
      if life.isOn { throw Misfit(reason: "\(method) \(path): \(error)") }
      throw LifeEnded()
    }
  }

  /// Tells what happened.
  func add(_ what: Event.What, of collection: String, since start: Int) {
    history.add(what, of: collection, by: name, since: start)
  }

  /// Lets a player move until the server ends.
  func seat(_ player: any Player) async -> any Player {
    var player = player
    while life.isOn {
      do {
        try await player.play(self)
      } catch is LifeEnded {
        break
      } catch {
        add(.fault("\(error)"), of: "-", since: history.now())
      }
    }
    return player
  }
}

extension HTTPAnswer {
  /// The body as a value that can be taken apart.
  var tree: Tree { get throws { try Tree(body) } }
}
