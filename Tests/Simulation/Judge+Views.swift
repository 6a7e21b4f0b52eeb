import TestSupport

@testable import VersionedCollections

/// Answers to readers of views.
extension Judge {
  /// Whether a version shows the reader of a view nothing but what it has.
  func isSame(_ held: Held, _ version: VersionToken?, _ viewing: Viewing) -> Bool {
    guard let version, version.lineage == held.version.lineage, let old = pages[held.version],
      let new = pages[version]
    else { return false }
    return !viewing.shown(of: new).differs(from: viewing.view.shown(of: old, held.window))
  }

  /// Judges that nothing changed in a view until a version.
  ///
  /// - Returns: What the reader has then.
  func unchanged(
    _ version: VersionToken, _ numbers: PageView.Shown.Numbers?, _ held: Held?, _ viewing: Viewing,
    _ name: String
  ) -> Held? {
    guard var now = held else {
      world.blame("\(name): unchanged \(version)")
      return nil
    }
    if version != now.version, !isLost(version), !isSame(now, version, viewing) {
      world.blame("\(name): unchanged until \(version), which shows something else")
    }
    if let numbers, let page = pages[version], viewing.shown(of: page).numbers != numbers {
      world.blame("\(name): unchanged with \(numbers)")
    }
    (now.version, now.window) = (version, viewing.window)
    return now
  }

  /// Judges that a reader is told of something: a change that misses its view wakes nobody.
  func judgeNews(_ answer: Answer, _ held: Held, _ viewing: Viewing, _ name: String) {
    if answer.reset != nil { return }
    guard let old = pages[held.version], let new = answer.heldVersion.flatMap({ pages[$0] })
    else { return }
    if viewing.shown(of: new) == viewing.view.shown(of: old, held.window) {
      world.blame("\(name): told of \(answer.heldVersion?.description ?? ""), which shows the same")
    }
  }

  /// Judges what an answer says of a view: its numbers, and where its sections' items are.
  func judge(_ text: Text, _ shown: PageView.Shown, _ name: String) {
    let told = text["view"].flatMap { PageView.Shown.Numbers($0) }
    if told != shown.numbers {
      world.blame("\(name): the numbers \(told.map { "\($0)" } ?? "-") instead of \(shown.numbers)")
    }
    guard text["kind"]?.string == "snapshot", let sections = text["sections"]?.elements else {
      return
    }
    let parts = sections.map { section in
      section["total"]?.number.map { total in
        PageView.Shown.Part(start: section["start"]?.number ?? -1, total: total)
      }
    }
    if parts != shown.parts { world.blame("\(name): the parts \(parts) instead of \(shown.parts)") }
  }
}
