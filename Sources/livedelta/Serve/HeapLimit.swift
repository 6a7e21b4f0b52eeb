import CMalloc

/// How much freed memory the heap may keep.
enum HeapLimit {
  /// Has large buffers go back to the system as soon as they are freed.
  ///
  /// By itself the C library comes to keep freed buffers of up to 32 MiB in its heaps, of which each thread
  /// may have one: a hundred bodies of 16 MiB, one after the other, then take a gigabyte.
  static func apply() { _ = cmalloc_bound(4 << 20, 8 << 20) }
}
