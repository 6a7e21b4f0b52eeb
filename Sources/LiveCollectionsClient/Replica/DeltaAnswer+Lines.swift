import DeltaEngine

extension DeltaAnswer {
  /// The answer for people to read, a line for each operation.
  ///
  /// The content that it applies to is not known here: what is deleted or moved is named by its
  /// place.
  public var lines: [String] {
    switch self {
    case .deleted: return ["deleted"]
    case .unchanged(let version, _): return ["no news: \(version) is the newest"]
    case .snapshot(let snapshot):
      let reason = snapshot.reset.map { " (reset: \($0.reason))" } ?? ""
      return ["snapshot \(snapshot.version)\(reason)"] + snapshot.lines
    case .delta(let delta):
      return ["delta to \(delta.to)"] + delta.steps.flatMap(delta.lines)
        + delta.deleted.map { "gone: \($0)" }
    }
  }
}

extension WireSnapshot {
  /// All sections and items for people to read, one a line.
  public var lines: [String] { Namer().outline(sections) }
}

extension WireDelta {
  fileprivate func lines(_ step: WireStep) -> [String] {
    let namer = Namer()
    func section(_ id: String) -> String { sections[id].map { namer.name($0) } ?? id }
    func item(_ id: String) -> String { items[id].map { namer.name($0) } ?? id }
    var lines = step.deletedSections.map { "  - section \($0)" }
    lines += step.deletedItems.map { "  - \($0)" }
    lines += step.insertedSections.map {
      "  + section \($0.at) \(section($0.id)), \(namer.count($0.items.count, "item"))"
    }
    lines += step.insertedItems.map { "  + \($0.at) \(item($0.id))" }
    lines += step.movedSections.map { "  > section \($0.from) to \($0.to)" }
    lines += step.movedItems.map { "  > \($0.from) to \($0.to)" }
    lines += step.reloadedSections.map { "  ~ section \($0.at) \(section($0.id))" }
    lines += step.reloadedItems.map { "  ~ \($0.at) \(item($0.id))" }
    return lines
  }
}
