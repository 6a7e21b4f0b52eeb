public import DeltaEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sixteen bytes, which are all that `==` compares.
extension UUID: BitwiseIdentity {}

extension UUID: SelfIdentifying {}
