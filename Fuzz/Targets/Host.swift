import DeltaEngine
import Dispatch
import SnapshotJSON

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// A service with one collection, asked one thing after the other.
final class Host {
  private let key: CollectionKey
  private let store: CheckingStore
  private var service: DeltaService

  init() {
    guard let name = ResourceName("c") else { fatalError("no name") }
    key = CollectionKey(client: name, name: name)
    store = CheckingStore()
    service = Host.service(over: store)
  }

  /// A service that finds a collection in its store.
  init(_ collection: StoredCollection) {
    guard let name = ResourceName("c") else { fatalError("no name") }
    key = CollectionKey(client: name, name: name)
    store = CheckingStore([key: collection])
    service = Host.service(over: store)
  }

  /// What the store has of the collection; empty without one.
  var image: [UInt8] { store.image(of: key) }

  /// Starts the service anew: it knows what its store has.
  func restart() { service = Host.service(over: store) }

  private static func service(over store: CheckingStore) -> DeltaService {
    DeltaService(
      store: store, encoders: .wire, limits: Small.limits,
      time: TimeSource(ContinuousClock(), date: { 1_700_000_000 }),
      generator: { SystemRandomNumberGenerator() },
      faults: { fatalError("\($0)") },
      judge: { delta, source, target in delta.violation(from: source, to: target) })
  }

  /// Makes a change; whether it was accepted.
  ///
  /// What is refused changes nothing, and is never the service's own fault.
  @discardableResult
  func write(_ change: WriteRequest.Change) -> Bool {
    let before = content
    let answer = wait { service.write(key, WriteRequest(change), reply: $0) }
    switch answer {
    case .success(let receipt):
      check(receipt.isDeleted || content != nil, "written, and not there")
      return true
    case .failure(let failure):
      switch failure.error {
      case .internalFault, .collectionDamaged, .storeUnavailable, .outcomeUnknown,
        .storeUnsynced:
        fatalError("\(failure.error)")
      default: check(content == before, "refused, and changed")
      }
      return false
    }
  }

  /// What readers get: the sections and the rest of the document; nil without a collection.
  var content: [UInt8]? {
    let request = ReadRequest(
      .everything, since: nil, form: AnswerForm(dialect: Dialect.staged.rawValue))
    switch wait({ reply in _ = service.read(key, request) { result, _ in reply(result) } }) {
    case .success(.snapshot(_, let content, _)): return content.bytes
    case .success: fatalError("no snapshot")
    case .failure(let failure):
      guard case .collectionNotFound = failure.error else { fatalError("\(failure.error)") }
      return nil
    }
  }

  /// Asks for what changed since a version.
  func read(since version: VersionToken) {
    let request = ReadRequest(
      .everything, since: version, form: AnswerForm(dialect: Dialect.staged.rawValue))
    _ = wait { reply in _ = service.read(key, request) { result, _ in reply(result) } }
  }

  private func wait<Answer: Sendable>(_ ask: (@escaping @Sendable (Answer) -> Void) -> Void)
    -> Answer
  {
    let box = Box<Answer>()
    let done = DispatchSemaphore(value: 0)
    ask {
      box.value = $0
      done.signal()
    }
    done.wait()
    guard let answer = box.value else { fatalError("no answer") }
    return answer
  }
}

/// Carries an answer to the thread that waits.
///
/// `@unchecked Sendable`: written before the signal, read after it.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
