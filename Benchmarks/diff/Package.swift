// swift-tools-version: 6.2
import PackageDescription

let libraries: [Target.Dependency] = [
  .product(name: "DeltaEngine", package: "LiveDelta"),
  .product(name: "LiveCollections", package: "LiveDelta"),
]

let package = Package(
  name: "DiffBenchmarks",
  dependencies: [
    .package(name: "LiveDelta", path: "../.."),
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
  ],
  targets: [
    // What is measured: the lists, each told in words at its case.
    .target(name: "Workloads", dependencies: libraries),
    // Counts what the process allocates, by standing before the C library's malloc.
    .target(name: "CAllocationCount"),
    // One table: times beside the standard library's, operations beside the least, memory.
    .executableTarget(
      name: "diff-table",
      dependencies: ["Workloads", "CAllocationCount"] + libraries),
    // The same workloads under `swift package benchmark`, for comparing commits.
    .executableTarget(
      name: "DeltaEngineBenchmarks",
      dependencies: ["Workloads", .product(name: "Benchmark", package: "benchmark")] + libraries,
      path: "Benchmarks/DeltaEngine",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
)

// DIFFERENCEKIT names a checkout of DifferenceKit 1.3, to measure beside: its sources are not part of
// this repository.
if let path = Context.environment["DIFFERENCEKIT"] {
  package.dependencies.append(.package(name: "DifferenceKit", path: path))
  package.targets.append(
    .executableTarget(
      name: "beside-differencekit",
      dependencies: ["Workloads", .product(name: "DifferenceKit", package: "DifferenceKit")]
        + libraries))
}
