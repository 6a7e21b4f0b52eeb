/// A decoded answer together with the response.
public struct ClientReply<Value: Sendable>: Sendable {
  /// The decoded answer.
  public var value: Value
  /// The response as received.
  public var answer: ClientResponse

  /// Creates a reply.
  public init(_ value: Value, _ answer: ClientResponse) {
    self.value = value
    self.answer = answer
  }
}
