import VersionedCollections

extension Reader {
  /// Whether it may read nothing but public collections.
  var isStranger: Bool { entries.contains { $0.access == .ifPublic } }

  /// What becomes of a reader by who may read its collections.
  enum Admission {
    case admitted
    case refused
    /// The collections must be loaded to tell.
    case unknown([ResourceName])
  }

  /// Decides, as of now, whether a stranger may read its collections.
  func admission() -> Admission {
    var unknown: [ResourceName] = []
    for entry in entries where entry.access == .ifPublic {
      switch client.isPublic(entry.name) {
      case true?: break
      case false?: return .refused
      case nil: unknown.append(entry.name)
      }
    }
    return unknown.isEmpty ? .admitted : .unknown(unknown)
  }
}
