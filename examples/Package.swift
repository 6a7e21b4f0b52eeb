// swift-tools-version: 6.2
import PackageDescription

// The scenarios as a program. Their tests are run by the package above, which compiles the same
// sources for its test target only.
let package = Package(
  name: "LiveCollectionsExamples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "LiveDelta", path: "..")],
  targets: [
    .target(
      name: "LiveCollectionsScenarios",
      dependencies: [
        .product(name: "LiveCollections", package: "LiveDelta"),
        .product(name: "LiveCollectionsTesting", package: "LiveDelta"),
        .product(name: "DeltaEngine", package: "LiveDelta"),
      ],
      path: "scenarios", exclude: ["Tests"],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
    .executableTarget(
      name: "livecollections-examples", dependencies: ["LiveCollectionsScenarios"],
      path: "livecollections-examples"),
  ]
)
