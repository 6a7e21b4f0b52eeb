/// What a request may take before it is refused.
///
/// Each limit is refused as soon as it is known to be passed, not when the bytes are all there.
public struct RequestLimits: Sendable {
  /// The most that ``targetBytesMax`` and ``headerBytesMax`` may be together: places in a head are
  /// kept in 16 bits (FieldSlot).
  public static let headBytesMaxMax = 64_999

  /// Bytes of a request target; more is 414.
  public var targetBytesMax: Int
  /// Bytes of the header block, all field lines with their line ends; more is 431.
  public var headerBytesMax: Int
  /// Field lines of the header block; more is 431.
  public var fieldsMax: Int
  /// Bytes of a body after its transfer coding is taken off; more is 413.
  public var bodyBytesMax: Int
  /// Bytes of chunk extensions in one body, which are read and dropped; more is 400.
  public var chunkExtensionBytesMax: Int
  /// Bytes of a trailer section, which is checked and dropped; more is 431.
  public var trailerBytesMax: Int

  /// Makes limits; each may be left at its default.
  public init(
    targetBytesMax: Int = 8 << 10, headerBytesMax: Int = 16 << 10, fieldsMax: Int = 100,
    bodyBytesMax: Int = 16 << 20, chunkExtensionBytesMax: Int = 64 << 10,
    trailerBytesMax: Int = 8 << 10
  ) {
    precondition(
      targetBytesMax + headerBytesMax <= Self.headBytesMaxMax,
      "target and header of \(targetBytesMax) and \(headerBytesMax) bytes: together at most 64,999")
    self.targetBytesMax = targetBytesMax
    self.headerBytesMax = headerBytesMax
    self.fieldsMax = fieldsMax
    self.bodyBytesMax = bodyBytesMax
    self.chunkExtensionBytesMax = chunkExtensionBytesMax
    self.trailerBytesMax = trailerBytesMax
  }
}
