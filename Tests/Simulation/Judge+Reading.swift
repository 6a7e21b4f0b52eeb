import DeltaEngine
import SnapshotJSON
import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import LiveDeltaClient
@testable import VersionedCollections

/// Answers to readers.
extension Judge {
  /// Judges an answer about one collection.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - key: The collection.
  ///   - held: What the reader has.
  ///   - viewing: The view that it asks for; nil for all of it.
  ///   - arrival: When the request came; 0 if it may be of any time.
  ///   - operation: That of the reader.
  /// - Returns: What the reader has afterwards.
  func read(
    _ answer: Answer, _ key: CollectionKey, held: Held?, _ viewing: Viewing? = nil,
    arrival: Microseconds, _ operation: Operation
  ) -> Held? {
    let name =
      "reader \(operation.number), \(key.client.text)/\(key.name.text) since "
      + "\(held?.version.description ?? "-")"
    switch answer.kind {
    case .deleted:
      if held.map({ place(of: $0.version) != nil }) ?? true {
        tell(operation, .sawDeletion(after: held.map { plain($0.version) }), key, since: 0)
      }
      return nil
    case .unchanged:
      let version = answer.version
      if let viewing {
        tell(operation, version, key, held, arrival, name)
        var now = unchanged(version, answer.numbers, held, viewing, name)
        if operation.dialect == .staged {
          now?.replica = applied(answer.bytes, to: held?.replica, name)
        }
        return now
      }
      if version != held?.version { world.blame("\(name): unchanged \(version)") }
      return held
    case .snapshot:
      if !operation.wantsSnapshot {
        // A view needs contents of the version that the reader has, which a deletion takes away, and newer versions.
        let lately = max(0, world.now - 4.seconds)...world.now
        let mayLackContents =
          viewing != nil
          && (isTroubled(lately) || wasDeleted(key, in: lately)
            || held.map { isCompacted($0.version, key) } ?? false)
        judge(answer.reset, held, answer.version, name, mayLackContents)
      }
    case .delta: if held == nil { world.blame("\(name): a delta for a reader without a version") }
    }
    guard let version = answer.heldVersion,
      let now = self.held(after: answer, key, held, viewing, operation.dialect, name)
    else { return held }
    if let viewing, let held, !operation.wantsSnapshot { judgeNews(answer, held, viewing, name) }
    tell(operation, version, key, held, arrival, name)
    return now
  }

  /// What a reader has after an answer.
  private func held(
    after answer: Answer, _ key: CollectionKey, _ held: Held?, _ viewing: Viewing?,
    _ dialect: Dialect, _ name: String
  ) -> Held? {
    let (text, bytes) = (answer.text, answer.bytes)
    if text["collection"]?.string != key.name.text { world.blame("\(name): of another collection") }
    var page: Page?
    var replica: CollectionReplica?
    if dialect == .staged {
      replica = applied(bytes, to: held?.replica, name)
      page = replica.map { Page($0) }
    } else if answer.kind == .delta, let held {
      if text["from"]?.string != held.version.description {
        world.blame("\(name): a delta from \(text["from"]?.string ?? "")")
      }
      page = held.page.applying(text)
      let rest = viewing.flatMap { viewing in
        pages[answer.version].map { viewing.view.allowedIDs(of: $0) }
      }
      if let page, let fault = held.page.fault(of: text, to: page, rest: rest ?? []) {
        world.blame("\(name): \(fault)")
      }
    } else {
      page = Page(snapshot: text)
    }
    var known = answer.heldVersion.flatMap { pages[$0] }
    if let viewing, let whole = known {
      let shown = viewing.shown(of: whole)
      known = shown.page
      judge(text, shown, name)
    }
    if page == nil || page != known {
      world.blame(
        "\(name): \(page?.body ?? "nothing") instead of \(known?.body ?? "nothing"), by "
          + String(decoding: bytes, as: UTF8.self))
    }
    guard let version = answer.heldVersion, let page else { return nil }
    return Held(version: version, page: page, replica: replica, window: viewing?.window)
  }

  /// What the client's own code has after an answer; the simulator of views judges the steps.
  private func applied(
    _ bytes: [UInt8], to held: CollectionReplica?, _ name: String
  ) -> CollectionReplica? {
    var replica = held ?? CollectionReplica()
    do {
      let value = try AnswerReader().read(ClientResponse(status: 200, body: bytes))
      let change = try replica.apply(DeltaAnswer(value, idPath: "/id"))
      if case .updated(let update) = change {
        try Simulator.check(update.delta, from: update.source, to: update.target)
      }
    } catch {
      world.blame("\(name): the client refuses it: \(error)")
    }
    return replica
  }

  private func judge(
    _ reset: String?, _ held: Held?, _ version: VersionToken, _ name: String,
    _ mayLackContents: Bool
  ) {
    guard let held, let reset else {
      if held != nil || reset != nil {
        world.blame("\(name): a snapshot with reset \(reset != nil)")
      }
      return
    }
    let isWrong =
      switch reset {
      case "lineage-changed": held.version.lineage == version.lineage
      case "history-compacted":
        held.version.lineage != version.lineage
          || version.seq - held.version.seq < versionsMax && !mayLackContents
      case "diverged": !isLost(held.version)
      case "delta-too-large": false
      // The mark is compared first, and each lineage has a secret of its own.
      case "view-changed":
        held.version.restrictionMark == nil || held.version.lineage == version.lineage
      default: true
      }
    if isWrong { world.blame("\(name): reset by \(reset) to \(version)") }
  }

  /// Records that a reader was told of a version, which must have been committed.
  private func tell(
    _ operation: Operation, _ version: VersionToken, _ key: CollectionKey, _ held: Held?,
    _ arrival: Microseconds, _ name: String
  ) {
    if place(of: version) != nil {
      return tellReader(operation, version, key, held?.version, arrival: arrival)
    }
    if !isLost(version) || !isTroubled(max(0, world.now - 3.seconds)...world.now) {
      world.blame("\(name): \(version), which was never committed")
    }
  }

  /// Judges that a reader who waited is told that there is nothing new, or that there is nothing.
  func waited(
    _ operation: Operation, for key: CollectionKey, _ held: Held?, _ viewing: Viewing? = nil
  ) {
    if viewing == nil {
      tellReader(operation, held?.version, key, held?.version, arrival: operation.arrived)
    }
    let range = max(0, operation.arrived - 4.seconds)...world.now
    guard let held, !isTroubled(range), let next = successor(of: held.version, key),
      viewing == nil || lacks(held, place(of: next) ?? 0, key, viewing)
    else { return }
    if next.time < world.now - 3.seconds {
      world.blame(
        "reader \(operation.number), \(key.client.text)/\(key.name.text): \(held.version) is told "
          + "to be current, replaced at \(next.time)")
    }
  }
}
