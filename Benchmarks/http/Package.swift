// swift-tools-version: 6.2
import PackageDescription

// What is measured beside the project needs dependencies that the project does not: hence a package
// of its own. See README.md.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "HTTPBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "LiveDelta", path: "../..", traits: ["Server"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1"),
    .package(url: "https://github.com/swhitty/FlyingFox.git", exact: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "http-ours", dependencies: [.product(name: "SocketServer", package: "LiveDelta")],
      swiftSettings: settings),
    .executableTarget(
      name: "http-hummingbird",
      dependencies: [.product(name: "Hummingbird", package: "hummingbird")], swiftSettings: settings
    ),
    .executableTarget(
      name: "http-flyingfox", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: settings),
    .executableTarget(name: "http-epoll"),
    .executableTarget(name: "http-benchmark", swiftSettings: settings),
  ]
)
