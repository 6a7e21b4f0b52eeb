import DeltaEngine

/// An answer by itself, without the content that it is about.
extension TextView {
  /// What an answer says, a line for each operation; what is not in it is named by its place only.
  public func lines(_ answer: DeltaAnswer) -> [String] {
    switch answer {
    case .deleted: return ["deleted"]
    case .unchanged(let version, _): return ["no news: \(version) is the newest"]
    case .snapshot(let snapshot):
      let reason = snapshot.reset.map { " (reset: \($0.reason))" } ?? ""
      return ["snapshot \(snapshot.version)\(reason)"] + outline(snapshot.sections)
    case .delta(let delta):
      return ["delta to \(delta.to)"] + delta.steps.flatMap { lines($0, delta) }
        + delta.deleted.map { "gone: \($0)" }
    }
  }

  private func lines(_ step: WireStep, _ delta: WireDelta) -> [String] {
    var lines = step.deletedSections.map { "  - section \($0)" }
    lines += step.deletedItems.map { "  - \($0)" }
    lines += step.insertedSections.map {
      "  + section \($0.at) \(section($0.id, delta)), \(count($0.items.count, "item"))"
    }
    lines += step.insertedItems.map { "  + \($0.at) \(item($0.id, delta))" }
    lines += step.movedSections.map { "  > section \($0.from) to \($0.to)" }
    lines += step.movedItems.map { "  > \($0.from) to \($0.to)" }
    lines += step.reloadedSections.map { "  ~ section \($0.at) \(section($0.id, delta))" }
    lines += step.reloadedItems.map { "  ~ \($0.at) \(item($0.id, delta))" }
    return lines
  }

  private func section(_ id: String, _ delta: WireDelta) -> String {
    delta.sections[id].map { name($0) } ?? id
  }

  private func item(_ id: String, _ delta: WireDelta) -> String {
    delta.items[id].map { name($0) } ?? id
  }
}
