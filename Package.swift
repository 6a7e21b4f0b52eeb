// swift-tools-version: 6.2
import PackageDescription

// Our own scripts take a warning for an error. A package that uses the libraries does not get these
// settings: it suppresses their warnings, and the compiler takes the one or the other.
let warnings: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == "1"
  ? [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)] : []

// One array of settings for every Swift target.
let settings: [SwiftSetting] =
  warnings + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]

// These modules say `unsafe` wherever they leave memory safety.
let strictSettings: [SwiftSetting] = settings + [.strictMemorySafety()]

// Our own scripts optimise the modules whose tests compute the most, in debug builds alone; every check stays.
let optimized: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == "1"
  ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

// What only the service needs: an app fetches and builds none of it, with any version of Xcode. Here it
// is built with `--traits Server`, or where WARNINGS_AS_ERRORS=1 says that a build is our own.
let standardTraits: Set<String> =
  Context.environment["WARNINGS_AS_ERRORS"] == "1" ? ["Server"] : []
let server = TargetDependencyCondition.when(traits: ["Server"])

let log = Target.Dependency.product(name: "Logging", package: "swift-log", condition: server)

let queues: [Target.Dependency] = [
  .product(name: "DequeModule", package: "swift-collections", condition: server),
  .product(name: "HeapModule", package: "swift-collections", condition: server),
]

let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

let sqlite: [Target.Dependency] = [
  .product(name: "GRDB", package: "GRDB.swift", condition: server),
  .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server),
]

let package = Package(
  name: "LiveDelta",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "DeltaEngine", targets: ["DeltaEngine"]),
    .library(name: "LiveCollections", targets: ["LiveCollections"]),
    .library(name: "LiveCollectionsTesting", targets: ["LiveCollectionsTesting"]),
    .library(name: "LiveDeltaClient", targets: ["LiveDeltaClient", "LiveDeltaURLSession"]),
    .library(name: "LiveDeltaAdmin", targets: ["LiveDeltaAdmin"]),
    .library(name: "LiveDeltaCurl", targets: ["LiveDeltaClient", "LiveDeltaCurl"]),
    .library(name: "StoreSQLite", targets: ["StoreSQLite", "CollectionService"]),
    .library(name: "SocketServer", targets: ["SocketServer", "HTTP1"]),
    .executable(name: "livedelta", targets: ["livedelta"]),
  ],
  traits: [
    .default(enabledTraits: standardTraits),
    .trait(name: "Server", description: "The service, its store and its command line."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    // For tests alone: a package that uses the libraries does not fetch what only tests need.
    .package(
      url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-system.git", from: "1.5.0"),
  ],
  targets: [
    // 0 system: module maps and thin shims
    .target(
      name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CXXHash"),
    .target(name: "CWebFiles"),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CEpoll"),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CPostgres"),

    // 1 pure
    .target(name: "DeltaEngine", swiftSettings: strictSettings + optimized),
    .target(name: "Cryptography", dependencies: ["CCrypto"], swiftSettings: strictSettings),

    // 2 core
    .target(
      name: "LiveCollections", dependencies: ["DeltaEngine"], swiftSettings: strictSettings),
    .target(name: "HTTP1", swiftSettings: strictSettings),

    // 3 middle
    .target(
      name: "SnapshotJSON",
      dependencies: [
        "DeltaEngine", .target(name: "CXXHash", condition: server),
        .target(name: "CSimdJSON", condition: server),
      ],
      swiftSettings: strictSettings + optimized),
    .target(
      name: "Authentication",
      dependencies: ["Cryptography", "DeltaEngine", "SnapshotJSON"] + queues,
      swiftSettings: strictSettings),
    .target(
      name: "Telemetry", dependencies: ["SnapshotJSON"], swiftSettings: strictSettings),
    .target(
      name: "SocketServer", dependencies: ["HTTP1", "CEpoll"], swiftSettings: strictSettings),
    .target(
      name: "VersionedCollections",
      dependencies: ["LiveCollections", "DeltaEngine", "SnapshotJSON", "Cryptography"],
      swiftSettings: strictSettings),
    .target(
      name: "CollectionService",
      dependencies: [
        "VersionedCollections", "LiveCollections", "DeltaEngine", "SnapshotJSON",
      ] + queues,
      swiftSettings: strictSettings),

    // 4 edges
    .target(
      name: "DeltaHTTP",
      dependencies: [
        "Authentication", "CollectionService", "VersionedCollections", "DeltaEngine",
        "SnapshotJSON", "HTTP1", "SocketServer", "Telemetry", "CZlib", "CWebFiles", "Cryptography",
        log,
      ],
      swiftSettings: strictSettings),
    .target(
      name: "StoreSQLite", dependencies: ["VersionedCollections"] + sqlite, swiftSettings: settings),
    .target(
      name: "StorePostgres", dependencies: ["VersionedCollections", "CPostgres"],
      swiftSettings: settings),
    .target(
      name: "LiveDeltaClient", dependencies: ["LiveCollections", "DeltaEngine", "SnapshotJSON"],
      swiftSettings: settings),
    // What the tests of apps use.
    .target(
      name: "LiveCollectionsTesting", dependencies: ["LiveCollections", "DeltaEngine"],
      swiftSettings: settings),
    .target(
      name: "LiveDeltaAdmin",
      dependencies: ["LiveDeltaClient", "LiveCollections", "DeltaEngine", "SnapshotJSON"],
      swiftSettings: settings),
    .target(
      name: "LiveDeltaCurl", dependencies: ["LiveDeltaClient", "DeltaEngine", "CCurl"],
      swiftSettings: settings),
    .target(
      name: "LiveDeltaURLSession", dependencies: ["LiveDeltaClient", "DeltaEngine"],
      swiftSettings: settings),

    // 5 program
    .executableTarget(
      name: "livedelta",
      dependencies: [
        "Authentication", "CollectionService", "VersionedCollections", "DeltaHTTP", "SocketServer",
        "HTTP1", "Telemetry",
        "LiveDeltaAdmin", "LiveDeltaClient", "LiveDeltaCurl", "LiveCollections", "DeltaEngine",
        "SnapshotJSON", "StoreSQLite", "StorePostgres", "CMalloc", "CZlib", log,
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: server),
      ],
      swiftSettings: settings),

    // What the tests of several modules share.
    .target(
      name: "TestSupport",
      dependencies: ["CollectionService", "VersionedCollections", "DeltaEngine", "SnapshotJSON"],
      path: "Tests/Common/TestSupport", swiftSettings: settings),
    // What makes signatures, good and forged.
    .target(
      name: "CSigning", path: "Tests/System/CSigning", linkerSettings: [.linkedLibrary("crypto")]),
    // Written and random lists, for the tests of both libraries.
    .target(
      name: "ListTestSupport", dependencies: ["LiveCollections", "DeltaEngine", "TestSupport"],
      path: "Tests/Library/ListTestSupport", swiftSettings: settings + optimized),
    .testTarget(
      name: "DeltaEngineTests", dependencies: ["DeltaEngine", "ListTestSupport", "TestSupport"],
      swiftSettings: settings + optimized),
    .testTarget(
      name: "LiveCollectionsTests",
      dependencies: [
        "LiveCollections", "LiveCollectionsTesting", "DeltaEngine", "ListTestSupport",
        "TestSupport",
      ],
      swiftSettings: settings),
    // The scenarios are a package of their own, examples/Package.swift; here they are tested.
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["LiveCollections", "LiveCollectionsTesting", "DeltaEngine"],
      path: "examples/scenarios",
      swiftSettings: settings),
    .testTarget(
      name: "AuthenticationTests",
      dependencies: ["Authentication", "Cryptography", "CSigning", "SnapshotJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TelemetryTests", dependencies: ["Telemetry", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "HTTP1Tests", dependencies: ["HTTP1"], swiftSettings: settings),
    .testTarget(
      name: "SnapshotJSONTests",
      dependencies: ["CSimdJSON", "SnapshotJSON", "DeltaEngine", "TestSupport", subprocess],
      exclude: ["Fixtures"],
      swiftSettings: settings + optimized),
    .testTarget(
      name: "SocketServerTests", dependencies: ["SocketServer", "HTTP1", "TestSupport"],
      swiftSettings: settings),
    // What the tests of routes and of the whole service share.
    .target(
      name: "HTTPTestSupport",
      dependencies: ["DeltaHTTP", "Authentication", "CZlib", "TestSupport"],
      path: "Tests/Service/HTTPTestSupport", swiftSettings: settings),
    .testTarget(
      name: "DeltaHTTPTests",
      dependencies: [
        "DeltaHTTP", "Authentication", "CollectionService", "VersionedCollections", "SocketServer",
        "HTTP1", "SnapshotJSON", "DeltaEngine", "Cryptography", "HTTPTestSupport", "TestSupport",
        log, subprocess,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VersionedCollectionsTests",
      dependencies: [
        "VersionedCollections", "LiveCollections", "DeltaEngine", "SnapshotJSON", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CollectionServiceTests",
      dependencies: [
        "CollectionService", "VersionedCollections", "DeltaEngine", "SnapshotJSON", "CMalloc",
        "TestSupport",
      ],
      swiftSettings: settings),
    .target(name: "CFaultyVFS", dependencies: sqlite, path: "Tests/System/CFaultyVFS"),
    // A store in a directory, for the tests of both stores.
    .target(
      name: "StoreTestSupport",
      dependencies: ["StoreSQLite", "VersionedCollections", "TestSupport"] + sqlite,
      path: "Tests/Service/StoreTestSupport", swiftSettings: settings),
    .testTarget(
      name: "StoreSQLiteTests",
      dependencies: [
        "StoreSQLite", "CollectionService", "VersionedCollections", "DeltaEngine", "SnapshotJSON",
        "CFaultyVFS", "StoreTestSupport", "TestSupport",
      ] + sqlite,
      swiftSettings: settings),
    .testTarget(
      name: "StorePostgresTests",
      dependencies: [
        "StorePostgres", "StoreSQLite", "CollectionService", "VersionedCollections",
        "DeltaEngine", "SnapshotJSON", "CPostgres", "StoreTestSupport", "TestSupport",
      ],
      swiftSettings: settings),
    // Follows a collection and prints what it holds, for conformance/.
    .executableTarget(
      name: "ConformanceClient",
      dependencies: ["LiveDeltaClient", "LiveDeltaCurl", "LiveDeltaURLSession"],
      path: "Tests/Client/ConformanceClient", swiftSettings: settings),
    .testTarget(
      name: "LiveDeltaClientTests",
      dependencies: [
        "LiveDeltaClient", "LiveDeltaAdmin", "LiveDeltaCurl", "LiveDeltaURLSession",
        "LiveCollections", "LiveCollectionsTesting", "DeltaEngine", "SnapshotJSON", "DeltaHTTP",
        "SocketServer", "VersionedCollections", "ListTestSupport", "TestSupport", log,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "LiveDeltaCommandTests",
      dependencies: [
        "livedelta", "Authentication", "CollectionService", "VersionedCollections", "DeltaHTTP",
        "LiveDeltaClient",
        "LiveDeltaCurl", "DeltaEngine", "SnapshotJSON", "SocketServer", "TestSupport", log,
        subprocess,
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: server),
      ],
      path: "Tests/Service/LiveDeltaCommandTests", swiftSettings: settings),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "Authentication", "DeltaHTTP", "StoreSQLite", "CollectionService", "VersionedCollections",
        "SocketServer", "HTTP1", "LiveCollections", "LiveDeltaClient", "LiveDeltaCurl",
        "LiveDeltaURLSession",
        "SnapshotJSON", "DeltaEngine", "livedelta", "Telemetry", "HTTPTestSupport", "TestSupport",
        log, subprocess,
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Integration", swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)

// AS_PROGRAM=fuzz or simulate makes a program of tests that are one for everybody else.
let asProgram = Context.environment["AS_PROGRAM"]

// The fuzz targets: a library for Fuzz/run, and for everybody else a test of the inputs that were kept.
let fuzzed: [Target.Dependency] = [
  "DeltaHTTP", "CollectionService", "VersionedCollections", "SnapshotJSON", "Telemetry", "HTTP1",
  "DeltaEngine",
]
if asProgram == "fuzz" {
  package.products.append(.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]))
  package.targets.append(
    .target(
      name: "FuzzTargets", dependencies: fuzzed, path: "Fuzz/Targets",
      exclude: ["CorpusTests.swift"], swiftSettings: settings))
} else {
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Fuzz/Targets", swiftSettings: settings))
}

// A whole cluster in one thread: a program for scripts/simulate, and for everybody else a test.
let simulated: [Target.Dependency] =
  [
    "Authentication", "DeltaHTTP", "CollectionService", "VersionedCollections", "LiveDeltaClient",
    "SnapshotJSON", "DeltaEngine", "HTTP1", "SocketServer", "StoreSQLite", "TestSupport", log,
  ] + sqlite
if asProgram == "simulate" {
  package.targets.append(
    .executableTarget(
      name: "simulate", dependencies: simulated, path: "Tests/Simulation",
      exclude: [
        "SimulationTests.swift", "HistoryTests.swift", "DiskTests.swift", "README.md", "mutants",
      ],
      swiftSettings: settings))
  // It sees what is internal, in an optimised build too. The compiler fails on others with this flag.
  for target in package.targets
  where [
    "DeltaHTTP", "CollectionService", "VersionedCollections", "LiveDeltaClient", "SocketServer",
  ].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-enable-testing"], .when(configuration: .release)))
  }
} else {
  package.targets.append(
    .testTarget(
      name: "SimulationTests", dependencies: simulated, path: "Tests/Simulation",
      exclude: ["main.swift", "README.md", "mutants"], swiftSettings: settings))
}

// The floors of the house, each over those that it may import; what is on no other is the service's.
let floors = [
  "System": [
    "CSimdJSON", "CXXHash", "CCurl", "CCrypto", "CZlib", "CEpoll", "CMalloc", "CPostgres",
    "CWebFiles",
  ],
  "Library": ["DeltaEngine", "LiveCollections", "LiveCollectionsTesting"],
  "Common": ["SnapshotJSON"],
  "Client": ["LiveDeltaClient", "LiveDeltaCurl", "LiveDeltaURLSession", "LiveDeltaAdmin"],
]
for target in package.targets where target.path == nil {
  let module = target.isTest ? String(target.name.dropLast(5)) : target.name
  let floor = floors.first { $0.value.contains(module) }?.key ?? "Service"
  target.path = "\(target.isTest ? "Tests" : "Sources")/\(floor)/\(target.name)"
}

// TESTS=DeltaEngineTests,HTTP1Tests builds and runs the tests of these targets alone.
if let names = Context.environment["TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.isTest && !names.contains($0.name) }
}
