#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A value protected by a mutex.
///
/// The standard library's `Mutex` requires iOS 18 and macOS 15, and is unknown to ThreadSanitizer.
/// This uses a POSIX mutex, which is available on every platform Swift supports.
@safe package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Creates a protected value.
  package init(_ value: sending Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    let status = unsafe pthread_mutex_init(mutex, nil)
    precondition(status == 0, "pthread_mutex_init: \(status)")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls a closure with exclusive access to the value; it must not lock the same value again.
  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Replaces the value and returns the old one.
  package func exchange(_ value: Value) -> Value where Value: Sendable {
    withLock { held in
      defer { held = value }
      return held
    }
  }
}
