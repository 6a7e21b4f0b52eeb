import CollectionService
import SnapshotJSON
import VersionedCollections

/// Formats server-sent events (WHATWG HTML §9.2), with all data on one line.
enum EventText {
  /// Formats an event.
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

  /// Reports a problem as an event, with a reconnection delay, because an `EventSource` never
  /// reconnects after a status other than 200.
  static func problem(_ problem: Problem) -> [UInt8] {
    var writer = JSONWriter()
    problem.write(to: &writer)
    return retry(patientRetry) + event("problem", id: nil, data: writer.bytes)
  }

  /// The reconnection delay for problems that do not resolve immediately, in milliseconds.
  static let patientRetry = 15_000

  /// Formats a delta event, which is shared by all its recipients.
  static func delta(_ material: DeltaEncodingInput, json: [UInt8]) -> [UInt8] {
    event("delta", id: material.envelope?.to.description, data: json)
  }

  /// Formats an answer about one collection.
  ///
  /// An encoded delta already is an event; the content of a snapshot is shared and follows its own
  /// header.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - name: The collection.
  ///   - resume: The resume token of a stream that a ticket opened; a delta then has no id yet.
  /// - Returns: The text of the event.
  static func pieces(
    _ answer: ReadAnswer, name: ResourceName, _ resume: String?
  ) -> [EncodedText] {
    let suffix = suffix(resume)
    switch answer {
    case .delta(let version, let body):
      if resume == nil { return [body] }
      return [EncodedText(Array("id: \(version)\(suffix)\n".utf8)), body]
    case .unchanged(let version):
      let text = ResponseText.bare(answer, name: name)
      return [EncodedText(event("bookmark", id: "\(version)\(suffix)", data: text))]
    case .deleted:
      // An empty id resets the last event id, as the client no longer holds a version.
      let text = ResponseText.bare(answer, name: name)
      return [EncodedText(event("deleted", id: suffix, data: text))]
    case .snapshot(let version, let content, let reset):
      let head = SnapshotText.head(version, name, reset: reset)
      return [
        EncodedText(Array("event: snapshot\nid: \(version)\(suffix)\ndata: ".utf8) + head), content,
        EncodedText(Array("\n\n".utf8)),
      ]
    }
  }

  /// Formats an answer about several collections; its id lists all versions that the client then
  /// holds.
  static func sync(
    _ answer: SyncAnswer, held: [SyncRequest.Entry], resume: String?
  ) -> [EncodedText] {
    let id = held.compactMap { entry in entry.since.map { "\(entry.name.text):\($0)" } }
    let head = "event: sync\nid: \(id.joined(separator: ","))\(suffix(resume))\ndata: "
    return [EncodedText(Array(head.utf8))] + ResponseText.sync(answer)
      + [EncodedText(Array("\n\n".utf8))]
  }

  /// Sets the last event id of the client without an event (WHATWG HTML §9.2.6): with the resume token it
  /// can reconnect from the beginning.
  static func id(_ held: String, resume: String) -> [UInt8] {
    Array("id: \(held)\(suffix(resume))\n\n".utf8)
  }

  /// The end of an id.
  private static func suffix(_ resume: String?) -> String { resume.map { "~" + $0 } ?? "" }
}
