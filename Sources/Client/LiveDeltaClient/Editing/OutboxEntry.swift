import SnapshotJSON

/// Edits that were made together, and what is known of their way to the service.
struct OutboxEntry: Sendable {
  /// The `Idempotency-Key` that they are sent with, as often as it takes.
  let key: String
  /// A JSON array.
  let edits: [UInt8]
  /// What is known since they were first sent; `nil` before that.
  var sending: Sending?
  /// The version that they made; `nil` before the service has taken them.
  var taken: WriteAnswer?

  /// What is known of edits that may have reached the service.
  struct Sending: Hashable, Sendable {
    /// The version that they are sent to rest on; `nil` if there was none.
    var rests: String?
    /// When they were first sent, in seconds since 1970.
    var time: Int
    /// The number of the version that was held then.
    var seq: Int
  }

  /// Whether the service still knows the key: it does for 24 hours, and 1,000 writes to the collection.
  func isKnown(now: Int, seq: Int) -> Bool {
    guard let sending else { return true }
    return now - sending.time < 23 * 3600 && seq - sending.seq <= 900
  }
}

extension OutboxEntry {
  /// What is kept of edits when they are made.
  var made: [UInt8] {
    JSONWriter.object {
      $0.member("key", key)
      $0.member("edits", raw: edits)
    }
  }

  /// What is kept of them before they are sent.
  var sent: [UInt8] {
    JSONWriter.object {
      $0.member("key", key)
      $0.member("sent", sending?.time ?? 0)
      $0.member("seq", sending?.seq ?? 0)
      if let rests = sending?.rests { $0.member("rests", rests) }
    }
  }

  /// What is kept when the service has taken or refused them.
  var done: [UInt8] {
    JSONWriter.object {
      $0.member("key", key)
      $0.member("done", true)
    }
  }
}

extension [OutboxEntry] {
  mutating func take(_ line: JSONValue) throws(ClientError) {
    let key = try line.member("key").asString()
    if let edits = line.optional("edits") {
      append(OutboxEntry(key: key, edits: edits.minified()))
    } else if line.optional("done") != nil {
      removeAll { $0.key == key }
    } else if let index = firstIndex(where: { $0.key == key }) {
      self[index].sending = OutboxEntry.Sending(
        rests: try line.optional("rests")?.asString(), time: try line.member("sent").asInt(),
        seq: try line.member("seq").asInt())
    }
  }
}
