// Values that may stand in a list more than once and are what they show.

extension String: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension Int: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension Int8: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension Int16: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension Int32: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension Int64: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension UInt: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension UInt8: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension UInt16: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension UInt32: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension UInt64: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

// A NaN differs from itself, so it leaves and comes anew with every update.
extension Float: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}

extension Double: NonUniquelyIdentifiable {
  /// The value itself.
  public typealias NonUniqueIDType = Self
}
