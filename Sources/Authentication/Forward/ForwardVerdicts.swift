/// The backend's verdicts that are cached, and the questions that are under way.
struct ForwardVerdicts {
  /// Whom the caller is taken for, or why it is refused.
  typealias Verdict = Result<Principal, Refusal>
  /// Receives a verdict.
  typealias Completion = @Sendable (Verdict) -> Void

  private var verdicts: [ForwardQuestion.Key: (verdict: Verdict, expires: Int64)] = [:]
  private var asked: [ForwardQuestion.Key: [Completion]] = [:]

  /// The most verdicts that are cached, and questions that are under way.
  static let (countMax, questionsMax) = (10_000, 256)

  /// The number of cached verdicts.
  var count: Int { verdicts.count }

  /// What to do for a caller who wants a verdict.
  enum Step {
    /// Put the question.
    case ask
    /// Wait: it has been put already.
    case wait
    /// Refuse: too many are under way.
    case refuse
  }

  /// The cached verdict; nil if there is none, or it has expired.
  func verdict(_ key: ForwardQuestion.Key, now: Int64) -> Verdict? {
    guard let kept = verdicts[key], now < kept.expires else { return nil }
    return kept.verdict
  }

  /// Adds a completion to those that wait for a verdict: equal callers share one question.
  mutating func want(_ key: ForwardQuestion.Key, _ completion: @escaping Completion) -> Step {
    let isAsked = asked[key] != nil
    guard isAsked || asked.count < Self.questionsMax else { return .refuse }
    asked[key, default: []].append(completion)
    return isAsked ? .wait : .ask
  }

  /// Caches a verdict until a time, if there is any left.
  ///
  /// - Returns: The completions that wait for it.
  mutating func take(
    _ key: ForwardQuestion.Key, _ verdict: Verdict, until expires: Int64, now: Int64
  ) -> [Completion] {
    if verdicts.count >= Self.countMax { verdicts = verdicts.filter { now < $1.expires } }
    if verdicts.count >= Self.countMax { verdicts = [:] }
    verdicts[key] = now < expires ? (verdict, expires) : nil
    return asked.removeValue(forKey: key) ?? []
  }
}
