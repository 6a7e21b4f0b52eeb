import Glibc

// simulate FIRST LAST [SECONDS]: runs seeds, and tells the shortest plan of each that breaks a law.
// --theme NAME has all users do one thing: races or views.
// --trace prints all that happens, and what happens in the shortest plan; --first ends at the first such seed, --no-shrinking does not look for plans.
let numbers = CommandLine.arguments.compactMap { Int($0) }
let isTraced = CommandLine.arguments.contains("--trace")
guard numbers.count >= 2 else {
  print("usage: simulate FIRST LAST [SECONDS] [--theme T] [--trace] [--first] [--no-shrinking]")
  exit(64)
}
let theme = CommandLine.arguments.firstIndex(of: "--theme").flatMap {
  CommandLine.arguments.dropFirst($0 + 1).first.flatMap(Plan.Theme.init)
}
guard (theme == nil) == !CommandLine.arguments.contains("--theme") else {
  print("the themes: \(Plan.Theme.allCases.map(\.rawValue).joined(separator: ", "))")
  exit(64)
}
let seconds = numbers.count > 2 ? numbers[2] : 60
let clock = ContinuousClock()
let start = clock.now
var (failures, events, commits) = (0, 0, 0)
// Of all seeds together.
var hash: UInt64 = 0
for seed in numbers[0]...numbers[1] {
  let outcome = Simulation.run(
    Plan(seed: UInt64(seed), seconds: seconds, theme: theme), keepsTrace: isTraced)
  if isTraced { for line in outcome.trace { print(line) } }
  hash = hash &* 31 &+ outcome.hash
  events += outcome.eventCount
  commits += outcome.commitCount
  guard let violation = outcome.violation else { continue }
  failures += 1
  print("seed \(seed): \(violation)")
  fflush(nil)
  if CommandLine.arguments.contains("--first") { exit(1) }
  if CommandLine.arguments.contains("--no-shrinking") { continue }
  let shortest = Shrinking.shortest(of: outcome.plan)
  let last = Simulation.run(shortest, keepsTrace: isTraced)
  for line in last.trace { print(line) }
  print("  \(last.violation ?? "")\n  #expect(Simulation.run(\(shortest.text)).violation == nil)")
  fflush(nil)
}
let took = (clock.now - start) / .seconds(1)
let count = numbers[1] - numbers[0] + 1
print(
  "\(count) seeds, \(failures) broken, \(events) events, \(commits) commits in \(Int(took * 1000)) ms: "
    + "\(Int(Double(count * (seconds + 12)) / took)) times real time, hash \(String(hash, radix: 16))"
)
exit(failures == 0 ? 0 : 1)
