@testable import VersionedCollections

/// An answer about one collection, as its reader reads it.
struct Answer {
  enum Kind: String { case snapshot, delta, unchanged, deleted }

  let kind: Kind
  /// The version that it is about.
  let version: VersionToken
  let text: Text

  init?(_ text: Text?) {
    guard let text, let kind = text["kind"]?.string.flatMap(Kind.init),
      let version = (text["version"] ?? text["to"])?.string.flatMap(VersionToken.init)
    else { return nil }
    (self.kind, self.version, self.text) = (kind, version, text)
  }

  /// As it was sent.
  var bytes: [UInt8] { Array((text.source ?? "").utf8) }

  /// The version that its reader has then.
  var heldVersion: VersionToken? { kind == .deleted ? nil : version }

  /// Why it is a snapshot, if its reader had a version.
  var reset: String? { text["reset"]?["reason"]?.string }

  /// What it says of a view.
  var numbers: PageView.Shown.Numbers? { text["view"].flatMap { .init($0) } }
}

/// An answer about several collections.
struct SyncReading {
  var news: [(name: String, answer: Answer)] = []
  var unchanged: [String] = []
  var missing: [String] = []
  /// The versions up to which nothing changed in views.
  var views: [String: Answer] = [:]

  init?(_ text: Text?) {
    guard let text, text["kind"]?.string == "sync", let members = text["collections"]?.members,
      let unchanged = text["unchanged"]?.elements
    else { return nil }
    for (name, value) in members {
      guard let answer = Answer(value) else { return nil }
      news.append((name, answer))
    }
    self.unchanged = unchanged.compactMap(\.string)
    missing = text["missing"]?.elements?.compactMap(\.string) ?? []
    for (name, value) in text["views"]?.members ?? [] {
      guard let version = value["version"]?.string.flatMap(VersionToken.init) else { return nil }
      let rest = value["view"]?.source.map { ",\"view\":\($0)" } ?? ""
      // As the reader of one collection is told.
      let text =
        #"{"kind":"unchanged","collection":"\#(name)","version":"\#(version)","seq":\#(version.seq)"#
      views[name] = Answer(Text(Array((text + rest + "}").utf8)))
    }
  }

  /// What the answer to the reader of one collection says.
  init(_ name: String, _ answer: Answer) { news = [(name, answer)] }
}

extension PageView.Shown.Numbers {
  /// Reads what an answer says.
  init?(_ text: Text) {
    guard let total = text["total"]?.number, let start = text["start"]?.number,
      let count = text["count"]?.number
    else { return nil }
    self.init(total: total, start: start, count: count)
  }
}
