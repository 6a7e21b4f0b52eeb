import DeltaEngine
import SnapshotJSON

extension DeltaService {
  /// Computes the delta between two snapshots that come together; nothing is kept.
  ///
  /// - Parameters:
  ///   - body: `{"old":Snapshot,"new":Snapshot}`.
  ///   - form: In which form to answer, without a coding.
  ///   - reply: Gets the encoded delta.
  public func diff(
    _ body: [UInt8], form: AnswerForm,
    reply: @escaping @Sendable (Result<[UInt8], ServiceError>) -> Void
  ) {
    let encoders = encoders
    workers.perform { reader, limits in
      reply(
        SnapshotPair.read(body, reader, limits).flatMap { pair in
          pair.material.map { encoders.delta($0, form).bytes }
        })
    }
  }
}

/// Two versions of something that is no collection of ours.
private struct SnapshotPair {
  let old: ParsedSnapshot
  let new: ParsedSnapshot

  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits
  ) -> Result<SnapshotPair, ServiceError> {
    do throws(JSONError) {
      return read(try reader.read(body).root, limits)
    } catch {
      return .failure(.badJSON(error))
    }
  }

  private static func read(
    _ root: JSONValue, _ limits: ServiceLimits
  ) -> Result<SnapshotPair, ServiceError> {
    let names = root.members.map(\.key)
    guard root.kind == .object, names.sorted() == ["new", "old"], let old = root["old"],
      let new = root["new"]
    else {
      let entry = SnapshotError.Entry(pointer: "", detail: "expected old and new, and nothing else")
      return .failure(
        .badSnapshot(
          SnapshotError(
            code: .badSnapshot, entries: [entry],
            detail: "two versions are sent as {\"old\":Snapshot,\"new\":Snapshot}")))
    }
    return ParsedSnapshot.read(old, limits, settings: .init(), pointer: "/old").flatMap { old in
      ParsedSnapshot.read(new, limits, settings: .init(), pointer: "/new").map {
        SnapshotPair(old: old, new: $0)
      }
    }
  }

  /// The delta, judged by the simulator, and what an encoder of it needs.
  var material: Result<DeltaMaterial, ServiceError> {
    var ids = IDTable(seed: SnapshotOptions.processSeed)
    let source = ids.structure(of: old.snapshot, sharing: [])
    let target = ids.structure(of: new.snapshot, sharing: source)
    guard let delta = try? Delta(from: source, to: target, uniqueness: .promised),
      delta.isLawful(from: source, to: target)
    else { return .failure(.internalFault) }
    let contents = Contents(new.snapshot, hasMeta: new.meta != nil)
    return .success(
      DeltaMaterial(
        envelope: nil, source: source,
        target: SnapshotMaterial(sections: target, ids: ids, contents: contents), delta: delta,
        metaChange: old.meta == new.meta ? .unchanged : .changed))
  }
}
