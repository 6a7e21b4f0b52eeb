import CollectionService
import HTTP1
import SnapshotJSON

/// Answers to readers as JSON text, in whatever frame they then go out.
enum ResponseText {
  /// One answer, in pieces that may be shared.
  static func pieces(_ answer: ReadAnswer, name: ResourceName) -> [EncodedText] {
    switch answer {
    case .delta(_, let body): [body]
    case .snapshot(let version, let content, let reset):
      [EncodedText(snapshotHead(version, name, reset)), content]
    case .unchanged, .deleted: [EncodedText(bare(answer, name: name))]
    }
  }

  /// What comes of comparing two snapshots; they have no versions to tell.
  static func body(_ answer: DiffAnswer) -> HTTPBody {
    switch answer {
    case .delta(let body): .bytes(body)
    case .snapshot(let content): .segments([Array(#"{"kind":"snapshot","#.utf8), content])
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
      writer.beginObject("reset")
      writer.member("reason", reset.reason.rawValue)
      writer.member("since", reset.since.description)
      writer.member("oldest", reset.oldest.description)
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

  /// `{"kind":"sync","collections":{…},"unchanged":[…]}`, in pieces.
  static func sync(_ answer: SyncAnswer) -> [EncodedText] {
    var pieces: [EncodedText] = []
    var text = Array(#"{"kind":"sync","collections":{"#.utf8)
    for (index, news) in answer.news.enumerated() {
      // A name has nothing to escape.
      text += Array((index == 0 ? "" : ",").utf8) + Array("\"\(news.name.text)\":".utf8)
      for piece in self.pieces(news.answer, name: news.name) {
        if piece.inflated == nil, piece.bytes.count <= mergedBytesMax {
          text += piece.bytes
        } else {
          pieces += [EncodedText(text), piece]
          text = []
        }
      }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("unchanged")
    writer.strings(answer.unchanged.map(\.name.text))
    if !answer.missing.isEmpty {
      writer.key("missing")
      writer.strings(answer.missing.map(\.text))
    }
    writer.endObject()
    text += Array("},".utf8) + writer.bytes.dropFirst()
    return pieces + [EncodedText(text)]
  }

  /// Pieces up to this are copied to those beside them.
  private static let mergedBytesMax = 4096
}

extension DiffAnswer {
  /// Whether it is in the dialect that was asked for.
  var isDelta: Bool {
    if case .delta = self { true } else { false }
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
    member("kind", kind)
    member("collection", name.text)
    member("version", version.description)
    member("seq", version.seq)
  }

  fileprivate mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
