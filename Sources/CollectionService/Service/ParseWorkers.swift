import DeltaEngine
import Dispatch
import SnapshotJSON
import Synchronization

/// Queues that read large bodies, so that no shard stands still meanwhile.
final class ParseWorkers: Sendable {
  private let workers: [ParseWorker]
  private let next = Atomic<Int>(0)

  init(limits: ServiceLimits) {
    workers = (0..<2).map { ParseWorker(index: $0, limits: limits) }
  }

  /// Runs work with a reader, on a worker's queue.
  func perform(_ work: @escaping @Sendable (JSONReader, ServiceLimits) -> Void) {
    let turn = next.add(1, ordering: .relaxed).oldValue
    workers[turn % workers.count].perform(work)
  }
}

/// A queue with its reader.
///
/// `@unchecked Sendable`: the reader is touched on the queue only.
private final class ParseWorker: @unchecked Sendable {
  private let queue: DispatchQueue
  private let reader: JSONReader
  private let limits: ServiceLimits

  init(index: Int, limits: ServiceLimits) {
    queue = DispatchQueue(label: "livedelta.parse.\(index)")
    reader = JSONReader(depthMax: limits.depthMax)
    self.limits = limits
  }

  func perform(_ work: @escaping @Sendable (JSONReader, ServiceLimits) -> Void) {
    queue.async { work(self.reader, self.limits) }
  }
}

/// A snapshot as it came, checked.
struct ParsedSnapshot: Sendable {
  let snapshot: Snapshot
  /// The hash of `meta`; nil without one, and for `null`, which is the same.
  let meta: ContentHash?
  /// The settings that it was read by: those that came with it, else the collection's.
  let settings: CollectionSettings
  /// Whether a writer sent it, rather than a patch having made it.
  var isSent = true

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

  /// Reads a snapshot from a part of a document.
  static func read(
    _ value: JSONValue, _ limits: ServiceLimits, settings: CollectionSettings?,
    pointer: String = ""
  ) -> Result<ParsedSnapshot, ServiceError> {
    if let inline = value["settings"], !inline.isNull {
      return CollectionSettings.read(inline, pointer: pointer + "/settings").flatMap {
        read(value, limits, by: $0, pointer: pointer)
      }
    }
    return read(value, limits, by: settings ?? CollectionSettings(), pointer: pointer)
  }

  /// Reads a snapshot by some settings, whatever it brings.
  static func read(
    _ value: JSONValue, _ limits: ServiceLimits, by effective: CollectionSettings,
    pointer: String
  ) -> Result<ParsedSnapshot, ServiceError> {
    do throws(SnapshotError) {
      let snapshot = try Snapshot.read(
        value, limits: limits.snapshot, options: effective.options, pointer: pointer)
      let meta = value["meta"].flatMap { $0.isNull ? nil : $0.contentHash() }
      return .success(ParsedSnapshot(snapshot: snapshot, meta: meta, settings: effective))
    } catch {
      return .failure(.badSnapshot(error))
    }
  }
}
