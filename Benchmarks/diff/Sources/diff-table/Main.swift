import DeltaEngine
import Workloads

/// Prints the table: `diff-table [--big] [--growth] [NAME]`.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let filter = arguments.first { !$0.hasPrefix("-") } ?? ""
    for mode in Mode.allCases { try run(Table(filter: filter, mode: mode), arguments) }
  }

  static func run(_ table: Table, _ arguments: some Collection<String>) throws {
    table.printHead()
    let isBig = arguments.contains("--big")
    if arguments.contains("--growth") {
      for count in [1_000, 10_000, 100_000, 1_000_000] { try flat(table, count) }
      return
    }
    for count in isBig ? [10_000, 100_000] : [10_000] {
      try uniqueIDs(table, count == 10_000 ? 5_000 : count)
      try flat(table, count)
      try otherIdentities(table, count)
    }
    for sections in isBig ? [100, 1_000] : [100] { try sectioned(table, sections) }
  }

  /// Sixteen data sets of each workload in rotation: one alone would train the branch predictor.
  static let seeds = (1...16).map { UInt64($0) }

  static func uniqueIDs(_ table: Table, _ count: Int) throws {
    try table.row("unique ids \(count)") {
      seeds.map { blocksOfUniqueIDs(count: count, seed: $0) }
    }
  }

  static func flat(_ table: Table, _ count: Int) throws {
    for workload in FlatWorkload.allCases {
      try table.row("int \(workload) \(count)") {
        seeds.map { workload.versions(count: count, seed: $0) }
      }
    }
  }

  static func otherIdentities(_ table: Table, _ count: Int) throws {
    for workload in FlatWorkload.allCases {
      try table.row("interned \(workload) \(count)") {
        seeds.map { workload.internedVersions(count: count, seed: $0) }
      }
      try table.row("string \(workload) \(count)") {
        seeds.map { workload.stringVersions(count: count, seed: $0) }
      }
      try table.row("custom \(workload) \(count)") {
        seeds.map { workload.customVersions(count: count, seed: $0) }
      }
    }
  }

  static func sectioned(_ table: Table, _ count: Int) throws {
    for workload in SectionedWorkload.allCases {
      try table.row(
        "sectioned \(workload) \(count)x100",
        sections: {
          seeds.map { workload.versions(sectionCount: count, seed: $0) }
        })
    }
  }
}
