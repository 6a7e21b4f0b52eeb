/// The queue of writes, which forms the groups.
///
/// Small writes are grouped. Large writes consist of parts, with one part between two groups of
/// small writes; a small write waits for at most one of them. Large writes are finished one after
/// the other, so that their memory is freed early. They alternate with renewals of images: if these
/// had to wait for all large writes, changes could outgrow the image.
struct TransactionQueue {
  private var small: [WriteJob] = []
  private var large: [WriteJob] = []
  private var images: [WriteJob] = []
  private var first: [WriteJob] = []
  private var wasLarge = false
  private var wasImage = false

  var count: Int { first.count + small.count + large.count + images.count }

  mutating func append(_ job: WriteJob) {
    if job.isFirst {
      first.append(job)
    } else if !job.isLarge {
      small.append(job)
    } else if job.isImage {
      images.append(job)
    } else {
      large.append(job)
    }
  }

  /// Continues a large write after one of its parts was written.
  mutating func resume(_ job: WriteJob) { large.insert(job, at: 0) }

  /// Removes and returns the next group; nil if the queue is empty.
  mutating func next() -> [WriteJob]? {
    if !first.isEmpty { return [first.removeFirst()] }
    if small.isEmpty || !wasLarge, let job = nextLarge() {
      wasLarge = true
      return [job]
    }
    wasLarge = false
    if small.isEmpty { return nil }
    defer { small = [] }
    return small
  }

  private mutating func nextLarge() -> WriteJob? {
    wasImage = !images.isEmpty && (!wasImage || large.isEmpty)
    if wasImage { return images.removeFirst() }
    return large.isEmpty ? nil : large.removeFirst()
  }
}
