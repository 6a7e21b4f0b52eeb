import VersionedCollections

/// The answer to a reader of several collections, to be made on any queue.
struct SyncWork: Sendable {
  /// What is new to the reader.
  private enum News: Sendable {
    case deleted(VersionToken)
    case version(CollectionState, SyncRequest.Entry)
  }

  let client: ResourceName
  /// What applies to each collection.
  let each: ReadRequest
  /// The answer but for the news.
  private(set) var answer = SyncAnswer()
  private var news: [(name: ResourceName, news: News)] = []

  /// Reads several collections at one moment.
  ///
  /// - Parameters:
  ///   - entries: The collections, and the versions that the reader has.
  ///   - each: What applies to each collection.
  ///   - client: The client.
  init(_ entries: [SyncRequest.Entry], _ each: ReadRequest, of client: ClientState) {
    self.client = client.name
    self.each = each
    for entry in entries { add(entry, client) }
  }

  private mutating func add(_ entry: SyncRequest.Entry, _ client: ClientState) {
    var next = entry
    defer { answer.held.append(next) }
    guard let collection = client.collections[entry.name]?.state else {
      guard let since = entry.since else { return answer.missing.append(entry.name) }
      if client.stored[entry.name]?.version == since, entry.view == nil {
        return answer.unchanged.append(entry)
      }
      (next.since, next.same) = (nil, nil)
      hasNews = true
      return news.append((entry.name, .deleted(since)))
    }
    switch collection.relation(of: entry.since) {
    case .current where entry.view == nil: answer.unchanged.append(entry)
    default:
      next.since = collection.token
      next.same = nil
      if case .current = collection.relation(of: entry.newest) {
        hasNews = entry.movesWindow || hasNews
      } else {
        hasNews = true
      }
      news.append((entry.name, .version(collection, entry)))
    }
  }

  /// Whether anything may be new to the reader: what its views show is known when the answer is made.
  private(set) var hasNews = false

  /// Whether it takes long to make.
  func isLong(_ context: AnswerContext) -> Bool {
    news.contains { entry in
      guard case .version(let collection, let entry) = entry.news else { return false }
      return context.isCold(request(entry), collection)
    }
  }

  /// Makes the answer; nil if it would exceed the limit.
  func composed(_ maker: AnswerMaker) -> SyncAnswer? {
    var answer = answer
    var byteCount = 0
    for (name, news) in news {
      switch news {
      case .deleted(let version): answer.news.append(.init(name: name, answer: .deleted(version)))
      case .version(let collection, let entry):
        switch maker.answer(request(entry), collection, of: client) {
        case .success(let content):
          answer.add(content, to: entry)
          byteCount += content.byteCount
        // Only a reader of one collection insists on deltas.
        case .failure(let failure): answer.failure = failure
        }
      }
      if byteCount > maker.context.limits.syncBytesMax, answer.held.count > 1 { return nil }
    }
    return answer
  }

  private func request(_ entry: SyncRequest.Entry) -> ReadRequest {
    var request = each
    (request.since, request.same) = (entry.since, entry.same)
    request.form.view = entry.view
    return request
  }

  /// The versions of which views need contents that are not in memory.
  func missingVersions(_ maker: AnswerMaker) -> [RetainedVersion] {
    news.compactMap { entry in
      guard case .version(let collection, let entry) = entry.news else { return nil }
      return maker.missingVersion(request(entry), collection)
    }
  }
}

extension SyncAnswer {
  /// Adds what a reader is told of one collection.
  fileprivate mutating func add(_ content: ReadAnswer, to entry: SyncRequest.Entry) {
    let name = entry.name
    let place = held.firstIndex { $0.name == name }
    if let place, let numbers = content.view { held[place].holdsWindow(at: numbers.anchor) }
    guard case .unchanged(let version, let numbers) = content, let place else {
      return news.append(News(name: name, answer: content))
    }
    // The reader goes on from the version it has until it is told of the newer one.
    held[place].since = entry.since
    held[place].same = version == entry.since ? nil : version
    unchanged.append(held[place])
    views[name] = numbers
  }
}

extension SyncRequest.Entry {
  /// Whether the reader asks for another window than it holds.
  var movesWindow: Bool { view?.was.map { $0 != view?.window } ?? false }

  /// Records that the reader holds the window that it asked for; one around an item stands at `anchor`.
  fileprivate mutating func holdsWindow(at anchor: [UInt8]?) {
    view?.was = nil
    guard case .around(_, let before, let after)? = view?.window, let anchor else { return }
    view?.window = .around(anchor, before: before, after: after)
  }
}

extension ReadAnswer {
  /// The bytes of the encoded content, without an envelope.
  fileprivate var byteCount: Int {
    switch self {
    case .snapshot(_, let content, _): content.bytes.count
    case .delta(_, let body): body.bytes.count
    case .unchanged, .deleted: 0
    }
  }
}
