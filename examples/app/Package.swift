// swift-tools-version: 6.2
import PackageDescription

// An app that uses the libraries alone: nothing is fetched but LiveDelta itself. The same
// sources are built twice, isolated to the main actor, as new Xcode projects are, and not. The view
// in lines of text, which takes the place of a screen here, is a product for tests.
let libraries: [Target.Dependency] = [
  .product(name: "LiveCollections", package: "LiveDelta"),
  .product(name: "LiveCollectionsTesting", package: "LiveDelta"),
  .product(name: "LiveDeltaClient", package: "LiveDelta"),
]

let package = Package(
  name: "Movies",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(name: "LiveDelta", path: "../..")],
  targets: [
    .executableTarget(
      name: "Movies", dependencies: libraries,
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "MoviesNonisolated", dependencies: libraries),
  ]
)
