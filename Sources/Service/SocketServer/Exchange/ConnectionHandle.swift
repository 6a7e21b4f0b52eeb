import HTTP1
import Synchronization

/// What everybody but its event loop knows of a connection, on any thread.
final class ConnectionHandle: Sendable {
  let loop: any ResponseLoop
  let descriptor: Int32
  /// Distinguishes the connection from earlier ones with the same descriptor.
  let generation: UInt32
  let peer: PeerAddress
  /// The number of the latest request when the connection was closed.
  let lastRequest = Atomic<UInt32>(0)

  init(
    loop: any ResponseLoop, descriptor: Int32, generation: UInt32, peer: PeerAddress
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.generation = generation
    self.peer = peer
  }

  /// Identifies the connection among all that its loop has had.
  var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
}

/// The event loop of a connection, as responders and streams use it from any thread.
protocol ResponseLoop: AnyObject, Sendable {
  /// The index of the loop in its server.
  var number: Int { get }
  /// The unsent bytes of a stream above which its writer must wait.
  var streamBytesMax: Int { get }

  func respond(_ handle: ConnectionHandle, request: UInt32, _ response: HTTPResponse)
  /// Has an action called when the peer hangs up.
  func setOnHangup(
    _ handle: ConnectionHandle, request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void)
  func openSoon(_ stream: ResponseStream, _ head: HTTPResponse)
  /// Sends what has been written to a stream.
  func pumpSoon(_ stream: ResponseStream)
}
