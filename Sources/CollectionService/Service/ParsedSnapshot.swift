import DeltaEngine
import SnapshotJSON

/// A snapshot as it came, checked.
struct ParsedSnapshot: Sendable {
  let snapshot: Snapshot
  /// The hash of `meta`; nil without one, and for `null`, which is the same.
  let meta: ContentHash?
  /// The settings that it was read by: those that came with it, else the collection's.
  let settings: CollectionSettings
  /// Whether a writer sent it, rather than a patch having made it.
  var isSent = true
  /// What was left out of it, being known; nil when it was read in full.
  var known: KnownPart?

  /// What was left out of a snapshot.
  struct KnownPart: Sendable {
    /// Where it is known from.
    let head: KnownHead
    /// One run for each gap.
    let runs: [AbridgedText.Run]

    var itemCount: Int { runs.reduce(0) { $0 + $1.count } }
  }

  /// Reads a snapshot from a body.
  ///
  /// - Parameters:
  ///   - body: JSON text.
  ///   - reader: Reads it.
  ///   - limits: What it may hold.
  ///   - settings: The collection's, unless it brings some; nil when there is none yet.
  /// - Returns: The snapshot, or what is wrong with it.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits,
    settings: CollectionSettings?
  ) -> Result<ParsedSnapshot, ServiceError> {
    let document: JSONDocument
    do throws(JSONError) {
      document = try reader.read(body)
    } catch {
      return .failure(.badJSON(error))
    }
    return read(document.root, limits, settings: settings)
  }

  /// Reads what a body has that the head has not; nil when it is to be read in full: for want of
  /// known items, for other settings, or for whatever is wrong with it.
  static func read(
    _ body: [UInt8], _ reader: JSONReader, _ limits: ServiceLimits, beside head: KnownHead
  ) -> ParsedSnapshot? {
    guard let text = AbridgedText(body, known: head.contents),
      let document = try? reader.read(text.bytes),
      let parsed = try? read(
        document.root, limits, settings: head.settings, omissions: text.omissions
      ).get(), parsed.settings == head.settings
    else { return nil }
    var result = parsed
    result.known = KnownPart(head: head, runs: text.runs)
    return result
  }

  /// Reads a snapshot from a part of a document.
  static func read(
    _ value: JSONValue, _ limits: ServiceLimits, settings: CollectionSettings?,
    pointer: String = "", omissions: [Snapshot.Omission] = []
  ) -> Result<ParsedSnapshot, ServiceError> {
    if let inline = value["settings"], !inline.isNull {
      return CollectionSettings.read(
        inline, pointer: pointer + "/settings", limits: limits.settingsLimits
      ).flatMap {
        read(value, limits, by: $0, pointer: pointer, omissions: omissions)
      }
    }
    return read(
      value, limits, by: settings ?? CollectionSettings(), pointer: pointer, omissions: omissions)
  }

  /// Reads a snapshot by some settings, whatever it brings.
  static func read(
    _ value: JSONValue, _ limits: ServiceLimits, by effective: CollectionSettings,
    pointer: String, omissions: [Snapshot.Omission] = []
  ) -> Result<ParsedSnapshot, ServiceError> {
    do throws(SnapshotError) {
      let snapshot = try Snapshot.read(
        value, limits: limits.snapshot, options: effective.options, pointer: pointer,
        omissions: omissions)
      let meta = value["meta"].flatMap { $0.isNull ? nil : $0.contentHash() }
      return .success(ParsedSnapshot(snapshot: snapshot, meta: meta, settings: effective))
    } catch {
      return .failure(.badSnapshot(error))
    }
  }
}
