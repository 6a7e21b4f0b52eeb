import SnapshotJSON

extension DeltaClient {
  /// What becomes of edits that were sent.
  enum EditFate: Sendable {
    case taken(WriteAnswer)
    /// The version that they rest on is not the newest, or they need to rest on one.
    case outdated(ProblemDetails)
    case refused(ClientError)
    /// They are to be sent again later.
    case unknown(ClientError)
  }

  /// Asks for the newest version without its contents; `nil` if there is none, or it may not be read.
  func newestVersion(
    of collection: CollectionAddress
  ) async throws(ClientError) -> WireSnapshot? {
    var numbers = collection
    numbers.view = CollectionView(window: ListWindow.first(0).text)
    do throws(ClientError) {
      return try await snapshot(of: numbers).value
    } catch {
      guard case .problem(let problem) = error, problem.isOfService,
        [403, 404, 410].contains(problem.status)
      else { throw error }
      return nil
    }
  }

  /// Sends edits once.
  func send(_ entry: OutboxEntry, to collection: CollectionAddress) async -> EditFate {
    var fields = [
      HeaderField("Content-Type", editsType),
      HeaderField("Idempotency-Key", entry.key),
    ]
    if let rests = entry.sending?.rests {
      fields.append(HeaderField("Collection-If-Version", rests))
    }
    let body = JSONWriter.object { $0.member("edits", raw: entry.edits) }
    do throws(ClientError) {
      let answer = try await request("PATCH", collection.path, fields: fields, body: body)
      return .taken(try WriteAnswer(read(answer), status: answer.status))
    } catch {
      guard case .problem(let problem) = error else { return .unknown(error) }
      if problem.isOutdated { return .outdated(problem) }
      return problem.refusesEdits ? .refused(error) : .unknown(error)
    }
  }
}

extension ProblemDetails {
  /// The codes that refuse edits for good, wherever and whenever they are sent.
  ///
  /// Any other answer describes the moment, the configuration, or comes from a proxy: the edits are sent again later.
  private static let finalEditCodes: Set<String> = [
    "bad-json", "bad-snapshot", "body-too-large", "collection-not-found", "duplicate-id",
    "edit-conflict", "has-source", "idempotency-key-reuse", "insufficient-scope", "too-deep",
    "too-many-items",
  ]

  /// Whether the service refuses edits for good.
  fileprivate var refusesEdits: Bool { Self.finalEditCodes.contains(code) }

  /// Whether the service takes edits only if they rest on its newest version.
  var isOutdated: Bool { ["version-conflict", "precondition-required"].contains(code) }
}
