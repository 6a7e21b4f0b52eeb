/// An identity that is equal exactly if its bits are: no padding, no references, and only one
/// representation of each value.
///
/// The engine compares and hashes such identities as words, about ten times as fast as through
/// `Hasher`. Integers conform and, if `LiveCollections` is imported, so does Foundation's `UUID`;
/// apps may declare conformance for their own types.
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
