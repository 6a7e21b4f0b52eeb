import CEpoll
import Glibc
import HTTP1
import Synchronization

/// What other threads ask of an event loop.
enum LoopMessage: Sendable {
  case adopt(descriptor: Int32, peer: PeerAddress, service: Service)
  case respond(Connection, request: UInt32, HTTPResponse)
  case openStream(ResponseStream, HTTPResponse)
  case pumpStream(ResponseStream)
  case onClose(Connection, request: UInt32, @Sendable () -> Void)
  case listen([ListeningSocket], services: [Service])
  case stopAccepting
  case resumeAccepting
  case reclaim
  case announceEnd
  case drain
  case probe(@Sendable () -> Void)
  case abort
  case stop
  case timePassed
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

  /// Drops what comes from now on: responses that nobody waits for any more.
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
    guard wakes else { return }
    var one: UInt64 = 1
    // The counter cannot overflow: it is written once until it is read.
    _ = write(descriptor, &one, 8)
  }

  /// Takes all messages, `spare` becoming the next buffer, and the streams with something to send.
  func take(spare: inout [LoopMessage], streams: inout [ResponseStream]) {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    state.withLock { state in
      state.isSignaled = false
      swap(&state.messages, &spare)
      streams += state.streams
      state.streams.removeAll(keepingCapacity: state.streams.count < 1024)
    }
  }
}
