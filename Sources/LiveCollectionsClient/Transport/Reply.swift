/// An answer of the service: its value, and its bytes.
public struct Reply<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The answer as it was received.
  public var answer: ClientResponse

  /// An answer with its value.
  public init(_ value: Value, _ answer: ClientResponse) {
    self.value = value
    self.answer = answer
  }
}
