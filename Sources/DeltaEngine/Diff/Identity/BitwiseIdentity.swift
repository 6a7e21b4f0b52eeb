/// An identity whose `==` is equality of its bits: no padding, no reference, no second spelling of
/// the same value.
///
/// The engine compares and hashes such identities as words, some ten times as fast as through
/// `Hasher`. Integers conform, and where `LiveCollections` is imported Foundation's `UUID`; an app
/// declares what it knows of its own types.
public protocol BitwiseIdentity: Hashable {}

extension Int: BitwiseIdentity {}
extension Int8: BitwiseIdentity {}
extension Int16: BitwiseIdentity {}
extension Int32: BitwiseIdentity {}
extension Int64: BitwiseIdentity {}
extension UInt: BitwiseIdentity {}
extension UInt8: BitwiseIdentity {}
extension UInt16: BitwiseIdentity {}
extension UInt32: BitwiseIdentity {}
extension UInt64: BitwiseIdentity {}
