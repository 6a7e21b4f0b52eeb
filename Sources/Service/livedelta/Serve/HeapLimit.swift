import CMalloc
import Glibc

/// The limit on freed memory that the heaps retain.
enum HeapLimit {
  /// The number of heaps that threads share: as many as can be used at one time, up to eight.
  ///
  /// By default glibc gives up to eight heaps to each processor. What collections leave free in one when they are
  /// evicted is no use to those that are loaded into another: of 400,000 small lists, on two processors, an eighth of
  /// all memory.
  private static let heapsMax = Int32(min(8, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

  /// Makes the allocator return large buffers to the system when they are freed, and keep others in few heaps.
  ///
  /// By default glibc comes to retain freed buffers of up to 32 MiB in per-thread heaps: a hundred
  /// bodies of 16 MiB in succession would then take a gigabyte.
  ///
  /// It is refused only for sizes that no heap has.
  static func apply() { _ = cmalloc_bound(4 << 20, 8 << 20, heapsMax) }
}
