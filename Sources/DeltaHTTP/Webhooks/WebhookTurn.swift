import CollectionService
import Synchronization

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
  private let holder = String(UInt64.random(in: .min ... .max), radix: 36)
  /// Until when nobody else can have it.
  private let end = Mutex(Duration.zero)

  init(_ service: DeltaService, _ time: TimeSource) {
    self.service = service
    self.time = time
  }

  /// Whether nobody else can have it.
  private var isHeld: Bool { time.uptime() < end.withLock(\.self) }

  /// Takes it.
  ///
  /// - Returns: The turn with its position; nil if another has it, or the store cannot tell.
  func take() async -> JobTurn? {
    let turn: JobTurn?
    let start = time.uptime()
    do {
      turn = try await service.turn(Self.job, holder: holder, seconds: Self.seconds)
    } catch {
      // It is asked again in a second; the store tells by a fault that it is away.
      return nil
    }
    if turn != nil { end.withLock { $0 = start + Self.safe } }
    return turn
  }

  /// Keeps it until it is lost.
  func keep() async {
    while !Task.isCancelled {
      await time.sleep(time.uptime() + Self.interval)
      guard await renew() else { return }
    }
  }

  /// Saves a position; one that could not be saved is superseded by the next.
  ///
  /// - Returns: `false` if another may have the turn.
  func save(_ mark: ChangeMark) async -> Bool { await renew(mark.description) }

  private func renew(_ position: String? = nil) async -> Bool {
    let start = time.uptime()
    do {
      let turn = try await service.turn(
        Self.job, holder: holder, seconds: Self.seconds, position: position)
      end.withLock { $0 = turn == nil ? .zero : start + Self.safe }
    } catch {
      // The turn that was had lasts for a while, in which it is tried again.
    }
    return isHeld
  }

  /// Passes it on, if it is still had.
  func passOn() async {
    guard isHeld else { return }
    do {
      _ = try await service.turn(Self.job, holder: holder, seconds: 0)
    } catch {
      // Another has it when its time is over.
    }
    end.withLock { $0 = .zero }
  }
}
