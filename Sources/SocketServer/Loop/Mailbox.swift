import CEpoll
import Glibc
import HTTP1
import Synchronization

/// What other threads ask of an event loop: in its own form where there are many.
enum LoopMessage: Sendable {
  case respond(Connection, request: UInt32, HTTPResponse)
  case pumpStream(ResponseStream)
  case run(@Sendable (EventLoop) -> Void)
}

/// The messages to one event loop, and the descriptor that wakes it.
///
/// The descriptor is written once until the loop has taken the messages.
final class Mailbox: Sendable {
  let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var messages: [LoopMessage] = []
    /// Streams with something to send: many at once, and in no hurry.
    var streams: [ResponseStream] = []
    var isSignaled = false
    var isClosed = false
  }

  init() { descriptor = cepoll_eventfd() }

  deinit { Glibc.close(descriptor) }

  /// Drops all messages from now on: their connections are closed.
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
    // The counter cannot overflow: it is written once until it is read.
    if wakes { cepoll_signal(descriptor) }
  }

  /// Takes all messages, `spare` becoming the next buffer, and the streams with something to send.
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
