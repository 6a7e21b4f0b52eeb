import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

/// Formats answers to readers as JSON, before any event framing.
enum AnswerText {
  /// Formats one answer, in pieces that may be shared.
  static func pieces(_ answer: ReadAnswer, name: ResourceName) -> [EncodedText] {
    switch answer {
    case .delta(_, let body): [body]
    case .snapshot(let version, let content, let reset):
      [EncodedText(SnapshotText.head(version, name, reset: reset)), content]
    case .unchanged, .deleted: [EncodedText(bare(answer, name: name))]
    }
  }

  /// Formats the result of comparing two snapshots, which have no versions.
  static func body(_ answer: DiffAnswer) -> HTTPBody {
    switch answer {
    case .delta(let body): .bytes(body)
    case .snapshot(let content): .segments([Array(#"{"kind":"snapshot","#.utf8), content])
    }
  }

  /// Formats an answer without content: `unchanged` or `deleted`.
  static func bare(_ answer: ReadAnswer, name: ResourceName) -> [UInt8] {
    var text = SnapshotText.head(kind: answer.kind, answer.version, name)
    if let view = answer.view {
      return text + JSONWriter.object { $0.write(view) }.dropFirst()
    }
    text[text.count - 1] = UInt8(ascii: "}")
    return text
  }

  /// Formats `{"kind":"sync","collections":{…},"unchanged":[…]}`, in pieces.
  static func sync(_ answer: SyncAnswer) -> [EncodedText] {
    var pieces: [EncodedText] = []
    var text = Array(#"{"kind":"sync","collections":{"#.utf8)
    for (index, news) in answer.news.enumerated() {
      // Names contain nothing to escape.
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
    let rest = JSONWriter.object { writer in
      writer.array("unchanged", answer.unchanged) { $0.string($1.name.text) }
      writer.writeViews(answer)
      if !answer.missing.isEmpty { writer.array("missing", answer.missing) { $0.string($1.text) } }
    }
    text += Array("},".utf8) + rest.dropFirst()
    return pieces + [EncodedText(text)]
  }

  /// The largest piece that is copied into its neighbor, in bytes.
  private static let mergedBytesMax = 4096
}

extension JSONWriter {
  /// Writes `"views":{"inbox":{"version":…,"total":…}}`: the views in which nothing changed, and the versions up to
  /// which.
  fileprivate mutating func writeViews(_ answer: SyncAnswer) {
    let viewed = answer.unchanged.filter(\.isViewed)
    if viewed.isEmpty { return }
    beginObject("views")
    for entry in viewed {
      key(utf8: Array(entry.name.text.utf8)[...])
      beginObject()
      member("version", orNull: entry.since?.description)
      if let view = answer.views[entry.name] { write(view) }
      endObject()
    }
    endObject()
  }
}

extension DiffAnswer {
  /// Whether it is a delta rather than a snapshot.
  var isDelta: Bool {
    if case .delta = self { true } else { false }
  }
}

extension ReadAnswer {
  /// The value of `"kind"` in the protocol.
  fileprivate var kind: String {
    switch self {
    case .snapshot: "snapshot"
    case .delta: "delta"
    case .unchanged: "unchanged"
    case .deleted: "deleted"
    }
  }

  var version: VersionToken {
    switch self {
    case .snapshot(let version, _, _), .delta(let version, _), .unchanged(let version, _),
      .deleted(let version):
      version
    }
  }

  /// The hash of the settings in it; see ``EncodedText/settingsHash``.
  var settingsHash: UInt64? {
    if case .snapshot(_, let content, _) = self { content.settingsHash } else { nil }
  }

  /// Whether it is a delta, in the requested dialect.
  var isDelta: Bool {
    if case .delta = self { true } else { false }
  }

  /// Whether it says that nothing changed.
  var isUnchanged: Bool { if case .unchanged = self { true } else { false } }

  /// Whether the reader begins anew because of another restriction, and not because the collection is another one.
  var isViewChange: Bool {
    guard case .snapshot(let version, _, let reset?) = self else { return false }
    return reset.reason == .viewChanged && reset.since.lineage == version.lineage
  }

  /// Whether it is a reset, a snapshot in place of a delta.
  var isReset: Bool {
    if case .snapshot(_, _, _?) = self { true } else { false }
  }

  /// The number of snapshots in it, as shares count them.
  var snapshotCount: Int { if case .snapshot = self { 1 } else { 0 } }
}

extension SyncAnswer {
  /// The number of snapshots in it, as shares count them.
  var snapshotCount: Int { news.reduce(0) { $0 + $1.answer.snapshotCount } }
}
