/// The writes that wait for the writer, in the groups in which they will go.
///
/// Small writes go together. What is large goes in parts, one part between two groups of small
/// writes: a small write waits for one of them at most. Of the large writes the first is finished
/// before the next begins, so that its bytes are soon out of memory. Images that are renewed take
/// turns with them: if they had to wait for all, changes would become more than an image.
struct TransactionLine {
  /// Writes of more bytes than this are large.
  static let smallBytesMax = 256 << 10

  private var small: [GroupWriter.Job] = []
  private var large: [GroupWriter.Job] = []
  private var images: [GroupWriter.Job] = []
  private var wasLarge = false
  private var wasImage = false

  /// Adds a write.
  mutating func append(_ job: GroupWriter.Job) {
    if !job.isLarge {
      small.append(job)
    } else if job.isImage {
      images.append(job)
    } else {
      large.append(job)
    }
  }

  /// Has a large write go on, of which a part was written.
  mutating func resume(_ job: GroupWriter.Job) { large.insert(job, at: 0) }

  /// Removes and returns the next group; nil when nothing waits.
  mutating func next() -> [GroupWriter.Job]? {
    if small.isEmpty || !wasLarge, let job = nextLarge() {
      wasLarge = true
      return [job]
    }
    wasLarge = false
    if small.isEmpty { return nil }
    defer { small = [] }
    return small
  }

  private mutating func nextLarge() -> GroupWriter.Job? {
    wasImage = !images.isEmpty && (!wasImage || large.isEmpty)
    if wasImage { return images.removeFirst() }
    return large.isEmpty ? nil : large.removeFirst()
  }
}
