import CollectionService
import SnapshotJSON

/// Server-sent events as text (WHATWG HTML §9.2): every one of ours has its data on one line.
enum EventText {
  /// An event with data that is there already.
  static func event(_ name: String, id: String?, data: [UInt8]) -> [UInt8] {
    var text = Array("event: \(name)\n".utf8)
    text.reserveCapacity(data.count + 128)
    if let id { text.append(contentsOf: "id: \(id)\n".utf8) }
    text.append(contentsOf: "data: ".utf8)
    text.append(contentsOf: data)
    text.append(contentsOf: "\n\n".utf8)
    return text
  }

  /// How long a client should wait before it comes back, in milliseconds.
  static func retry(_ milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

  /// Shows that the stream is alive; it leaves the client's last event id alone.
  static let ping = event("ping", id: nil, data: Array("{}".utf8))

  /// The last event of a stream.
  static func end(_ reason: EndReason) -> [UInt8] {
    event(
      "end", id: nil,
      data: Array("{\"reason\":\"\(reason.rawValue)\",\"reconnect\":true}".utf8))
  }

  /// What is wrong, and how long to wait before coming back: an `EventSource` gives up for good on any
  /// status but 200, so that it is told in the stream.
  static func problem(_ problem: Problem) -> [UInt8] {
    var writer = JSONWriter()
    problem.write(to: &writer)
    return retry(patientRetry) + event("problem", id: nil, data: writer.bytes)
  }

  /// Milliseconds after which to come back when nothing will be better at once.
  static let patientRetry = 15_000

  /// A delta, whole: what all who are to get it share.
  static func delta(_ material: DeltaMaterial, json: [UInt8]) -> [UInt8] {
    event("delta", id: material.envelope?.to.description, data: json)
  }

  /// An answer about one collection.
  ///
  /// A delta is an event already; a snapshot's content is shared and follows what is its own.
  static func pieces(_ answer: ReadAnswer, name: ResourceName) -> [EncodedText] {
    switch answer {
    case .delta(_, let body): return [body]
    case .unchanged(let version):
      let text = ResponseText.bare(answer, name: name)
      return [EncodedText(event("bookmark", id: version.description, data: text))]
    case .deleted:
      // An empty id is the reset of the last event id: the client holds nothing any more.
      return [EncodedText(event("deleted", id: "", data: ResponseText.bare(answer, name: name)))]
    case .snapshot(let version, let content, let reset):
      let head = SnapshotText.head(version, name, reset: reset)
      return [
        EncodedText(Array("event: snapshot\nid: \(version)\ndata: ".utf8) + head), content,
        EncodedText(Array("\n\n".utf8)),
      ]
    }
  }

  /// An answer about several collections; its id says all that the client then holds.
  static func sync(_ answer: SyncAnswer, held: [SyncRequest.Entry]) -> [EncodedText] {
    let id = held.compactMap { entry in entry.since.map { "\(entry.name.text):\($0)" } }
    return [EncodedText(Array("event: sync\nid: \(id.joined(separator: ","))\ndata: ".utf8))]
      + ResponseText.sync(answer) + [EncodedText(Array("\n\n".utf8))]
  }
}
