import DeltaHTTP
import Foundation
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@testable import livedelta

@Suite(.timeLimit(.minutes(10))) struct SettingsTests {
  @Test func `the file in config shows every setting with its default`() async throws {
    let shown = try await Program.run("serve", "--show-config")
    let file = try String(
      contentsOf: Program.root.appending(path: "config/livedelta.json"), encoding: .utf8)
    #expect(shown.output == file)
  }

  /// The limits that cannot be set; docs/limits.md has them.
  private static let fixed: Set = [
    "animationThresholdMax", "animationsBytesMax", "bodyBytesPerSecondMin", "bodySeconds",
    "chunkExtensionBytesMax", "dataCountAnimationThreshold", "deltaCountAnimationThreshold",
    "discardBytesMax", "headerSeconds", "idempotencyKeysMax", "idempotencySeconds",
    "inlineBodyBytesMax", "lingerBytesMax", "lingerSeconds", "listenBacklog", "outputBytesMax",
    "parsedBytesMax", "patchStepsMax", "pipelineDepthMax", "requestsPerConnectionMax",
    "retentionBytesMax", "retentionSecondsMax", "retentionVersionsMax", "settingsListMax",
    "settingsPointerBytesMax", "settingsPointerTokensMax", "stallSeconds", "streamBytesMax",
    "syncBytesMax", "trailerBytesMax", "writeSeconds",
  ]

  @Test func `every limit of every module is a setting, or said to be fixed`() throws {
    let names = Self.fixed.union(
      Setting.all.map { $0.name.split(separator: ".").last.map(String.init) ?? $0.name })
    let places: [String: String] = [
      "readStaleness": "readStalenessSeconds", "seconds": "secondsMax", "shardCount": "shards",
      "loops": "eventLoops",
    ]
    let configuration = DeltaServerConfiguration()
    let limits: [Any] = [
      configuration.serverLimits, configuration.serverLimits.request, configuration.serviceLimits,
      configuration.serviceLimits.retention,
    ]
    for child in limits.flatMap({ Mirror(reflecting: $0).children }) {
      guard let label = child.label, child.value is any BinaryInteger || child.value is Duration
      else { continue }
      let name = places[label] ?? label.replacingOccurrences(of: "Timeout", with: "Seconds")
      #expect(names.contains(name), "\(label) is no setting")
    }
  }

  @Test func `a configuration is checked without serving it`() async throws {
    let files = try TemporaryFiles()
    let good = try files.add(#"{"data":"\#(files.path)/data","limits":{"itemsMax":7}}"#)
    let valid = try await Program.run("serve", "--check-config", "--config", good)
    #expect(valid.status == 0)
    #expect(valid.output == "the configuration is valid\n")
    #expect(!FileManager.default.fileExists(atPath: files.path + "/data"))
    let bad = [
      #"{"limits":{"itemMax":7}}"#: "limits.itemsMax", #"{"durability":"half"}"#: "full, normal",
      #"{"auth":{"keysFile":"/nonexistent"}}"#: "/nonexistent",
      #"{"listen":["0.0.0.0:80"]}"#: "0.0.0.0:80", #"{"cors":{"origins":["a"]}}"#: "cors.origins",
    ]
    for (text, fault) in bad {
      let outcome = try await Program.run(
        "serve", "--check-config", "--config", try files.add(text))
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains(fault), "\(outcome.errors)")
    }
  }

  @Test func `a flag wins over the environment, that over the file, that over the default`()
    async throws
  {
    let file = try temporary(#"{"ops":"127.0.0.1:1","listen":["127.0.0.1:1"],"data":"file"}"#)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = try await Program.run(
      "serve", "--show-config", "--config", file.path, "--listen", "127.0.0.1:3",
      environment: ["LIVEDELTA_LISTEN": "127.0.0.1:2", "LIVEDELTA_OPS": "127.0.0.1:2"])
    let shown = JSONTree(Array(outcome.output.utf8))
    #expect(shown["listen"].description == #"["127.0.0.1:3"]"#)
    #expect(shown["ops"].string == "127.0.0.1:2")
    #expect(shown["data"].string == "file")
    #expect(shown["limits"]["itemsMax"].int == 100_000)
  }

  @Test func `the environment takes lists, numbers and the file's name`() async throws {
    let file = try temporary(#"{"limits":{"itemsMax":7,"depthMax":8}}"#)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = try await Program.run(
      "serve", "--show-config",
      environment: [
        "LIVEDELTA_LISTEN": "127.0.0.1:1,unix:/x", "LIVEDELTA_LIMITS_DEPTH_MAX": "9",
        "LIVEDELTA_CONFIG": file.path,
      ])
    let shown = JSONTree(Array(outcome.output.utf8))
    #expect(shown["listen"].description == #"["127.0.0.1:1","unix:/x"]"#)
    #expect(shown["limits"]["itemsMax"].int == 7)
    #expect(shown["limits"]["depthMax"].int == 9)
  }

  @Test(arguments: [
    (#"{"limits":{"itemMax":7}}"#, "limits.itemMax"), (#"{"lsten":[]}"#, "lsten"),
    (#"{"limits":{"itemsMax":"many"}}"#, "limits.itemsMax"),
    (#"{"limits":{"itemsMax":-1}}"#, "limits.itemsMax"),
    (#"{"limits":{"depthMax":1000}}"#, "limits.depthMax"),
    (#"{"limits":{"headerBytesMax":131072}}"#, "limits.headerBytesMax"),
    (#"{"limits":{"headerBytesMax":60000}}"#, "together they are at most 64999"),
    (#"{"limits":{"targetBytesMax":64000}}"#, "together they are at most 64999"),
    (#"{"limits":{"fieldsMax":0}}"#, "from 1 to 16000"),
    (#"{"limits":{"bodyBytesMax":200000000}}"#, "limits.bufferedBytesMax"),
    (#"{"limits":7}"#, "limits"), (#"{"listen":[7]}"#, "listen"),
    (#"{"listen":{}}"#, "listen is not a list"),
    (#"{"limitz":{}}"#, "limitz"), (#"{"limits":{"itemsMax":{}}}"#, "limits.itemsMax"),
    (#"{"ops":"unix:/a","ops":"unix:/b"}"#, ".json:1:24: ops is given twice"),
    (#"{"limits":{"itemsMax":1},"limits.itemsMax":2}"#, "limits.itemsMax is given twice"),
    (#"{"log":{"level":"loud"}}"#, "log.level"), (#"{"ops":"#, ".json:1:8: not JSON"),
  ])
  func `a file with a wrong name or value is refused and the fault named`(
    text: String, fault: String
  ) async throws {
    let file = try temporary(text)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = try await Program.run("serve", "--config", file.path)
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains(fault))
  }

  /// Each of these has the password `S3cret`.
  private static let locations = [
    "postgres://user:S3cret@db1:5432/livedelta", "postgresql://u:S3cret@a:1,b:2/d?sslmode=require",
    "postgres://u:p@S3cret@db1/d", "postgres://u:p/S3cret@db1/d", "postgres://u:p?S3cret@db1/d",
    "postgres://u:S3cret%40x@db1/d", "postgres://db1/d?password=S3cret&user=u",
    "postgres://db1/d?user=u&sslpassword=S3cret", "postgres://db1/d?p%61ssword=S3cret",
    "postgres://u:S3cret@/d?host=/run", "host=db1 password=S3cret user=u",
    "host=db1 password = 'my S3cret'", "sslpassword=S3cret",
  ]

  @Test(arguments: locations)
  func `a password in a setting is never shown`(location: String) async throws {
    let environment = ["LIVEDELTA_DATA": location, "LIVEDELTA_DATABASE_NOTICES": location]
    let jwks = #"{"jwks":"https://u:S3cret@auth.example/keys"}"#
    let file = try temporary(
      #"{"auth":\#(jwks),"database":{"notices":"\#(location)"}}"#)
    defer { try? FileManager.default.removeItem(at: file) }
    var outcomes = [
      try await Program.run("serve", "--show-config", environment: environment),
      try await Program.run("serve", "--show-config", "--data", location, "--config", file.path),
    ]
    for outcome in outcomes {
      #expect(outcome.status == 0)
      let shown = JSONTree(Array(outcome.output.utf8))
      #expect(shown["data"].string?.contains("***") == true, "\(outcome.output)")
      #expect(shown["database"]["notices"].string?.contains("***") == true)
    }
    outcomes.append(try await Program.run("migrate", environment: environment))
    outcomes.append(try await Program.run("copy", "--from", location, "--to", "/dev/null/x"))
    outcomes.append(try await Program.run("copy", "--from", "/", "--to", location))
    for outcome in outcomes {
      #expect(!(outcome.output + outcome.errors).contains("S3cret"), "\(outcome)")
    }
  }

  @Test func `a token is in no settings that are shown`() async throws {
    let shown = try await Program.run(
      "serve", "--show-config", environment: ["LIVEDELTA_TOKEN": "ld_hidden"])
    #expect(shown.status == 0)
    #expect(!shown.output.contains("ld_hidden") && !shown.errors.contains("ld_hidden"))
  }

  @Test func `a location without a password is shown as it is`() async throws {
    for location in [
      "postgres://user@db1:5432/livedelta?passfile=/run/pass", "postgres:///d?host=/run", "a=b",
      "data@home", "host=db1 dbname=x",
    ] {
      let outcome = try await Program.run("serve", "--show-config", "--data", location)
      #expect(JSONTree(Array(outcome.output.utf8))["data"].string == location)
    }
  }

  @Test func `a wrong value in the environment is refused and named`() async throws {
    let outcome = try await Program.run(
      "serve", environment: ["LIVEDELTA_LIMITS_ITEMS_MAX": "many"])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("LIVEDELTA_LIMITS_ITEMS_MAX"))
  }

  private func temporary(_ text: String) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try Data(text.utf8).write(to: file)
    return file
  }
}
