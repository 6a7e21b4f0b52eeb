// Names of before that are too common; they go with the next version.

/// A part of a list, and the start of the next one.
@available(*, deprecated, renamed: "ListPage")
public typealias Page = ListPage

/// A list view that writes each change as a line of text.
@available(*, deprecated, renamed: "ReplicaTextView")
public typealias TextView = ReplicaTextView
