import CollectionService
import SnapshotJSON
import VersionedCollections

/// Formats server-sent events (WHATWG HTML §9.2), with all data on one line.
enum EventText {
  static func event(_ name: String, id: String?, data: [UInt8]) -> [UInt8] {
    var text = Array("event: \(name)\n".utf8)
    text.reserveCapacity(data.count + 128)
    if let id { text.append(contentsOf: "id: \(id)\n".utf8) }
    text.append(contentsOf: "data: ".utf8)
    text.append(contentsOf: data)
    text.append(contentsOf: "\n\n".utf8)
    return text
  }

  /// Tells the client how long to wait before it reconnects, in milliseconds.
  static func retry(_ milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

  /// Keeps the connection alive without changing the client's last event id.
  static let ping = event("ping", id: nil, data: Array("{}".utf8))

  /// The last event of a stream.
  static func end(_ reason: EndReason) -> [UInt8] {
    event(
      "end", id: nil,
      data: Array("{\"reason\":\"\(reason.rawValue)\",\"reconnect\":true}".utf8))
  }

  /// The reconnection delay for problems that do not resolve immediately, in milliseconds.
  static let patientRetry = 15_000

  /// Formats an answer about one collection as an event.
  ///
  /// An encoded delta already is an event; the content of a snapshot is shared and follows its own
  /// header.
  static func pieces(_ answer: ReadAnswer, name: ResourceName) -> [EncodedText] {
    switch answer {
    case .delta(_, let body): return [body]
    case .unchanged(let version, _):
      let text = AnswerText.bare(answer, name: name)
      return [EncodedText(event("bookmark", id: version.description, data: text))]
    case .deleted:
      // An empty id resets the last event id, as the client no longer holds a version.
      let text = AnswerText.bare(answer, name: name)
      return [EncodedText(event("deleted", id: "", data: text))]
    case .snapshot(let version, let content, let reset):
      let head = SnapshotText.head(version, name, reset: reset)
      return [
        EncodedText(Array("event: snapshot\nid: \(version)\ndata: ".utf8) + head), content,
        EncodedText(Array("\n\n".utf8)),
      ]
    }
  }

  /// Formats an answer about several collections; its id lists all versions that the client then
  /// holds.
  static func sync(_ answer: SyncAnswer, held: [SyncRequest.Entry]) -> [EncodedText] {
    let id = held.compactMap { entry in entry.since.map { "\(entry.name.text):\($0)" } }
    let head = "event: sync\nid: \(id.joined(separator: ","))\ndata: "
    return [EncodedText(Array(head.utf8))] + AnswerText.sync(answer)
      + [EncodedText(Array("\n\n".utf8))]
  }

  /// Formats an event of the feed of changes; each of several changes becomes an event of its own.
  ///
  /// `readsAll` tells whether the reader may read all of a collection: of others it is sent tokens that say nothing
  /// about contents.
  static func changes(_ event: ChangeEvent, readsAll: (CollectionKey) -> Bool) -> [UInt8] {
    switch event {
    case .bookmark(let mark):
      return self.event("bookmark", id: mark.description, data: Array("{}".utf8))
    case .incomplete(let mark, let changed):
      let data = JSONWriter.object {
        $0.member("reason", "history-compacted")
        if let changed { $0.array("changes", changed) { $0.write($1, isPlain: readsAll($1.key)) } }
      }
      return self.event("reset", id: mark.description, data: data)
    case .changes(let changes):
      return changes.flatMap { mark, change in
        var writer = JSONWriter()
        writer.write(change, isPlain: readsAll(change.key))
        let name = change.isDeleted ? "deleted" : "change"
        return self.event(name, id: mark.description, data: writer.bytes)
      }
    case .ping: return ping
    case .end(let reason): return end(reason)
    }
  }
}

extension JSONWriter {
  /// Writes `{"client","name","version"}`, with `"deleted":true` for a deletion.
  mutating func write(_ change: CollectionChange, isPlain: Bool) {
    object {
      $0.member("client", change.key.client.text)
      $0.member("name", change.key.name.text)
      let version = isPlain || change.isPublic ? change.version : change.hiddenVersion
      $0.member("version", version.description)
      if change.isDeleted { $0.member("deleted", true) }
    }
  }
}
