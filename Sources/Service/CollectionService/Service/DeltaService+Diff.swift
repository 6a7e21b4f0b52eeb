import DeltaEngine
import SnapshotJSON
public import VersionedCollections

extension DeltaService {
  /// Computes the delta between two snapshots of one request; nothing is stored.
  ///
  /// - Parameters:
  ///   - body: `{"old":Snapshot,"new":Snapshot}`.
  ///   - form: The form of the answer; its coding is ignored.
  ///   - wantsSnapshot: Whether to return all of `new` instead, as the service would serve it.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the answer; a snapshot also if the simulator rejects the delta.
  public func diff(
    _ body: [UInt8], form: AnswerForm, wantsSnapshot: Bool = false, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<DiffAnswer, ServiceError>) -> Void
  ) {
    let encoders = encoders
    let judge = judge
    let counters = counters
    let faults = faults
    workers.perform(body.count) { reader, limits, _ in
      reply(
        Result { () throws(ServiceError) in
          let diff = try SnapshotDiff(body, reader, limits)
          if !wantsSnapshot {
            do {
              var material = try diff.material(judge)
              if form.patchesItems { material = diff.patchingItems(material, reader) }
              return .delta(encoders.delta(material, form).bytes)
            } catch {
              counters.refusedDeltas.add(1)
              faults(Fault(.deltaRefused, "\(error)", requestID: requestID))
            }
          }
          return .snapshot(encoders.snapshot(diff.snapshot, form.ofSnapshot).bytes)
        })
    }
  }
}

/// The result of comparing two snapshots.
public enum DiffAnswer: Sendable {
  case delta([UInt8])
  /// The encoded content of the newer snapshot.
  case snapshot([UInt8])
}

/// Two versions from one request, arranged by their settings.
private struct SnapshotDiff {
  private let old: Candidate
  private let new: Candidate
  private let ids: IDTable
  private let settings: CollectionSettings

  /// Reads `{"old":Snapshot,"new":Snapshot}`.
  init(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits
  ) throws(ServiceError) {
    let root = try reader.document(body)
    let versions: StrictJSON.Object?
    var entry = SnapshotError.Entry(pointer: "", detail: "expected old and new, each once")
    do throws(MemberFault) { versions = try root.object(of: ["old", "new"]) } catch {
      entry = SnapshotError.Entry(pointer: error.pointer, detail: error.detail)
      versions = nil
    }
    guard let oldValue = versions?["old"]?.content, let newValue = versions?["new"]?.content else {
      throw .badSnapshot(
        SnapshotError(
          code: .badSnapshot, entries: [entry],
          detail: "two versions are sent as {\"old\":Snapshot,\"new\":Snapshot}"))
    }
    // Both versions are read with the same settings, which either may contain, or else with the `idPath` of
    // one that the service sent.
    // A member that stands twice in one of them is found when it is read.
    var given = (newValue["settings"] ?? oldValue["settings"])
      .flatMap { $0.isNull ? nil : StrictJSON($0) }
    if given == nil, let path = newValue["idPath"] ?? oldValue["idPath"] {
      given = try reader.document(JSONWriter.object { $0.member("idPath", raw: path.minified()) })
    }
    settings = try .read(given, pointer: "/new/settings", limits: limits.settingsLimits)
    let none = HashOverrides()
    let tools = EditTools(
      reader: reader, limits: limits, seq: 1, options: settings.itemOptions)
    let oldParsed = try ParsedSnapshot.read(oldValue, limits, by: settings, pointer: "/old")
    let newParsed = try ParsedSnapshot.read(newValue, limits, by: settings, pointer: "/new")
    var ids = IDTable(seed: SnapshotOptions.processSeed)
    let old = try ids.candidate(oldParsed, settings, head: [], overrides: none, tools)
    let new = try ids.candidate(newParsed, settings, head: old.sections, overrides: none, tools)
    for candidate in [old, new] { try candidate.contents.checkedByteCount(tools.limits) }
    self.ids = ids
    self.old = old
    self.new = new
  }

  var snapshot: SnapshotEncodingInput {
    SnapshotEncodingInput(
      sections: new.sections, ids: ids, contents: new.contents, animations: settings.animations)
  }

  /// The same delta for a reader that accepts merge patches of items.
  func patchingItems(_ material: DeltaEncodingInput, _ reader: JSONReader) -> DeltaEncodingInput {
    var places: [UInt32: Int] = [:]
    for (flat, item) in old.sections.lazy.flatMap(\.items).enumerated() {
      places[item.uniqueID] = flat
    }
    return material.patchingItems(reader) { places[$0.uniqueID].map { old.contents.item(at: $0) } }
  }

  /// The input for encoding the delta; throws the error of the engine, or the law that the delta violates.
  func material(_ judge: DeltaJudge) throws -> DeltaEncodingInput {
    let delta = try Delta(from: old.sections, to: new.sections, uniqueness: .promised)
    if let violation = judge(delta, old.sections, new.sections) { throw violation }
    return DeltaEncodingInput(
      envelope: nil, source: old.sections, target: snapshot, delta: delta,
      metaChange: old.meta == new.meta ? .unchanged : .changed)
  }
}
