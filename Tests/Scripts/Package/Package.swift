// swift-tools-version: 6.2
import PackageDescription

// What Tests/Scripts/outcomes runs scripts/test on.
let package = Package(name: "Outcomes", targets: [.testTarget(name: "OutcomeTests")])
