// swift-tools-version: 6.2
import PackageDescription

// The service beside what people do today. The peer needs dependencies that the project does not:
// hence a package of its own. See README.md.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "ServiceBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1")
  ],
  targets: [
    .executableTarget(
      name: "service-hummingbird",
      dependencies: [.product(name: "Hummingbird", package: "hummingbird")], swiftSettings: settings
    ),
    .target(name: "CSimdDOM", linkerSettings: [.linkedLibrary("simdjson")]),
    .executableTarget(
      name: "service-benchmark", dependencies: ["CSimdDOM"], swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)
