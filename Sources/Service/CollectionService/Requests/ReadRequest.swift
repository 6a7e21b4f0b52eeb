public import VersionedCollections

/// A request to read a collection.
public struct ReadRequest: Sendable {
  /// The version that the reader has; nil for none.
  public var since: VersionToken?
  /// A newer version that shows the same in the view.
  var same: VersionToken?
  /// Other versions that the reader has seen; the answer is not older than they are.
  public var versions: [VersionToken] = []
  /// What the reader may see of the collection.
  package var access: ReadAccess
  /// The form of the answer.
  public var form: AnswerForm
  /// The longest time to wait for changes in seconds, clamped to the limit.
  public var waitSeconds: Int
  /// Whether to wait for a collection that does not exist.
  public var waitsForCollection: Bool
  /// Whether to fail instead of resetting the reader with a snapshot.
  public var isStrict: Bool
  /// Whether the reader always wants a snapshot.
  public var wantsSnapshot = false
  /// Who waits for the answer; nil if it is made in any case.
  public var interest: ReadInterest?
  /// Records how long the request waits, if not nil.
  public var parkedTime: ParkedTime?
  /// The request's ID in the log.
  public var requestID: RequestID?

  /// Creates a request.
  package init(
    _ access: ReadAccess, since: VersionToken?, form: AnswerForm, waitSeconds: Int = 0,
    waitsForCollection: Bool = false, isStrict: Bool = false
  ) {
    self.access = access
    self.since = since
    self.form = form
    self.waitSeconds = waitSeconds
    self.waitsForCollection = waitsForCollection
    self.isStrict = isStrict
  }
}

/// Called with the answer and what it was created from.
public typealias ReadReply =
  @Sendable (_ result: Result<ReadAnswer, ServiceFailure>, _ source: AnswerSource) -> Void
