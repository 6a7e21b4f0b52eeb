import CollectionService
import Synchronization
import VersionedCollections

/// The turn of one of the services over a shared store to push changes; its position is in the store.
///
/// It lasts for some seconds and is kept by its holder. If the holder dies, another has it after that
/// time, and goes on from the position. Who cannot reach the store gives up before that.
final class WebhookTurn: Sendable {
  private static let job = "webhook"
  /// How long it lasts, in seconds.
  private static let seconds = 10
  /// After how much of it another may have it: the store counts whole seconds.
  private static let safe: Duration = .seconds(8)
  /// How often it is kept.
  private static let interval: Duration = .seconds(3)

  private let service: DeltaService
  private let time: TimeSource
  private let faults: FaultSink
  private let holder = String(UInt64.random(in: .min ... .max), radix: 36)
  /// Until when nobody else can have it.
  private let end = Mutex(Duration.zero)
  /// Whether the store could not tell when it was asked last.
  private let isFailing = Mutex(false)

  init(_ service: DeltaService, _ time: TimeSource, _ faults: @escaping FaultSink) {
    self.service = service
    self.time = time
    self.faults = faults
  }

  /// Whether nobody else can have it.
  private var isHeld: Bool { time.uptime() < end.withLock(\.self) }

  /// Takes it; returns the turn with its position; nil if another has it, or the store cannot tell.
  func take() async -> JobTurn? {
    do {
      return try await ask(seconds: Self.seconds, isNew: true)
    } catch {
      // The store is asked again in a second.
      return nil
    }
  }

  /// Keeps it until it is lost.
  func keep() async {
    while !Task.isCancelled {
      await time.sleep(time.uptime() + Self.interval)
      guard !Task.isCancelled, await renew() else { return }
    }
  }

  /// Waits until another may have it, whatever the store is being asked.
  func lapse() async {
    while !Task.isCancelled, isHeld { await time.sleep(end.withLock(\.self)) }
  }

  /// Saves a position; one that could not be saved is superseded by the next.
  ///
  /// - Returns: `false` if another may have the turn.
  func save(_ mark: ChangeMark) async -> Bool { await renew(mark.description) }

  private func renew(_ position: String? = nil) async -> Bool {
    do {
      _ = try await ask(seconds: Self.seconds, position)
    } catch {
      // The turn that was had lasts for a while, in which it is tried again.
    }
    return isHeld
  }

  /// Passes it on, if it is still had.
  func passOn() async {
    guard isHeld else { return }
    do {
      _ = try await ask(seconds: 0)
    } catch {
      // Another has it when its time is over.
    }
    end.withLock { $0 = .zero }
  }

  /// Asks the store; the first failure in a row is a fault.
  private func ask(
    seconds: Int, _ position: String? = nil, isNew: Bool = false
  ) async throws(StoreError) -> JobTurn? {
    let start = time.uptime()
    do throws(StoreError) {
      let turn = try await service.turn(
        Self.job, holder: holder, seconds: seconds, position: position, isNew: isNew)
      end.withLock { $0 = turn == nil ? .zero : start + Self.safe }
      isFailing.withLock { $0 = false }
      return turn
    } catch {
      let isFirst = isFailing.withLock { isFailing in
        defer { isFailing = true }
        return !isFailing
      }
      if isFirst {
        faults(Fault(.webhook, "cannot determine which replica sends webhooks: \(error.text)"))
      }
      throw error
    }
  }
}
