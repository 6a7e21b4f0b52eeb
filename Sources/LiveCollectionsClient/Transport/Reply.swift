/// An answer of the service, read; and as it came, for those who count or pass on its bytes.
public struct Reply<Value: Sendable>: Sendable {
  /// What the answer says.
  public var value: Value
  /// The answer itself.
  public var answer: ClientResponse

  /// Puts both together.
  public init(_ value: Value, _ answer: ClientResponse) {
    self.value = value
    self.answer = answer
  }
}
