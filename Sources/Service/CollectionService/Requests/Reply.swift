/// Where an answer goes; only the driver of a machine calls it.
struct Reply<Value: Sendable>: Sendable {
  private let receive: @Sendable (Value) -> Void

  init(_ receive: @escaping @Sendable (Value) -> Void) { self.receive = receive }

  /// The message that gives this answer.
  func callAsFunction(_ value: Value) -> Message { Message { [receive] in receive(value) } }
}

/// An answer and where it goes.
struct Message: Sendable {
  /// Gives the answer; called once.
  let deliver: @Sendable () -> Void
}
