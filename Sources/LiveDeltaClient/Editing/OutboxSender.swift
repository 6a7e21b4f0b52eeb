import SnapshotJSON

extension DeltaClient {
  /// What becomes of edits that were sent.
  enum EditFate: Sendable {
    case taken(WriteAnswer)
    /// The version that they rest on is not the newest.
    case outdated(current: String?)
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
      guard case .problem(let problem) = error, [403, 404, 410].contains(problem.status) else {
        throw error
      }
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
      guard case .problem(let problem) = error, 400..<500 ~= problem.status else {
        return .unknown(error)
      }
      if problem.status == 412 { return .outdated(current: problem.current) }
      let isTemporary =
        [401, 408, 425, 429].contains(problem.status) || problem.code == "idempotency-in-flight"
      return isTemporary ? .unknown(error) : .refused(error)
    }
  }
}
