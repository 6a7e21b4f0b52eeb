import Benchmark
import DeltaEngine
import Workloads

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 3, maxDuration: .seconds(2))

  for count in [1_000, 10_000, 100_000] {
    for workload in FlatWorkload.allCases {
      let cases = (1...16).map { workload.versions(count: count, seed: UInt64($0)) }
      Benchmark("flat \(workload) \(count)") { benchmark in
        for run in benchmark.scaledIterations {
          let versions = cases[run % cases.count]
          blackHole(
            try Delta(fromItems: versions.old, toItems: versions.new, uniqueness: .promised))
        }
      }
    }
  }

  for count in [100, 1_000] {
    for workload in SectionedWorkload.allCases {
      let cases = (1...16).map { workload.versions(sectionCount: count, seed: UInt64($0)) }
      Benchmark("sectioned \(workload) \(count)x100") { benchmark in
        for run in benchmark.scaledIterations {
          let versions = cases[run % cases.count]
          blackHole(try Delta(from: versions.old, to: versions.new, uniqueness: .promised))
        }
      }
    }
  }
}
