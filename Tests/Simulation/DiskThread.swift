import GRDB
import StoreSQLite
import TestSupport

/// The connection of a process to its database, and its queue for background work: all in the one thread, at times
/// that the simulation says.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class DiskThread: StoreConnections, MaintenanceQueue, @unchecked Sendable {
  private let world: World
  private let queue: DatabaseQueue
  private var generator: SeededGenerator
  /// What the writer has to do; writes that come meanwhile are in the same group.
  private var pending: [@Sendable (Database) -> Void] = []
  /// Whether background work is being done, which waits for what it writes.
  private var isMaintaining = false
  private(set) var isAlive = true

  init(_ world: World, _ queue: DatabaseQueue, _ generator: SeededGenerator) {
    (self.world, self.queue, self.generator) = (world, queue, generator)
  }

  var path: String { queue.path }

  /// Ends the process, in whatever it is doing.
  func end() {
    isAlive = false
    pending = []
  }

  func releaseMemory() { queue.releaseMemory() }

  // MARK: Connections

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try queue.read(body) }

  func asyncRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    var hasRead = false
    do {
      try queue.read {
        hasRead = true
        body(.success($0))
      }
    } catch {
      if !hasRead { body(.failure(error)) }
    }
  }

  func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) rethrows -> Value {
    try queue.writeWithoutTransaction(body)
  }

  func asyncWriteWithoutTransaction(_ body: @escaping @Sendable (Database) -> Void) {
    if isMaintaining { return queue.writeWithoutTransaction(body) }
    pending.append(body)
    world.after(generator.below(3.milliseconds)) { [self] in writePending() }
  }

  private func writePending() {
    while isAlive, !pending.isEmpty { queue.writeWithoutTransaction(pending.removeFirst()) }
  }

  func close() throws { try queue.close() }

  // MARK: Background work

  func async(_ work: @escaping @Sendable () -> Void) {
    later(generator.below(20.milliseconds), work)
  }

  func after(seconds: Int, _ work: @escaping @Sendable () -> Void) { later(seconds.seconds, work) }

  func finish() {}

  private func later(_ delay: Microseconds, _ work: @escaping @Sendable () -> Void) {
    world.after(delay) { [self] in
      writePending()
      guard isAlive else { return }
      isMaintaining = true
      work()
      isMaintaining = false
    }
  }
}
