/// Limits the lines of one kind in a log to a number per second.
package struct LineRate: Sendable {
  /// The number of lines so far, with those that were suppressed.
  package private(set) var count = 0
  /// The second that `lineCount` refers to.
  private var second: Int64 = -1
  private var lineCount = 0
  /// The number of suppressed lines since the last one.
  private var suppressedCount = 0

  package init() {}

  /// Counts a line; returns the number suppressed before it, or `nil` if it is to be suppressed, too.
  package mutating func take(_ now: Int64, _ linesMax: Int) -> Int? {
    count += 1
    if second != now { (second, lineCount) = (now, 0) }
    guard lineCount < linesMax else {
      suppressedCount += 1
      return nil
    }
    lineCount += 1
    defer { suppressedCount = 0 }
    return suppressedCount
  }
}
