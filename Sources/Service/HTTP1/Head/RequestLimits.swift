/// The limits on one request.
///
/// A request is refused as soon as it is known to exceed a limit, not when all of it has arrived.
public struct RequestLimits: Sendable {
  /// The most that ``targetBytesMax`` and ``headerBytesMax`` may be together, as positions in a
  /// head are 16 bits wide (`FieldSlot`).
  public static let headBytesMaxMax = 64_999

  /// Bytes of a request target; a longer one is answered 414.
  public var targetBytesMax: Int
  /// Bytes of the header block: all field lines and their line ends; a longer one is answered 431.
  public var headerBytesMax: Int
  /// Field lines of the header block; more are answered 431.
  public var fieldsMax: Int
  /// Bytes of a body after its transfer coding is removed; a longer one is answered 413.
  public var bodyBytesMax: Int
  /// Bytes of chunk extensions in one body, which are ignored; more are answered 400.
  public var chunkExtensionBytesMax: Int
  /// Bytes of a trailer section, which is validated and dropped; a longer one is answered 431.
  public var trailerBytesMax: Int

  /// Creates limits; each has a default.
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
