/// The backend's verdicts that are cached, and the callers that it knows.
///
/// What it denies has room of its own, so that callers with made-up credentials push out nobody.
struct ForwardVerdicts {
  /// Whom the caller is taken for, or why it is refused.
  typealias Verdict = Result<Principal, Refusal>

  private typealias Kept = (verdict: Verdict, expires: Int64)

  private var granted: [ForwardQuestion.Key: Kept] = [:]
  private var denied: [ForwardQuestion.Key: Kept] = [:]
  /// Callers that the backend granted something, those seen lately and those before.
  private var (recent, former): (Set<CredentialHash>, Set<CredentialHash>) = ([], [])

  /// The most verdicts of each kind that are cached, and half of the most callers that are remembered.
  static let (countMax, callersMax) = (20_000, 50_000)

  var count: Int { granted.count + denied.count }

  /// The cached verdict; nil if there is none, it has expired, or it is a yes given before `since`, in seconds since
  /// 1970.
  func verdict(_ key: ForwardQuestion.Key, now: Int64, since: Int64 = .min) -> Verdict? {
    guard let kept = granted[key] ?? denied[key], now < kept.expires else { return nil }
    if case .success(let principal) = kept.verdict, let answered = principal.answered,
      answered < since
    {
      return nil
    }
    return kept.verdict
  }

  /// Whether the backend has granted the caller something.
  func knows(_ caller: CredentialHash) -> Bool {
    recent.contains(caller) || former.contains(caller)
  }

  /// Caches an answer of the backend until a time, if there is any left.
  mutating func take(
    _ key: ForwardQuestion.Key, _ verdict: Verdict, until expires: Int64, now: Int64
  ) {
    granted[key] = nil
    denied[key] = nil
    let isFresh: (Kept) -> Bool = { now < $0.expires }
    let kept = (verdict, expires)
    switch verdict {
    case .success:
      if recent.count >= Self.callersMax { (recent, former) = ([], recent) }
      recent.insert(key.caller)
      if isFresh(kept) { granted.keep(kept, key, countMax: Self.countMax, where: isFresh) }
    case .failure(let refusal):
      if refusal == .badCredential {
        recent.remove(key.caller)
        former.remove(key.caller)
      }
      if isFresh(kept) { denied.keep(kept, key, countMax: Self.countMax, where: isFresh) }
    }
  }
}
