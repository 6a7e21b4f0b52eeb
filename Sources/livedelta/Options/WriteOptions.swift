import ArgumentParser
import LiveDeltaClient

/// The option that makes a write conditional.
struct PreconditionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write only if this is the newest version.", valueName: "version"))
  var ifVersion: String?

  @OptionGroup var idempotency: IdempotencyOptions

  /// The corresponding request fields.
  var fields: [HeaderField] {
    (ifVersion.map { [HeaderField("Collection-If-Version", $0)] } ?? []) + idempotency.fields
  }
}

/// The option that identifies a write.
struct IdempotencyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write at most once with this key. (default: a random one)",
      valueName: "key"))
  var idempotencyKey: String?

  /// The corresponding request field.
  var fields: [HeaderField] {
    idempotencyKey.map { [HeaderField("Idempotency-Key", $0)] } ?? []
  }
}
