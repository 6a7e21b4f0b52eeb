/// The replicas that a feed keeps up to date: of one collection, or of several of a client, which then
/// change together.
struct FeedReplicas {
  enum Effect {
    /// The event brings no change.
    case none
    case changed([String: ReplicaChange])
    /// The event does not fit and was dropped.
    case dropped
  }

  private(set) var replicas: [String: CollectionReplica]
  private var collections: [CollectionAddress]
  private let client: DeltaClient
  private let idPaths: [String: String]
  /// The window of what is held, if another is asked for.
  private(set) var was: String?
  /// The names of collections whose last answer did not fit; all of them is asked for next.
  private var unfit: Set<String> = []

  // The service accepts 8 KiB, of which a proxy may use some.
  private static let pathBytesMax = 7 << 10

  /// Traps unless the collections can be followed together.
  static func check(_ collections: [CollectionAddress]) {
    precondition(
      Set(collections.map(\.client)).count == 1
        && Set(collections.map(\.name)).count == collections.count,
      "not collections of one client, each once: \(collections)")
  }

  init(
    _ client: DeltaClient, _ collections: [CollectionAddress],
    holding stored: [String: CollectionReplica]
  ) {
    (self.client, self.collections) = (client, collections)
    idPaths = Dictionary(uniqueKeysWithValues: collections.map { ($0.name, $0.idPath) })
    replicas = idPaths.keys.reduce(into: [:]) { $0[$1] = stored[$1] ?? CollectionReplica() }
  }

  var versions: [String: String] { replicas.compactMapValues(\.version) }

  /// The change that shows the contents; `nil` if there are none.
  var content: [String: ReplicaChange]? {
    let shown = replicas.filter { $1.version != nil }
    return shown.isEmpty ? nil : shown.mapValues { .replaced(by: $0.sections, reset: nil) }
  }

  var hasContent: Bool { replicas.values.contains { $0.version != nil } }

  /// Whether the next request may be answered with merge patches of items.
  var asksForPatches: Bool { replicas.values.allSatisfy(\.asksForPatches) }

  /// The collection that is asked about by itself; `nil` to ask about all as of one moment.
  private var single: CollectionAddress? { collections.count == 1 ? collections[0] : nil }

  var windows: [String?] { collections.map(\.view?.window) }

  /// The window that is asked for, of a feed of one view.
  var window: String? { single?.view?.window }

  /// Asks for another window from now on.
  mutating func move(to window: String) {
    if let shown = self.window, replicas[collections[0].name]?.version != nil { was = was ?? shown }
    collections[0].view?.window = window
    if was == window { was = nil }
  }

  /// Has what is held be that of another window, which shows the same of this version.
  mutating func hold(_ window: String) {
    collections[0].view?.window = window
    was = nil
  }

  /// The path of a stream of what changes from here on; `nil` if it would be too long, or streams show no views.
  func streamPath(ping seconds: Int) -> String? {
    if let single {
      let version = replicas[single.name]?.version ?? ""
      return single.path(
        reading: "/delta", "since=\(version.percentEncoded)&ping=\(seconds)")
    }
    guard collections.allSatisfy({ $0.view == nil }) else { return nil }
    let held = collections.map {
      "\($0.name.percentEncoded):\((replicas[$0.name]?.version ?? "").percentEncoded)"
    }
    let path = """
      \(DeltaClient.syncPath(collections[0].client))\
      ?collections=\(held.joined(separator: ","))&ping=\(seconds)
      """
    return path.utf8.count <= Self.pathBytesMax ? path : nil
  }

  mutating func take(_ event: StreamEvent) throws(ClientError) -> Effect {
    var answers: [String: DeltaAnswer]?
    if let single {
      answers = try client.answer(of: event, idPath: single.idPath).map { [single.name: $0.value] }
    } else {
      // That there is no collection left, as a problem says, the event before it has said of each.
      answers = try client.syncAnswer(of: event, idPaths: idPaths)?.collections
    }
    guard let answers else { return .none }
    do {
      return try apply(answers).map { .changed($0) } ?? .none
    } catch {
      return .dropped
    }
  }

  /// Requests what changed, and applies it; `nil` if nothing did.
  mutating func ask(wait: Int?) async throws(ClientError) -> [String: ReplicaChange]? {
    let answers = try await request(wait: wait)
    do {
      return try apply(answers)
    } catch {
      return try await startOver()
    }
  }

  /// Requests anew the whole of what an answer did not fit, and applies it.
  mutating func startOver() async throws(ClientError) -> [String: ReplicaChange]? {
    let answers = try await request(wait: nil)
    do {
      return try apply(answers)
    } catch {
      throw .malformed("\(error), asked for everything")
    }
  }

  private func request(wait: Int?) async throws(ClientError) -> [String: DeltaAnswer] {
    let held = collections.map {
      (collection: $0, version: unfit.contains($0.name) ? nil : replicas[$0.name]?.version)
    }
    if let single {
      let answer = try await client.change(
        of: single, since: held[0].version, wait: wait, awaitsCreation: wait != nil,
        patchesItems: asksForPatches && unfit.isEmpty, avoidsCaches: !unfit.isEmpty, was: was)
      return [single.name: answer.value]
    }
    return try await client.sync(
      collections[0].client, holding: held, wait: wait, patchesItems: asksForPatches
    ).value.collections
  }

  /// Applies the answers to all replicas, or to none if one of them does not fit.
  private mutating func apply(
    _ answers: [String: DeltaAnswer]
  ) throws(ReplicaError) -> [String: ReplicaChange]? {
    var (next, changes) = (replicas, [String: ReplicaChange]())
    var fault: ReplicaError?
    for (name, answer) in answers {
      guard var replica = next[name] else { continue }
      // A deletion may be repeated.
      if case .deleted = answer, replica.version == nil { continue }
      do {
        let held = replica.version
        let change = try replica.apply(answer)
        next[name] = replica
        if case .unchanged = change, replica.version == held { continue }
        changes[name] = change
      } catch {
        unfit.insert(name)
        fault = error
      }
    }
    if let fault { throw fault }
    (replicas, unfit, was) = (next, [], nil)
    for index in collections.indices { collections[index].stand(in: next) }
    return changes.isEmpty ? nil : changes
  }
}

extension CollectionAddress {
  /// Keeps a window around an item at the one that it stands at since that item is gone.
  fileprivate mutating func stand(in replicas: [String: CollectionReplica]) {
    guard let anchor = replicas[name]?.view?.anchor, let window = view?.window,
      case .around(_, let before, let after)? = ListWindow(window)
    else { return }
    view?.window = ListWindow.around(anchor, before: before, after: after).text
  }
}
