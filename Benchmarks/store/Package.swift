// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "store-benchmarks",
  dependencies: [.package(name: "LiveDelta", path: "../..")],
  targets: [
    .executableTarget(
      name: "store-table",
      dependencies: [.product(name: "StoreSQLite", package: "LiveDelta")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ],
  cxxLanguageStandard: .cxx17
)
