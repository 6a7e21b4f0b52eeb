// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "DiffBenchmarks",
  dependencies: [
    .package(name: "LiveDelta", path: "../.."),
    .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
  ],
  targets: [
    // What is measured: the lists, each told in words in Workloads/README.md.
    .target(
      name: "Workloads", dependencies: [.product(name: "DeltaEngine", package: "LiveDelta")]),
    // Counts what the process allocates, by standing before the C library's malloc.
    .target(name: "CAllocationCount"),
    // One table: times beside the standard library's, operations beside the least, memory.
    .executableTarget(
      name: "diff-table",
      dependencies: [
        "Workloads", "CAllocationCount", .product(name: "DeltaEngine", package: "LiveDelta"),
      ]),
    // The same workloads under `swift package benchmark`, for comparing commits.
    .executableTarget(
      name: "DeltaEngineBenchmarks",
      dependencies: [
        "Workloads", .product(name: "DeltaEngine", package: "LiveDelta"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/DeltaEngine",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
)
