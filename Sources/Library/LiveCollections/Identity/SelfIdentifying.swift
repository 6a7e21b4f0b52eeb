/// A value that is its own identity, as numbers and texts are.
///
/// A different content is a different value, so these are never reloaded. A NaN differs from
/// itself: every update deletes and inserts it.
public protocol SelfIdentifying: UniquelyIdentifiable, NonUniquelyIdentifiable, Hashable
where UniqueIDType == Self, NonUniqueIDType == Self {}

extension SelfIdentifying {
  /// True: values of equal identity are equal.
  @inlinable public func hasSameContent(as other: Self) -> Bool { true }
}

extension String: SelfIdentifying {}
extension Int: SelfIdentifying {}
extension Int8: SelfIdentifying {}
extension Int16: SelfIdentifying {}
extension Int32: SelfIdentifying {}
extension Int64: SelfIdentifying {}
extension UInt: SelfIdentifying {}
extension UInt8: SelfIdentifying {}
extension UInt16: SelfIdentifying {}
extension UInt32: SelfIdentifying {}
extension UInt64: SelfIdentifying {}
extension Float: SelfIdentifying {}
extension Double: SelfIdentifying {}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGFloat: SelfIdentifying {}
#endif
