// Names of before that are too common; they go with the next version.

/// The version that a delta starts from.
@available(*, deprecated, renamed: "SourceSpace")
public typealias Source = SourceSpace

/// The version that a delta ends at.
@available(*, deprecated, renamed: "TargetSpace")
public typealias Target = TargetSpace

/// The list immediately before a step.
@available(*, deprecated, renamed: "BeforeSpace")
public typealias Before = BeforeSpace

/// The list immediately after a step.
@available(*, deprecated, renamed: "AfterSpace")
public typealias After = AfterSpace
