import CMalloc

/// The limit on freed memory that the heap retains.
enum HeapLimit {
  /// Makes the allocator return large buffers to the system when they are freed.
  ///
  /// By default glibc comes to retain freed buffers of up to 32 MiB in per-thread arenas: a hundred
  /// bodies of 16 MiB in succession would then take a gigabyte.
  ///
  /// It is refused only for sizes that no heap has.
  static func apply() { _ = cmalloc_bound(4 << 20, 8 << 20) }
}
