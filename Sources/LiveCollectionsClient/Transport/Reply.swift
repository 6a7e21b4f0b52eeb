/// An answer of the service, read; and as it came, for those who count or pass on its bytes.
public struct Reply<Value: Sendable>: Sendable {
  /// What the answer says.
  public var value: Value
  /// The answer itself.
  public var answer: HTTPAnswer

  /// Puts both together.
  public init(_ value: Value, _ answer: HTTPAnswer) {
    self.value = value
    self.answer = answer
  }
}
