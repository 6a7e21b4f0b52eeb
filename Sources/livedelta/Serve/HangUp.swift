import Dispatch
import Glibc

/// Performs an action on SIGHUP instead of ending the process.
///
/// `@unchecked Sendable`: the source is only retained.
struct HangUp: @unchecked Sendable {
  private let source: any DispatchSourceSignal

  init(then action: @escaping @Sendable () -> Void) {
    signal(SIGHUP, SIG_IGN)
    source = DispatchSource.makeSignalSource(
      signal: SIGHUP, queue: DispatchQueue(label: "livedelta.hangup"))
    source.setEventHandler(handler: action)
    source.activate()
  }

  func end() { source.cancel() }
}
