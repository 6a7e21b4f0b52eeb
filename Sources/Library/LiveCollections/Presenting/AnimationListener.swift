/// A weak reference to a delegate that animates alongside.
struct AnimationListener: Sendable {
  private(set) weak var delegate: (any CollectionDataAnimationDelegate)?

  /// `nil` without a delegate.
  init?(_ delegate: (any CollectionDataAnimationDelegate)?) {
    guard let delegate else { return nil }
    self.delegate = delegate
  }
}
