import CEpoll
import Glibc
import HTTP1
import Synchronization

/// A message to an event loop; frequent ones have a case of their own, so that they need no
/// closure.
enum LoopMessage: Sendable {
  case respond(ConnectionHandle, request: UInt32, HTTPResponse)
  case pumpStream(ResponseStream)
  case run(@Sendable () -> Void)
}

/// The messages to an event loop, and the descriptor that wakes it.
///
/// The descriptor is signalled once until the loop has taken the messages.
final class Mailbox: Sendable {
  let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var messages: [LoopMessage] = []
    /// Streams with output: many at once, and less urgent than messages.
    var streams: [ResponseStream] = []
    var isSignaled = false
    var isClosed = false
  }

  init() { descriptor = cepoll_eventfd() }

  deinit { Glibc.close(descriptor) }

  /// Drops all messages from now on; their connections are closed.
  func close() {
    state.withLock { state in
      state.messages = []
      state.streams = []
      state.isClosed = true
    }
  }

  func post(_ message: LoopMessage) {
    let wakes = state.withLock { state in
      guard !state.isClosed else { return false }
      if case .pumpStream(let stream) = message {
        state.streams.append(stream)
      } else {
        state.messages.append(message)
      }
      defer { state.isSignaled = true }
      return !state.isSignaled
    }
    // The counter cannot overflow, as it is written only once before it is read.
    if wakes { cepoll_signal(descriptor) }
  }

  /// Takes all messages, leaving `spare` as the next buffer, and all streams with output.
  func take(spare: inout [LoopMessage], streams: inout [ResponseStream]) {
    cepoll_clear(descriptor)
    state.withLock { state in
      state.isSignaled = false
      swap(&state.messages, &spare)
      streams += state.streams
      state.streams.removeAll(keepingCapacity: state.streams.count < 1024)
    }
  }
}
