import DeltaEngine
import SnapshotJSON

extension DeltaService {
  /// Computes the delta between two snapshots that come together; nothing is kept.
  ///
  /// - Parameters:
  ///   - body: `{"old":Snapshot,"new":Snapshot}`.
  ///   - form: In which form to answer, without a coding.
  ///   - wantsSnapshot: Whether to get all of `new` instead, as the service would show it.
  ///   - requestID: What the log calls the request.
  ///   - reply: Gets the answer; a snapshot also where the simulator refuses the delta.
  public func diff(
    _ body: [UInt8], form: AnswerForm, wantsSnapshot: Bool = false, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<DiffAnswer, ServiceError>) -> Void
  ) {
    let encoders = encoders
    let judge = judge
    let counters = counters
    let faults = faults
    workers.perform(body.count) { reader, limits, _ in
      let tools = EditTools(reader: reader, limits: limits, seq: 1)
      reply(
        SnapshotPair.read(body, reader, limits).flatMap { pair in
          do throws(ServiceError) {
            let diff = try SnapshotDiff(pair, tools)
            if !wantsSnapshot {
              let isFolded = !encoders.carriesNested(form)
              do {
                let material = try diff.material(isFolded: isFolded, judge, reader)
                return .success(.delta(encoders.delta(material, form).bytes))
              } catch {
                counters.refusedDeltas.add(1)
                faults(Fault(.deltaRefused, "\(error)", requestID: requestID))
              }
            }
            return .success(.snapshot(encoders.snapshot(diff.snapshot, form.ofSnapshot).bytes))
          } catch {
            return .failure(error)
          }
        })
    }
  }
}

/// What comes of comparing two snapshots.
public enum DiffAnswer: Sendable {
  /// The encoded delta.
  case delta([UInt8])
  /// The content of the newer one, encoded.
  case snapshot([UInt8])
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
    // Two versions of one thing are read by one set of rules, and either may bring it.
    let settings = (new["settings"] ?? old["settings"]).flatMap { $0.isNull ? nil : $0 }
    return CollectionSettings.read(
      settings, pointer: "/new/settings", limits: limits.settingsLimits
    ).flatMap { settings in
      ParsedSnapshot.read(old, limits, by: settings, pointer: "/old").flatMap { old in
        ParsedSnapshot.read(new, limits, by: settings, pointer: "/new").map {
          SnapshotPair(old: old, new: $0)
        }
      }
    }
  }
}

/// Two versions of something that is no collection of ours, arranged as their settings say.
private struct SnapshotDiff {
  private let old: Candidate
  private let new: Candidate
  private let source: NestedStructure
  private let target: NestedStructure
  private let ids: IDTable
  private let settings: CollectionSettings

  init(_ pair: SnapshotPair, _ tools: EditTools) throws(ServiceError) {
    var tools = tools
    tools.options = pair.new.settings.itemOptions
    settings = pair.new.settings
    let (rule, none) = (settings.nested, ForcedContents())
    var ids = IDTable(seed: SnapshotOptions.processSeed)
    let old = try ids.candidate(pair.old, settings, head: [], forced: none, tools)
    let new = try ids.candidate(pair.new, settings, head: old.sections, forced: none, tools)
    for candidate in [old, new] { try candidate.contents.checkedByteCount(tools.limits) }
    source = NestedStructure(
      sections: old.sections,
      lists: ids.nestedLists(of: old.sections, old.contents, rule, beside: .empty, tools))
    let base = NestedBase(sections: old.sections, contents: old.contents, lists: source.lists)
    target = NestedStructure(
      sections: new.sections,
      lists: ids.nestedLists(of: new.sections, new.contents, rule, beside: base, tools))
    self.ids = ids
    self.old = old
    self.new = new
  }

  var snapshot: SnapshotMaterial {
    SnapshotMaterial(
      sections: target.sections, ids: ids, contents: new.contents,
      animations: settings.animations)
  }

  /// What an encoder of the delta needs.
  ///
  /// - Throws: Why the delta cannot be computed, or which law it breaks.
  func material(
    isFolded: Bool, _ judge: DeltaJudge, _ reader: JSONReader
  ) throws -> DeltaMaterial {
    let from = isFolded ? source.folded : source.sections
    let to = isFolded ? target.folded : target.sections
    let delta = try Delta(from: from, to: to, uniqueness: .promised)
    if let violation = judge(delta, from, to) { throw violation }
    let changes = isFolded ? [] : try source.changes(to: target, judge: judge)
    let nested = settings.nested.map { rule in
      NestedContents(sections: target.sections, contents: new.contents, ids: ids, rule: rule)
        .materials(changes, in: target.sections, reader)
    }
    return DeltaMaterial(
      envelope: nil, source: from,
      target: SnapshotMaterial(
        sections: to, ids: ids, contents: new.contents, animations: settings.animations),
      delta: delta, nested: nested ?? [],
      metaChange: old.meta == new.meta ? .unchanged : .changed)
  }
}
