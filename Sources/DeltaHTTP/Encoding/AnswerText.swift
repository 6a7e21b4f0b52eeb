import CollectionService
import SnapshotJSON

/// Answers to readers as JSON text, in whatever frame they then go out.
enum AnswerText {
  /// One answer, in pieces that may be shared.
  static func pieces(_ answer: ReadAnswer, name: ResourceName) -> [[UInt8]] {
    switch answer {
    case .delta(_, let body): [body]
    case .snapshot(let version, let content, let reset):
      [snapshotHead(version, name, reset), content]
    case .unchanged, .deleted: [bare(answer, name: name)]
    }
  }

  /// `{"kind":…,"collection":…,"version":…,"seq":…,` up to where the content goes on.
  static func head(_ kind: String, _ version: VersionToken, _ name: ResourceName) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.writeHead(kind, version, name)
    return writer.bytes + [UInt8(ascii: ",")]
  }

  /// `{"kind":"snapshot",…,` up to where the content goes on.
  static func snapshotHead(
    _ version: VersionToken, _ name: ResourceName, _ reset: Reset?
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.writeHead("snapshot", version, name)
    if let reset {
      writer.key("reset")
      writer.beginObject()
      writer.key("reason")
      writer.string(reset.reason.rawValue)
      writer.key("since")
      writer.string(reset.since.description)
      writer.key("oldest")
      writer.string(reset.oldest.description)
      writer.endObject()
    }
    return writer.bytes + [UInt8(ascii: ",")]
  }

  /// An answer that is all head: `unchanged` or `deleted`.
  static func bare(_ answer: ReadAnswer, name: ResourceName) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.writeHead(answer.kind, answer.version, name)
    writer.endObject()
    return writer.bytes
  }

  /// `{"kind":"sync","collections":{…},"unchanged":[…]}`.
  static func sync(_ answer: SyncAnswer) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.key("kind")
    writer.string("sync")
    writer.key("collections")
    writer.beginObject()
    for news in answer.news {
      writer.key(news.name.text)
      writer.raw(Array(pieces(news.answer, name: news.name).joined()))
    }
    writer.endObject()
    writer.key("unchanged")
    writer.strings(answer.unchanged.map(\.name.text))
    if !answer.missing.isEmpty {
      writer.key("missing")
      writer.strings(answer.missing.map(\.text))
    }
    writer.endObject()
    return writer.bytes
  }
}

extension ReadAnswer {
  /// The protocol's word for it.
  var kind: String {
    switch self {
    case .snapshot: "snapshot"
    case .delta: "delta"
    case .unchanged: "unchanged"
    case .deleted: "deleted"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func writeHead(
    _ kind: String, _ version: VersionToken, _ name: ResourceName
  ) {
    key("kind")
    string(kind)
    key("collection")
    string(name.text)
    key("version")
    string(version.description)
    key("seq")
    number(version.seq)
  }

  fileprivate mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
