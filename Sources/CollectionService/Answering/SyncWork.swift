import VersionedCollections

/// The answer to a reader of several collections, to be made on any queue.
struct SyncWork: Sendable {
  /// What is new to the reader.
  private enum News: Sendable {
    case deleted(VersionToken)
    case version(CollectionState, since: VersionToken?)
  }

  let client: ResourceName
  /// What applies to each collection.
  let each: ReadRequest
  /// The answer but for the news.
  private(set) var answer = SyncAnswer()
  private var news: [(name: ResourceName, news: News)] = []
  /// The time until which to wait for a collection that is behind its reader.
  private(set) var deadline: Duration?

  /// Reads several collections at one moment.
  ///
  /// - Parameters:
  ///   - entries: The collections, and the versions that the reader has.
  ///   - each: What applies to each collection.
  ///   - client: The client.
  ///   - catchUpUntil: Until when to wait for a collection that is behind the reader; nil if that is
  ///     over.
  init(
    _ entries: [SyncRequest.Entry], _ each: ReadRequest, of client: ClientState,
    catchUpUntil: Duration?
  ) {
    self.client = client.name
    self.each = each
    for entry in entries { add(entry, client, catchUpUntil) }
  }

  private mutating func add(
    _ entry: SyncRequest.Entry, _ client: ClientState, _ catchUpUntil: Duration?
  ) {
    var next = entry
    defer { answer.held.append(next) }
    guard let collection = client.collections[entry.name]?.state else {
      guard let since = entry.since else { return answer.missing.append(entry.name) }
      if client.stored[entry.name]?.version == since { return answer.unchanged.append(entry) }
      next.since = nil
      return news.append((entry.name, .deleted(since)))
    }
    switch collection.relation(of: entry.since) {
    case .current: answer.unchanged.append(entry)
    case .ahead where catchUpUntil != nil:
      answer.unchanged.append(entry)
      deadline = catchUpUntil
    default:
      next.since = collection.token
      news.append((entry.name, .version(collection, since: entry.since)))
    }
  }

  /// Whether anything is new to the reader.
  var hasNews: Bool { !news.isEmpty }

  /// Whether it takes long to make.
  func isLong(_ context: AnswerContext) -> Bool {
    news.contains { entry in
      guard case .version(let collection, let since) = entry.news else { return false }
      return context.isCold(request(since), collection)
    }
  }

  /// Makes the answer; nil if it would exceed the limit.
  func composed(_ maker: AnswerMaker) -> SyncAnswer? {
    var answer = answer
    var byteCount = 0
    for (name, news) in news {
      switch news {
      case .deleted(let version): answer.news.append(.init(name: name, answer: .deleted(version)))
      case .version(let collection, let since):
        // A reader that does not insist on deltas is always answered.
        guard
          case .success(let content) = maker.answer(request(since), collection, of: client)
        else { continue }
        answer.news.append(.init(name: name, answer: content))
        byteCount += content.byteCount
      }
      if byteCount > maker.context.limits.syncBytesMax, answer.held.count > 1 { return nil }
    }
    return answer
  }

  private func request(_ since: VersionToken?) -> ReadRequest {
    var request = each
    request.since = since
    return request
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
