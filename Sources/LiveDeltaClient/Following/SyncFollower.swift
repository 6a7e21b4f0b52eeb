/// Replicas of several collections of a client, which change together.
struct SyncFollower: FeedFollower {
  let collections: [CollectionAddress]
  private(set) var replicas: [String: CollectionReplica] = [:]
  private let client: DeltaClient
  private let idPaths: [String: String]
  /// The names of collections whose last answer did not fit; all of them is asked for next.
  private var unfit: Set<String> = []

  // The service accepts 8 KiB, of which a proxy may use some.
  private static let pathBytesMax = 7 << 10

  init(
    _ client: DeltaClient, _ collections: [CollectionAddress],
    holding stored: [String: CollectionReplica]
  ) {
    precondition(
      Set(collections.map(\.client)).count == 1
        && Set(collections.map(\.name)).count == collections.count,
      "not collections of one client, each once: \(collections)")
    (self.client, self.collections) = (client, collections)
    idPaths = Dictionary(uniqueKeysWithValues: collections.map { ($0.name, $0.idPath) })
    for name in idPaths.keys { replicas[name] = stored[name] ?? CollectionReplica() }
  }

  var content: [String: ReplicaChange]? { replicas.compactMapValues(\.content).ifAny }
  var asksForPatches: Bool { replicas.values.allSatisfy(\.asksForPatches) }

  func streamPath(ping seconds: Int) -> String? {
    let held = collections.map {
      "\($0.name.percentEncoded):\((replicas[$0.name]?.version ?? "").percentEncoded)"
    }
    let path = """
      \(DeltaClient.syncPath(collections[0].client))\
      ?collections=\(held.joined(separator: ","))&ping=\(seconds)
      """
    return path.utf8.count <= Self.pathBytesMax ? path : nil
  }

  mutating func take(
    _ event: StreamEvent
  ) throws(ClientError) -> EventEffect<[String: ReplicaChange]> {
    // That there is no collection left, as a problem says, the event before it has said of each.
    guard let answer = try client.syncAnswer(of: event, idPaths: idPaths) else { return .none }
    do {
      return try apply(answer).map { .change($0) } ?? .none
    } catch {
      return .dropped(error)
    }
  }

  mutating func ask(wait: Int?) async throws(ClientError) -> [String: ReplicaChange]? {
    let answer = try await request(wait: wait)
    do {
      return try apply(answer)
    } catch {
      return try await startOver(after: error)
    }
  }

  mutating func startOver(
    after fault: ReplicaError
  ) async throws(ClientError) -> [String: ReplicaChange]? {
    let answer = try await request(wait: nil)
    do {
      return try apply(answer)
    } catch {
      throw .malformed("\(error), asked for everything")
    }
  }

  private func request(wait: Int?) async throws(ClientError) -> SyncAnswer {
    let held = Dictionary(
      uniqueKeysWithValues: replicas.map { ($0, unfit.contains($0) ? nil : $1.version) })
    return try await client.sync(
      collections[0].client, holding: held, wait: wait, patchesItems: asksForPatches,
      idPaths: idPaths
    ).value
  }

  /// Applies an answer to all replicas, or to none if a part of it does not fit.
  private mutating func apply(
    _ answer: SyncAnswer
  ) throws(ReplicaError) -> [String: ReplicaChange]? {
    var (next, changes) = (replicas, [String: ReplicaChange]())
    var fault: ReplicaError?
    for (name, news) in answer.collections {
      guard var replica = next[name] else { continue }
      if case .deleted = news, replica.version == nil { continue }
      do {
        changes[name] = try replica.apply(news)
        next[name] = replica
      } catch {
        unfit.insert(name)
        fault = error
      }
    }
    if let fault { throw fault }
    replicas = next
    unfit = []
    return changes.ifAny
  }
}

extension [String: ReplicaChange] {
  /// The changes; `nil` if there are none.
  fileprivate var ifAny: Self? { isEmpty ? nil : self }
}
