import DeltaEngine

extension DeltaAnswer {
  /// What the answer says, for people, a line for each operation.
  ///
  /// It knows nothing of the content it is about: what goes or moves is named by its place only.
  public var lines: [String] { AnswerText().lines(self) }
}

extension WireSnapshot {
  /// All sections and items, one a line, for people.
  public var lines: [String] { Namer().outline(sections) }
}

private struct AnswerText {
  private let namer = Namer()

  func lines(_ answer: DeltaAnswer) -> [String] {
    switch answer {
    case .deleted: return ["deleted"]
    case .unchanged(let version, _): return ["no news: \(version) is the newest"]
    case .snapshot(let snapshot):
      let reason = snapshot.reset.map { " (reset: \($0.reason))" } ?? ""
      return ["snapshot \(snapshot.version)\(reason)"] + namer.outline(snapshot.sections)
    case .delta(let delta):
      return ["delta to \(delta.to)"] + delta.steps.flatMap { lines($0, delta) }
        + delta.deleted.map { "gone: \($0)" }
    }
  }

  private func lines(_ step: WireStep, _ delta: WireDelta) -> [String] {
    var lines = step.deletedSections.map { "  - section \($0)" }
    lines += step.deletedItems.map { "  - \($0)" }
    lines += step.insertedSections.map {
      "  + section \($0.at) \(section($0.id, delta)), \(namer.count($0.items.count, "item"))"
    }
    lines += step.insertedItems.map { "  + \($0.at) \(item($0.id, delta))" }
    lines += step.movedSections.map { "  > section \($0.from) to \($0.to)" }
    lines += step.movedItems.map { "  > \($0.from) to \($0.to)" }
    lines += step.reloadedSections.map { "  ~ section \($0.at) \(section($0.id, delta))" }
    lines += step.reloadedItems.map { "  ~ \($0.at) \(item($0.id, delta))" }
    return lines
  }

  private func section(_ id: String, _ delta: WireDelta) -> String {
    delta.sections[id].map { namer.name($0) } ?? id
  }

  private func item(_ id: String, _ delta: WireDelta) -> String {
    delta.items[id].map { namer.name($0) } ?? id
  }
}
