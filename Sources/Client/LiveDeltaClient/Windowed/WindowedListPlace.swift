/// Where a ``WindowedList`` begins.
public enum WindowedListStart: Hashable, Sendable {
  /// At its first row.
  case start
  /// At its last row.
  case end
  /// At the row with this index.
  case row(Int)
  /// At an item; near where it was, if it is gone.
  case item(ReplicaID)
}

/// An end of a list.
public enum WindowedListEdge: Hashable, Sendable {
  /// Before the first row.
  case start
  /// Behind the last row.
  case end
}
