/// The writes that wait for the writer, in the groups in which they will go.
///
/// Small writes go together. Large ones have a line of their own, and go one at a time between two
/// groups of small ones: a small write waits for one of them at most.
struct WriteLine {
  /// Writes of more bytes than this are large.
  static let smallBytesMax = 256 << 10

  private var small: [GroupWriter.Job] = []
  private var large: [GroupWriter.Job] = []
  private var wasLarge = false

  /// Adds a write.
  mutating func append(_ job: GroupWriter.Job) {
    if job.byteCount > Self.smallBytesMax {
      large.append(job)
    } else {
      small.append(job)
    }
  }

  /// Removes and returns the next group; nil when nothing waits.
  mutating func next() -> [GroupWriter.Job]? {
    if !large.isEmpty, small.isEmpty || !wasLarge {
      wasLarge = true
      return [large.removeFirst()]
    }
    wasLarge = false
    if small.isEmpty { return nil }
    defer { small = [] }
    return small
  }
}
