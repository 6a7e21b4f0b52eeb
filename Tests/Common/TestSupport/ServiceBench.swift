package import CollectionService
import DeltaEngine
import Synchronization
package import VersionedCollections

/// A service with a clock of its own, and calls that wait for their answers.
package struct ServiceBench {
  package let clock = ManualClock()
  package let date = SharedNumber(1_750_000_000)
  package let service: DeltaService
  package let key = CollectionKey(client: name("u42"), name: name("inbox"))

  package init(
    limits: ServiceLimits = ServiceLimits(), store: any CollectionStore = MemoryStore(),
    encoders: AnswerEncoders = .plain, seed: UInt64 = 1,
    faults: @escaping FaultSink = { _ in }
  ) {
    let date = date
    service = DeltaService(
      store: store, encoders: encoders, limits: limits,
      time: TimeSource(clock, date: { Int64(date.value) }),
      generator: { SeededGenerator(seed: seed) }, faults: faults)
  }

  package func put(
    _ body: String, to key: CollectionKey? = nil, _ precondition: Precondition = Precondition(),
    answer: WriteRequest.Answer = .receipt
  ) async throws -> WriteReceipt {
    try await write(
      WriteRequest(.put(body: Array(body.utf8)), precondition: precondition, answer: answer), key)
  }

  package func delete(_ key: CollectionKey? = nil) async throws -> WriteReceipt {
    try await write(WriteRequest(.delete), key)
  }

  package func write(_ request: WriteRequest, _ key: CollectionKey? = nil) async throws
    -> WriteReceipt
  {
    try await withCheckedContinuation { continuation in
      service.write(key ?? self.key, request) { continuation.resume(returning: $0) }
    }.get()
  }

  package func read(_ request: ReadRequest, _ key: CollectionKey? = nil) async throws -> ReadAnswer
  {
    try await withCheckedContinuation { continuation in
      service.read(key ?? self.key, request) { result, _ in continuation.resume(returning: result) }
    }.get()
  }

  /// A version that is kept, whole.
  package func snapshot(at version: VersionToken, _ key: CollectionKey? = nil) async throws
    -> ReadAnswer
  {
    try await withCheckedContinuation { continuation in
      let request = ReadRequest(.everything, since: nil, form: .plain)
      service.snapshot(of: key ?? self.key, at: version, request) { result, _ in
        continuation.resume(returning: result)
      }
    }.get()
  }

  /// The versions that are kept, oldest first.
  package func versions(_ key: CollectionKey? = nil) async throws -> [VersionSummary] {
    try await withCheckedContinuation { continuation in
      service.versions(of: key ?? self.key, .everything) { continuation.resume(returning: $0) }
    }.get()
  }

  package func delta(
    since: VersionToken?, wait: Int = 0, isStrict: Bool = false, forCollection: Bool = false
  ) async throws -> ReadAnswer {
    try await read(
      ReadRequest(
        .everything, since: since, form: .plain, waitSeconds: wait,
        waitsForCollection: forCollection, isStrict: isStrict))
  }

  /// Returns once this many readers wait.
  package func untilParked(_ count: Int = 1) async throws {
    try await until { service.counters.parked.value == count }
  }
}

/// A number behind a lock that copies share.
package final class SharedNumber: Sendable {
  private let number: Mutex<Int>
  package init(_ number: Int) { self.number = Mutex(number) }
  package var value: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
}

/// Keeps the faults that it is told of.
package final class FaultRecorder: Sendable {
  private let recorded = Mutex<[Fault]>([])
  package init() {}

  package var faults: [Fault] { recorded.withLock { $0 } }

  package func record(_ fault: Fault) { recorded.withLock { $0.append(fault) } }

  /// The first fault of a kind, once there is one.
  package func first(_ kind: Fault.Kind) async throws -> Fault {
    var first: Fault?
    try await until {
      first = faults.first { $0.kind == kind }
      return first != nil
    }
    guard let first else { throw NeverHeld(description: "\(kind)") }
    return first
  }
}

package func name(_ text: String) -> ResourceName {
  guard let name = ResourceName(text) else { preconditionFailure("\(text) is no name") }
  return name
}

extension AnswerForm {
  package static let plain = AnswerForm(dialect: 1)
}

extension AnswerEncoders {
  /// Encoders for tests: a snapshot as `section:id,id;…`, a delta as what it names.
  package static let plain = AnswerEncoders(
    snapshot: { material, _ in
      EncodedText(
        Array(
          material.sections.map { section in
            let ids = section.items.map {
              String(decoding: material.ids.text($0.uniqueID), as: UTF8.self)
            }
            return String(decoding: material.ids.text(section.uniqueID), as: UTF8.self) + ":"
              + ids.joined(separator: ",")
          }.joined(separator: ";").utf8))
    },
    delta: { material, _ in
      func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
      let changes = material.delta.changes
      var parts = material.envelope?.isAnimated == false ? ["still"] : []
      parts += changes.insertedItems.map { "+" + text(material.id($0)) + text(material.json($0)) }
      parts += changes.deletedItems.map { "-" + text(material.id($0)) }
      parts += changes.movedItems.map { "~" + text(material.id($0.target)) }
      parts += changes.reloadedItems.map { "!" + text(material.json($0.target)) }
      parts += changes.reloadedSections.map { "#" + text(material.json($0.target)) }
      return EncodedText(Array(parts.joined(separator: " ").utf8))
    })
}

extension ReadAnswer {
  /// What a test compares: the kind and what goes with it.
  package var text: String {
    switch self {
    case .snapshot(_, let content, let reset):
      (reset.map { $0.reason.rawValue + " " } ?? "")
        + String(decoding: content.bytes, as: UTF8.self)
    case .delta(_, let body): "delta " + String(decoding: body.bytes, as: UTF8.self)
    case .unchanged: "unchanged"
    case .deleted: "deleted"
    }
  }
}

/// The error of a refused call.
package func refusal<T>(_ call: () async throws -> T) async -> ServiceFailure? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? ServiceFailure
  }
}
