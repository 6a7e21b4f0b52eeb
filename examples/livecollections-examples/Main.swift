import LiveCollectionsScenarios

/// Plays scenarios: `livecollections-examples` lists them, `livecollections-examples 5` plays one,
/// `livecollections-examples all` plays all; a second argument is the seed.
@main @MainActor
struct Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
    guard let choice = arguments.first else { return list() }
    let chosen = Scenario.all.filter { choice == "all" || choice == "\($0.number)" }
    if chosen.isEmpty { return list() }
    for scenario in chosen { await play(scenario, seed: seed) }
  }

  private static func list() {
    print("livecollections-examples SCENARIO|all [SEED]")
    for scenario in Scenario.all {
      let number = scenario.number < 10 ? " \(scenario.number)" : "\(scenario.number)"
      print("  \(number)  \(scenario.title) (\(scenario.subject))")
    }
  }

  private static func play(_ scenario: Scenario, seed: UInt64) async {
    print("\(scenario.number). \(scenario.title)")
    let stage = Stage(seed: seed) { print($0) }
    await scenario.run(on: stage)
    for fault in stage.faults { print("fault: \(fault)") }
    print("\(stage.batchCount) batches, \(stage.faults.count) faults\n")
  }
}
