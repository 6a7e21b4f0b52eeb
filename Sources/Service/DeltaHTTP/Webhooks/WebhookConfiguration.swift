package import Authentication
package import Telemetry

/// Where changes are pushed to.
package struct WebhookConfiguration: Sendable {
  /// Sends a POST with these fields and this body; returns `nil` if there is no answer in time.
  package typealias Post =
    @Sendable (_ fields: [(name: String, value: String)], _ body: [UInt8]) async -> PostAnswer?

  package var post: Post
  /// Each delivery has a signature by each of them.
  package var secrets: [WebhookSecret]
  /// Returns the position that was saved last; `nil` if none was.
  package var load: @Sendable () -> String?
  /// Saves the position up to which everything was delivered.
  package var save: @Sendable (String) throws -> Void

  /// Creates a configuration; by default the position is not saved.
  package init(
    secrets: [WebhookSecret], load: @escaping @Sendable () -> String? = { nil },
    save: @escaping @Sendable (String) throws -> Void = { _ in }, post: @escaping Post
  ) {
    self.post = post
    self.secrets = secrets
    self.load = load
    self.save = save
  }
}
