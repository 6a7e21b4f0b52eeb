// swift-tools-version: 6.2
import PackageDescription

// What Tests/TestScript/check runs scripts/test on.
let package = Package(name: "Outcomes", targets: [.testTarget(name: "OutcomeTests")])
