public import Authentication
public import Telemetry

/// Where changes are pushed to.
public struct WebhookConfiguration: Sendable {
  /// Sends a POST with these fields and this body; returns `nil` if there is no answer in time.
  public typealias Post =
    @Sendable (_ fields: [(name: String, value: String)], _ body: [UInt8]) async -> PostAnswer?

  /// Sends a delivery.
  public var post: Post
  /// Each delivery has a signature by each of them.
  public var secrets: [WebhookSecret]
  /// Returns the position that was saved last; `nil` if none was.
  public var load: @Sendable () -> String?
  /// Saves the position up to which everything was delivered.
  public var save: @Sendable (String) throws -> Void

  /// Creates a configuration; by default the position is not saved.
  public init(
    secrets: [WebhookSecret], load: @escaping @Sendable () -> String? = { nil },
    save: @escaping @Sendable (String) throws -> Void = { _ in }, post: @escaping Post
  ) {
    self.post = post
    self.secrets = secrets
    self.load = load
    self.save = save
  }
}
