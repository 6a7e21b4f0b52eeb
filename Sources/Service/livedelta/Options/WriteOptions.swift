import ArgumentParser
import LiveDeltaClient

struct PreconditionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write only if this is the newest version.", valueName: "version"))
  var ifVersion: String?

  @OptionGroup var idempotency: IdempotencyOptions

  var fields: [HeaderField] {
    (ifVersion.map { [HeaderField("Collection-If-Version", $0)] } ?? []) + idempotency.fields
  }
}

struct IdempotencyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write at most once with this key. (default: a random one)",
      valueName: "key"))
  var idempotencyKey: String?

  var fields: [HeaderField] {
    idempotencyKey.map { [HeaderField("Idempotency-Key", $0)] } ?? []
  }
}
