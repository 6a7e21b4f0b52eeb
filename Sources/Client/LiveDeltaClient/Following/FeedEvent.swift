public import Foundation

/// What a feed reports.
public enum FeedEvent<Change: Sendable>: Sendable {
  /// The content changed, or the feed begins with the content that it has.
  case change(Change)
  /// The service cannot be reached, or refuses for now; the feed tries again after a pause.
  ///
  /// With the error `file`, the content or edits cannot be kept in a file for now. That the content cannot, which
  /// costs an initial load at the next start, is told once until it can again. Damaged lines of the file of edits are
  /// reported by it as well, with their text; they are removed, and the other edits are kept.
  case interrupted(ClientError, retryAfter: Duration)
  /// The service refused edits of this device, as a JSON array, which were taken back; of a ``CollectionFeed``.
  ///
  /// The reason is a problem with one of the codes that refuse edits for good, or `outcomeUnknown` for edits of
  /// which the service may have forgotten whether it took them.
  case refused(edits: String, ClientError)
}

/// How a feed follows collections.
public struct FeedOptions: Sendable {
  /// Whether to follow by a stream; otherwise, and if no event gets through, by long polls.
  public var usesStream = true
  /// How long the first event of a stream may take, which the service sends at once.
  public var firstEventLimit = Duration.seconds(5)
  /// The seconds without data after which a stream is considered broken; more than 5.
  public var stallSeconds = 20
  /// Where the content is kept for the next start; `nil` for nowhere.
  public var file: ReplicaFile?
  /// Where a ``CollectionFeed`` keeps edits until the service has taken them, in a folder that exists; `nil` to
  /// keep them in memory.
  public var edits: URL?
  /// The least time between two writes of the file; the last content is written at the end.
  public var savePause = Duration.seconds(2)
  /// How long a ``WindowedList`` waits until the user has stopped scrolling, up to five times.
  public var windowPause = Duration.milliseconds(50)
  /// The pauses after failures.
  public var backoff = Backoff()
  /// The clock for pauses.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Returns a random number from a range.
  public var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

  /// Creates the default options.
  ///
  /// - Parameters:
  ///   - file: Where the content is kept for the next start.
  ///   - edits: Where edits are kept.
  public init(file: ReplicaFile? = nil, edits: URL? = nil) {
    (self.file, self.edits) = (file, edits)
  }
}
