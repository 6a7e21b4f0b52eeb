import DeltaEngine
import DifferenceKit
import Foundation
import LiveCollections
import Workloads

/// Prints a table of ours beside DifferenceKit's, by turns: `beside-differencekit [--big] [NAME]`.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let table = Table(filter: arguments.first { !$0.hasPrefix("-") } ?? "")
    print("| workload | DifferenceKit, ms | update | Delta | .promised |")
    print("|---|---:|---:|---:|---:|")
    let isBig = arguments.contains("--big")
    for count in isBig ? [10_000, 100_000] : [10_000] { try table.rows(count) }
    for sections in isBig ? [100, 1_000] : [100] { try table.rows(sections: sections) }
  }
}

/// One workload a row: times of ours, and how many of them DifferenceKit takes.
struct Table {
  let filter: String
  let runCount = 33
  /// The order of the engines in the first run, all one up in the next: each is first as often, and as
  /// often right after each other one (Williams, *Experimental Designs Balanced for the Estimation of
  /// Residual Effects of Treatments*, 1949).
  private static let turns = [0, 1, 3, 2]

  func rows(_ count: Int) throws {
    let uniqueIDCount = count == 10_000 ? 5_000 : count
    try row("unique ids \(uniqueIDCount)", count) {
      blocksOfUniqueIDs(count: uniqueIDCount, seed: $0)
    }
    for workload in FlatWorkload.allCases {
      try row("int \(workload) \(count)", count) { workload.versions(count: count, seed: $0) }
      try row("string \(workload) \(count)", count) {
        workload.stringVersions(count: count, seed: $0)
      }
      try row("custom \(workload) \(count)", count) {
        workload.customVersions(count: count, seed: $0)
      }
      try row("interned \(workload) \(count)", count) {
        workload.internedVersions(count: count, seed: $0)
      }
    }
  }

  func row<Element: UniquelyIdentifiable & Differentiable & Sendable>(
    _ name: String, _ count: Int, _ make: (UInt64) -> Versions<Element>
  ) throws where Element.RawType == Element {
    guard filter.isEmpty || name.contains(filter) else { return }
    try measure(name, (1...(count > 10_000 ? 6 : 16)).map { make($0) }) { versions in
      let (old, new) = (versions.old, versions.new)
      let data = CollectionData<Element>()
      try data.updateNow(old)
      return engines(
        theirs: { StagedChangeset(source: old, target: new).count },
        update: { try data.updateNow(new) },
        delta: { try Delta(fromItems: old, toItems: new, uniqueness: $0) })
    }
  }

  func rows(sections count: Int) throws {
    for workload in SectionedWorkload.allCases {
      let name = "sectioned \(workload) \(count)x100"
      guard filter.isEmpty || name.contains(filter) else { continue }
      let cases = (1...(count > 100 ? 6 : 16)).map {
        workload.versions(sectionCount: count, seed: $0)
      }
      try measure(name, cases) { versions in
        let (old, new) = (versions.old, versions.new)
        let (theirOld, theirNew) = (theirs(old), theirs(new))
        let data = CollectionSectionData<ItemSection>()
        try data.updateNow(old)
        return engines(
          theirs: { StagedChangeset(source: theirOld, target: theirNew).count },
          update: { try data.updateNow(new) },
          delta: { try Delta(from: old, to: new, uniqueness: $0) })
      }
    }
  }

  private func theirs(_ sections: [ItemSection]) -> [ArraySection<Int, Workloads.Item>] {
    sections.map { ArraySection(model: $0.id, elements: $0.items) }
  }

  /// The engines of a row, in the order of its columns.
  private func engines(
    theirs: @escaping () -> Int, update: @escaping () throws -> Delta,
    delta: @escaping (Uniqueness) throws -> Delta
  ) -> [() throws -> Int] {
    [
      theirs, { try update().steps.count }, { try delta(.checked).steps.count },
      { try delta(.promised).steps.count },
    ]
  }

  /// Runs the engines by turns over the data sets in rotation.
  private func measure<Case>(
    _ name: String, _ cases: [Case], _ engines: (Case) throws -> [() throws -> Int]
  ) throws {
    var times: [[Double]] = []
    for run in -2..<runCount {
      let engines = try engines(cases[(run + 2) % cases.count])
      // What ran before leaves more or less of the lists in the caches.
      var taken = engines.map { _ in 0.0 }
      for turn in Self.turns {
        let number = (turn + run + 2) % engines.count
        let start = processorMilliseconds
        _ = try engines[number]()
        taken[number] = processorMilliseconds - start
      }
      if run >= 0 { times.append(taken) }
    }
    let medians = times[0].indices.map { engine in
      times.map { $0[engine] }.sorted()[times.count / 2]
    }
    let ours = medians.dropFirst().map {
      String(format: "%.4f (%.1f)", $0, medians[0] / $0)
    }
    print("| \(name) | \(String(format: "%.3f", medians[0])) | \(ours.joined(separator: " | ")) |")
  }
}

/// What this thread has taken of the processor, which other programs do not change.
private var processorMilliseconds: Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

extension UUID: @retroactive Differentiable {}
extension Int: @retroactive Differentiable {}

extension Workloads.Item: Differentiable {
  public var differenceIdentifier: Int { id }
  public func isContentEqual(to source: Self) -> Bool { content == source.content }
}

extension StringItem: Differentiable {
  public var differenceIdentifier: String { id }
  public func isContentEqual(to source: Self) -> Bool { content == source.content }
}

extension CustomItem: Differentiable {
  public var differenceIdentifier: CustomID { id }
  public func isContentEqual(to source: Self) -> Bool { content == source.content }
}

extension InternedItem: Differentiable {
  public var differenceIdentifier: UInt32 { id }
  public func isContentEqual(to source: Self) -> Bool { content == source.content }
}
