public import Foundation
public import LiveCollections

/// Keeps a collection up to date for as long as an app shows it, in the app's own types, with the edits of this
/// device.
///
/// It is a ``SyncFeed`` of one collection. An edit shows at once, is kept in a file until the service has taken
/// or refused it, and is made once, whatever is cut or killed meanwhile; what changes at the service is shown
/// with the edits made on it. An item that cannot be decoded is reported once and left out. ``ListFeed`` is one of a
/// flat list.
///
/// ```swift
/// let feed = CollectionFeed<Message, Day, NoContent>(client, inbox, options: options)
/// try await feed.run { event in
///   if case .change(let content) = event { await days.show(content.sections) }
/// }
/// try await feed.edit { try $0.merge("m1", ["unread": false]) }
/// ```
public actor CollectionFeed<Row, Header, Meta>
where Row: Decodable & Sendable, Header: Decodable & Sendable, Meta: Decodable & Sendable {
  /// What a feed shows.
  public typealias Content = FeedContent<Row, Header, Meta>
  /// What a feed reports.
  public typealias Event = FeedEvent<Content>
  /// Shows an event, on the main actor.
  public typealias Handler = @MainActor @Sendable (Event) async -> Void

  /// The collection.
  public nonisolated let collection: CollectionAddress
  private let client: DeltaClient
  private let feed: SyncFeed
  private let options: FeedOptions
  private let encoder: JSONEncoder
  private var reader: FeedReader<Row, Header, Meta>
  private var held = CollectionReplica()
  private var opened: Outbox?
  private var show: Handler?
  /// The number of the run that came last, and of the one whose turn it is.
  private var (lastRun, currentRun) = (0, 0)
  private var sender: Task<Void, Never>?
  /// Ends the pause of the sender.
  private var goOn: (@Sendable () -> Void)?
  /// What is to be shown after the content, which is to be shown again if `isStale`.
  private var events: [Event] = []
  private var (isShowing, isStale) = (false, false)

  /// Creates a feed, which starts from the content of its file, if there is one, and the edits of its other.
  ///
  /// - Parameters:
  ///   - client: Requests what changed, and sends edits.
  ///   - collection: The collection.
  ///   - options: How to follow it.
  ///   - decoder: Decodes items, headers and `meta`.
  ///   - encoder: Encodes edits.
  ///   - report: Called once with each item or header that cannot be decoded, by its id, and for `meta` with an
  ///     empty one; `nil` to log the first.
  public init(
    _ client: DeltaClient, _ collection: CollectionAddress, options: FeedOptions = FeedOptions(),
    decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder(),
    report: (@Sendable (ReplicaID, any Error) -> Void)? = nil
  ) {
    (self.client, self.collection, self.options) = (client, collection, options)
    feed = SyncFeed(client, [collection], options: options)
    reader = FeedReader(decoder, report ?? DecodingReport(Row.self).callAsFunction)
    self.encoder = encoder
  }

  /// What is shown: the newest content, with the edits that are under way.
  ///
  /// - Throws: An error if the file of edits cannot be read, or is another's.
  public var content: Content {
    get async throws {
      await loadUnlessRunning()
      return try read(outbox())
    }
  }

  /// Makes edits; when it returns they are on the disk and on their way to be shown.
  ///
  /// They are sent while the feed runs, and by ``poll()``.
  ///
  /// - Parameter make: Adds the edits; all are made, in one version, or none.
  /// - Throws: A problem with the code `edit-conflict` if they refer to what is not there, or an error of the
  ///   file; then they are not made. Whatever `make` throws.
  public func edit(_ make: @Sendable (inout CollectionEdits<Row>) throws -> Void) async throws {
    var edits = CollectionEdits<Row>(encoder: encoder)
    try make(&edits)
    await loadUnlessRunning()
    var outbox = try outbox()
    try outbox.add(edits.bytes, to: held.version == nil ? nil : outbox.shown(on: held.sections))
    opened = outbox
    goOn?()
    Task { await present() }
  }

  /// Sends what is pending, asks once for the newest content, without waiting for a change, and keeps it: for
  /// background refresh.
  ///
  /// While the feed runs, the change is shown as well.
  ///
  /// - Throws: `ClientError`; the content is then unchanged.
  public func poll() async throws(ClientError) {
    await loadUnlessRunning()
    if sender == nil {
      let sending = Task { await self.send(isEndless: false) }
      sender = sending
      await withTaskCancellationHandler {
        await sending.value
      } onCancel: {
        sending.cancel()
      }
      if sender == sending { sender = nil }
    }
    try await feed.poll()
    await loadUnlessRunning()
  }

  /// Asks for the newest content, and returns when it is shown: for pull to refresh.
  ///
  /// - Throws: `ClientError`; the feed itself goes on trying.
  public func refresh() async throws(ClientError) {
    goOn?()
    try await feed.refresh()
  }

  /// Goes on at once, as ``SyncFeed/wake()``.
  public func wake() async {
    goOn?()
    await feed.wake()
  }

  /// Shows the content and then each change, and sends edits, until the task is cancelled.
  ///
  /// - Parameter show: Called on the main actor with one event at a time; a view that takes long gets the newest
  ///   content only.
  /// - Throws: `CancellationError` when the task is cancelled, or a `ClientError` that trying again does not mend.
  public func run(_ show: @escaping Handler) async throws {
    lastRun += 1
    let number = lastRun
    do throws(ClientError) {
      try await feed.run {
        await self.begin(number, show)
      } showing: { event in
        await self.take(event)
      }
    } catch {
      if number == currentRun { await end() }
      throw error.orCancellation
    }
  }
}

/// A feed of a flat list, whose `content.items` are all that is shown.
public typealias ListFeed<Row: Decodable & Sendable> = CollectionFeed<Row, NoContent, NoContent>

// MARK: - Showing

extension CollectionFeed {
  private func begin(_ number: Int, _ show: @escaping Handler) async {
    await end()
    currentRun = number
    self.show = show
    await load()
    // An error is reported by the sender.
    _ = try? outbox()
    if let damage = opened?.takeDamage() {
      await report(.interrupted(.file(reason: damage), retryAfter: .zero))
    }
    sender = Task { await self.send(isEndless: true) }
  }

  private func end() async {
    sender?.cancel()
    await sender?.value
    (sender, show) = (nil, nil)
  }

  private func take(_ event: SyncFeed.Event) async {
    switch event {
    case .interrupted(let error, let pause): await report(.interrupted(error, retryAfter: pause))
    case .refused: break
    case .change(let changes):
      var isOther = false
      switch changes[collection.name] {
      case .deleted, .replaced(_, .some): isOther = true
      default: break
      }
      await load(isOther: isOther)
      await present()
    }
  }

  /// Takes what the replica has, unless the feed runs and is told of it in order.
  private func loadUnlessRunning() async {
    if show == nil { await load() }
  }

  /// Takes what the replica has.
  private func load(isOther: Bool = false) async {
    held = await feed.replica
    opened?.settle(on: held, isOther: isOther)
  }

  /// Opens the outbox; never on the main thread.
  private func outbox() throws -> Outbox {
    if let opened { return opened }
    let outbox = try Outbox(collection, of: client.address, at: options.edits)
    opened = outbox
    return outbox
  }

  private func read(_ outbox: Outbox?) -> Content {
    var content = reader.read(outbox?.shown(on: held.sections) ?? held.sections, meta: held.meta)
    content.version = held.version
    content.pendingCount = outbox?.pending.count ?? 0
    return content
  }

  /// Shows the content again.
  private func present() async {
    isStale = true
    await showAll()
  }

  /// Reports an event; a refusal also to the next run.
  private func report(_ event: Event) async {
    if case .interrupted = event, show == nil { return }
    events.append(event)
    await showAll()
  }

  /// Shows what is to be shown, one after the other, unless somebody is at it, who then goes on.
  private func showAll() async {
    guard !isShowing else { return }
    isShowing = true
    while let show, isStale || !events.isEmpty {
      if isStale {
        isStale = false
        await show(.change(read(opened)))
      } else {
        await show(events.removeFirst())
      }
    }
    isShowing = false
  }
}

// MARK: - Sending

extension CollectionFeed {
  /// How often in a row a poll sends edits that rest on an outdated version.
  private static var conflictsMax: Int { 4 }

  /// Sends one entry after the other, until there is none or, if not endless, one cannot be sent.
  private func send(isEndless: Bool) async {
    var backoff = options.backoff
    var conflicts = 0
    while !Task.isCancelled {
      do {
        guard let entry = try outbox().pending.first else {
          guard isEndless else { return }
          await pause(nil)
          continue
        }
        try await send(entry)
        backoff.reset()
        conflicts = 0
      } catch {
        let error = error as? ClientError ?? .file(reason: "\(error)")
        conflicts = error.isConflict ? conflicts + 1 : 0
        let goesOn = isEndless || 1..<Self.conflictsMax ~= conflicts
        guard goesOn, !Task.isCancelled else { return }
        let pause = max(backoff.next(options.random), error.retryAfter ?? .zero)
        // Others edit the list as well: one conflict is not worth a report.
        if conflicts != 1 { await report(.interrupted(error, retryAfter: pause)) }
        await self.pause(pause)
      }
    }
  }

  /// Sends an entry.
  ///
  /// - Throws: Why it must be sent again later.
  private func send(_ entry: OutboxEntry) async throws {
    let isNeeded = try outbox().needsVersion(held)
    let newest = try await isNeeded ? client.newestVersion(of: collection) : nil
    var outbox = try outbox()
    let begun = try outbox.begin(on: held, newest: newest, now: Self.now)
    opened = outbox
    guard let begun else { return try await forget(entry) }
    let fate = await client.send(begun, to: collection)
    switch fate {
    case .unknown(let error): throw error
    case .outdated(let problem):
      try await rest(begun, isFirst: entry.sending == nil, problem.current)
      throw ClientError.problem(problem)
    case .taken, .refused: try await end(entry, fate)
    }
  }

  /// Has an entry rest on the newest version, where that it was refused tells that it was not made.
  private func rest(_ entry: OutboxEntry, isFirst: Bool, _ current: String?) async throws {
    // What was sent before may have been made, and what is held be older than the service's knowledge of its key.
    let isKnown = isFirst && current != nil
    let newest = try await isKnown ? nil : client.newestVersion(of: collection)
    let seq = max(held.seq, newest?.seq ?? 0, entry.sending?.seq ?? 0)
    let now = Self.now
    guard entry.isKnown(now: now, seq: seq) else { return try await forget(entry) }
    var outbox = try outbox()
    try outbox.rest(entry.key, as: .init(rests: current ?? newest?.version, time: now, seq: seq))
    opened = outbox
  }

  /// Gives up an entry that the service may have made and forgotten.
  private func forget(_ entry: OutboxEntry) async throws {
    try await end(entry, .refused(.outcomeUnknown(key: entry.key, reason: "its key is forgotten")))
  }

  /// The time, in seconds since 1970.
  private static var now: Int { Int(Date().timeIntervalSince1970) }

  private func end(_ entry: OutboxEntry, _ fate: DeltaClient.EditFate) async throws {
    var outbox = try outbox()
    if case .taken(let answer) = fate {
      try outbox.end(entry.key, answer, on: held)
    } else {
      try outbox.end(entry.key, nil, on: held)
    }
    opened = outbox
    await present()
    if case .refused(let reason) = fate {
      await report(.refused(edits: String(decoding: entry.edits, as: UTF8.self), reason))
    }
  }

  /// Pauses until the end of a time, until it is woken, or until the task is cancelled.
  private func pause(_ duration: Duration?) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let timer = duration.map { duration in
      Task { [clock = options.clock] in
        // An error means that it is over as well.
        try? await clock.pause(duration)
        end.finish()
      }
    }
    goOn = { end.finish() }
    for await _ in ends {}
    goOn = nil
    timer?.cancel()
  }
}

extension ClientError {
  /// Whether edits were refused because they rest on an outdated version.
  fileprivate var isConflict: Bool {
    if case .problem(let problem) = self { problem.isOutdated } else { false }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension CollectionFeed {
  /// Shows the content in a list whose rows are observed one by one, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - report: Called with events other than changes.
  /// - Throws: As ``run(_:)``.
  public func run(
    showing list: ObservableSections<FeedSection<Row, Header>>,
    report: @escaping Handler = { _ in }
  ) async throws {
    try await run { event in
      guard case .change(let content) = event else { return await report(event) }
      list.show(content.sections)
    }
  }
}
