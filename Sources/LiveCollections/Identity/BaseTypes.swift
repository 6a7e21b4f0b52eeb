// Values that are their own identity. Their content can never differ, so they are never reloaded.

extension String: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension Int: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension Int8: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension Int16: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension Int32: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension Int64: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension UInt: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension UInt8: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension UInt16: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension UInt32: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension UInt64: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

// A NaN differs from itself, so it leaves and comes anew with every update.
extension Float: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

extension Double: UniquelyIdentifiable {
  /// The value itself.
  public typealias UniqueIDType = Self
}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGFloat: UniquelyIdentifiable {
    /// The value itself.
    public typealias UniqueIDType = Self
  }
#endif
