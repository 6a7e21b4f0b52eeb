import VersionedCollections

/// The answer to a reader of collections, to be made on any queue.
///
/// It is an object because ten thousand of them may pass through actions.
final class PollWork: Sendable {
  let client: ResourceName
  private let request: SyncRequest
  /// The answer but for the news.
  let answer: SyncAnswer
  /// The collections that may have news for the reader; one without a state was deleted.
  private let news: [(entry: SyncRequest.Entry, collection: VisibleCollection?)]
  /// Why there is no answer, and the collection that it is about.
  private let failure: (error: ServiceError, name: ResourceName)?
  /// Whether the reader has a version that a collection has not reached yet.
  let isAhead: Bool
  /// The head of the last collection; nil if it is not in memory.
  let head: PublishedHead?

  /// Reads collections at one moment.
  ///
  /// - Parameters:
  ///   - entries: The collections, and the versions that the reader has.
  ///   - request: What the reader asked for.
  ///   - client: The client.
  init(_ entries: [SyncRequest.Entry], _ request: SyncRequest, of client: ClientState) {
    self.client = client.name
    self.request = request
    var answer = SyncAnswer()
    var news: [(entry: SyncRequest.Entry, collection: VisibleCollection?)] = []
    var failure: (error: ServiceError, name: ResourceName)?
    var isAhead = false
    var head: PublishedHead?
    for entry in entries {
      var next = entry
      let state = client.collections[entry.name]?.state
      head = state?.head
      var collection: VisibleCollection?
      do throws(ServiceError) {
        collection = try state.map { state throws(ServiceError) in
          try VisibleCollection(state, entry.access)
        }
      } catch {
        failure = failure ?? (error, entry.name)
      }
      var isCurrent = false
      switch collection?.relation(of: entry.since) {
      case .current: isCurrent = true
      case .ahead: isAhead = true
      case nil where entry.since != nil:
        isCurrent = client.stored[entry.name]?.version == entry.since?.unrenewed
      default: break
      }
      let isViewed = collection.map { $0.query(entry.view) != nil } ?? entry.isViewed
      if isCurrent, !isViewed {
        answer.unchanged.append(entry)
      } else if collection == nil, entry.since == nil || request.isOfOne {
        answer.missing.append(entry.name)
      } else {
        (next.since, next.same) = (collection?.token, nil)
        news.append((entry, collection))
      }
      answer.held.append(next)
    }
    (self.answer, self.news, self.failure) = (answer, news, failure)
    (self.isAhead, self.head) = (isAhead, head)
  }

  /// Whether there may be news.
  var hasNews: Bool { !news.isEmpty || failure != nil }

  /// The most bytes that a view reads on the shard's queue, which takes some tenths of a millisecond.
  private static let viewedInPlaceBytesMax = 16 << 10

  /// Whether it takes long to make.
  func isLong(_ context: AnswerContext) -> Bool {
    let bytesMax = context.limits.inlineBodyBytesMax
    return news.contains { entry, collection in
      guard let collection, !context.isKnown(request.request(entry), collection) else {
        return false
      }
      let byteCount = collection.state.contents.byteCount
      let readBytes = collection.query(entry.view).map { byteCount * $0.view.passCount } ?? 0
      return byteCount > bytesMax || readBytes > Self.viewedInPlaceBytesMax
    }
  }

  /// The order by which a worker makes the answer, where that takes long.
  func order(_ context: AnswerContext) -> AnswerOrder {
    let interest = request.each.interest
    var order = AnswerOrder(
      asker: .init(client: client, reader: interest?.asker ?? ""), interest: interest)
    for case (let entry, let collection?) in news
    where !context.isKnown(request.request(entry), collection) {
      let key = CollectionKey(client: client, name: entry.name)
      let view = collection.query(entry.view)?.view
      order.topics.append(.init(collection: key, view: view))
      if view != nil {
        order.limit = .milliseconds(context.limits.viewMillisecondsMax)
      }
    }
    return order
  }

  /// The bytes of the collections that it has to be made from; nil if there are none, or if what is read of them is known.
  func byteCountToMake(_ context: AnswerContext) -> Int? {
    var byteCount: Int?
    for case (let entry, let collection?) in news
    where !context.isKnown(request.request(entry), collection) {
      byteCount = (byteCount ?? 0) + collection.state.contents.byteCount
    }
    return byteCount
  }

  /// The versions of which views need contents that are not in memory.
  ///
  /// - Throws: `WorkStop`.
  func missingVersions(_ maker: AnswerMaker) throws(WorkStop) -> [RetainedVersion] {
    var missing: [RetainedVersion] = []
    for case (let entry, let collection?) in news {
      let version = try maker.missingVersion(request.request(entry), collection, of: client)
      if let version { missing.append(version) }
    }
    return missing
  }

  /// Makes the answer, or says why there is none: it would exceed a limit, or whoever insists on deltas gets none.
  ///
  /// - Returns: The answer; nil if nobody waits for it any more.
  func make(_ maker: AnswerMaker) -> Result<SyncAnswer, ServiceFailure>? {
    if let failure {
      maker.report(failure.error, client, failure.name, request.each.requestID)
      return .failure(ServiceFailure(failure.error, current: nil))
    }
    var answer = answer
    var byteCount = 0
    for (entry, collection) in news {
      if let collection {
        let key = CollectionKey(client: client, name: entry.name)
        let view = collection.query(entry.view)?.view
        let made = maker.result(of: view, key) { () throws(WorkStop) in
          try maker.answer(request.request(entry), collection, of: client)
        }
        guard let made else { return nil }
        switch made {
        case .success(let content):
          answer.add(content, to: entry)
          byteCount += content.byteCount
        case .failure(let failure): return .failure(failure)
        }
      } else if let since = entry.since {
        answer.news.append(.init(name: entry.name, answer: .deleted(since)))
      }
      if answer.held.count == 1 { continue }
      let limit = maker.context.limits.syncBytesMax
      if byteCount > limit {
        return .failure(ServiceFailure(.syncTooLarge(limit: limit), current: nil))
      }
    }
    return .success(answer)
  }
}

extension View {
  /// About how often it reads all contents.
  fileprivate var passCount: Int {
    1 + terms.count + (restriction?.terms.count ?? 0) + 4 * order.count
      + (effectiveSelection == nil ? 0 : 2)
  }
}

extension SyncAnswer {
  /// Adds what a reader is told of one collection.
  fileprivate mutating func add(_ content: ReadAnswer, to entry: SyncRequest.Entry) {
    let name = entry.name
    let place = held.firstIndex { $0.name == name }
    if let place, let numbers = content.view { held[place].holdsWindow(at: numbers.anchor) }
    if case .snapshot(let version, _, _) = content, let place {
      // It may be marked, and the next delta is from what the reader was told.
      held[place].since = version
    }
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
