/// The backend's verdicts that are cached, and the callers that it knows.
///
/// What it denies has room of its own, so that callers with made-up credentials push out nobody.
struct ForwardVerdicts {
  /// Whom the caller is taken for, or why it is refused.
  typealias Verdict = Result<Principal, Refusal>

  private var granted = Cache()
  private var denied = Cache()
  /// Callers that the backend granted something, those seen lately and those before.
  private var (recent, former): (Set<CredentialHash>, Set<CredentialHash>) = ([], [])

  /// The most verdicts of each kind that are cached, and half of the most callers that are remembered.
  static let (countMax, callersMax) = (20_000, 50_000)

  /// The number of cached verdicts.
  var count: Int { granted.verdicts.count + denied.verdicts.count }

  /// The cached verdict; nil if there is none, or it has expired.
  func verdict(_ key: ForwardQuestion.Key, now: Int64) -> Verdict? {
    granted.verdict(key, now) ?? denied.verdict(key, now)
  }

  /// Whether the backend has granted the caller something.
  func knows(_ caller: CredentialHash) -> Bool {
    recent.contains(caller) || former.contains(caller)
  }

  /// Caches an answer of the backend until a time, if there is any left.
  mutating func take(
    _ key: ForwardQuestion.Key, _ verdict: Verdict, until expires: Int64, now: Int64
  ) {
    granted.verdicts[key] = nil
    denied.verdicts[key] = nil
    switch verdict {
    case .success:
      granted.keep(key, verdict, until: expires, now: now)
      remember(key.caller)
    case .failure(let refusal):
      denied.keep(key, verdict, until: expires, now: now)
      if refusal == .badCredential {
        recent.remove(key.caller)
        former.remove(key.caller)
      }
    }
  }

  private mutating func remember(_ caller: CredentialHash) {
    if recent.count >= Self.callersMax { (recent, former) = ([], recent) }
    recent.insert(caller)
  }

  private struct Cache {
    var verdicts: [ForwardQuestion.Key: (verdict: Verdict, expires: Int64)] = [:]

    func verdict(_ key: ForwardQuestion.Key, _ now: Int64) -> Verdict? {
      guard let kept = verdicts[key], now < kept.expires else { return nil }
      return kept.verdict
    }

    mutating func keep(
      _ key: ForwardQuestion.Key, _ verdict: Verdict, until expires: Int64, now: Int64
    ) {
      guard now < expires else { return }
      if verdicts.count >= ForwardVerdicts.countMax {
        verdicts = verdicts.filter { now < $1.expires }
      }
      if verdicts.count >= ForwardVerdicts.countMax { verdicts = [:] }
      verdicts[key] = (verdict, expires)
    }
  }
}
