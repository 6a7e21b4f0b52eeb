import Dispatch
import Glibc

/// Performs an action on a signal instead of ending the process.
///
/// `@unchecked Sendable`: the source is only retained.
struct SignalAction: @unchecked Sendable {
  private let source: any DispatchSourceSignal

  init(on number: Int32, _ action: @escaping @Sendable () -> Void) {
    signal(number, SIG_IGN)
    source = DispatchSource.makeSignalSource(
      signal: number, queue: DispatchQueue(label: "livedelta.signal.\(number)"))
    source.setEventHandler(handler: action)
    source.activate()
  }

  func end() { source.cancel() }
}
