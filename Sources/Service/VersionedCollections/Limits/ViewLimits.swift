/// Limits on the views of collections.
public struct ViewLimits: Hashable, Sendable {
  /// The most bytes of the terms, criteria and selections of one request.
  public var bytesMax = 64 << 10
  /// The most terms of `where`.
  public var termsMax = 8
  /// The longest term in bytes.
  public var termBytesMax = 8 << 10
  /// The most values of a term with `in`.
  public var valuesMax = 64
  /// The most pointers of `select`.
  public var selectedMax = 32
  /// The most criteria of `order`.
  public var orderMax = 4
  /// The most items in a window.
  public var windowItemsMax = 1000
  /// The longest JSON pointer in bytes.
  public var pointerBytesMax = 1024
  /// The most reference tokens in a JSON pointer.
  public var pointerTokensMax = 64

  /// Creates the default limits of `docs/protocol.md`.
  public init() {}
}
