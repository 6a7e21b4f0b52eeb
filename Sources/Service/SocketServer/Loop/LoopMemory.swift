import CEpoll
import Glibc

// The memory of an event loop that is accessed through pointers, each owned by one type.

/// A value stored behind a pointer.
///
/// It avoids the run-time exclusivity checks on class properties, which would cost the loop as much
/// as parsing.
@safe struct Pinned<Value: ~Copyable>: ~Copyable {
  private let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  init(_ value: consuming Value) { unsafe pointer.initialize(to: value) }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The value; accesses must not overlap.
  var value: Value {
    @inline(__always) _read { yield unsafe pointer.pointee }
    @inline(__always) nonmutating _modify { yield unsafe &pointer.pointee }
  }
}

/// The buffer a loop receives into; connections copy only what they cannot use yet.
@safe struct ReceiveBuffer: ~Copyable {
  static let capacity = 128 << 10
  private let start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

  init() { unsafe start.initialize(repeating: 0, count: Self.capacity) }

  deinit { unsafe start.deallocate() }

  /// Receives up to `room` bytes, at most the capacity; returns the result of `recv`.
  func receive(from descriptor: Int32, room: Int = ReceiveBuffer.capacity) -> Int {
    unsafe recv(descriptor, start, min(room, Self.capacity), 0)
  }

  /// Calls `body` with the first `count` bytes.
  func withBytes<Result>(_ count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    precondition(0...Self.capacity ~= count, "\(count) bytes")
    return body(unsafe UnsafeBufferPointer(start: start, count: count).span)
  }
}

/// The events that epoll reports.
@safe struct ReadyList: ~Copyable {
  private static let countMax = 256
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: countMax)
  private(set) var count = 0

  init() {}

  deinit { unsafe events.deallocate() }

  /// Waits for events until a timeout.
  mutating func wait(_ epoll: Int32, milliseconds: Int32) {
    count = max(0, Int(unsafe cepoll_wait(epoll, events, Int32(Self.countMax), milliseconds)))
  }

  subscript(index: Int) -> (token: UInt64, events: UInt32) {
    precondition(0..<count ~= index, "event \(index) of \(count)")
    return unsafe (cepoll_token(events, Int32(index)), cepoll_events(events, Int32(index)))
  }
}
