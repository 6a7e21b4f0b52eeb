import CollectionService
import HTTP1
import SocketServer
import VersionedCollections

/// The limits that belong to the server rather than the service.
struct WireLimits: Sendable {
  var server = ServerLimits()
  var indexPageDefault = 100
  var indexPageMax = 1000
}

extension PublicRoutes {
  /// `GET /v1`: the capabilities and limits of this server.
  func capabilities() -> HTTPResponse {
    let document: JSONLiteral = [
      "service": "livedelta", "protocol": 1,
      "dialects": .elements(Dialect.allCases.map { .text($0.name) }),
      "preferences": .elements(Preferences.all.map { .text($0) }),
      "wait": ["min": 0, "max": .number(service.limits.waitSecondsMax)],
      "ping": bounds(Query.pingSeconds)
        + ["default": .number(Query.pingSecondsDefault)],
      "limits": .members(shownLimits.map { (name: $0, value: .number($1)) }),
      "settings": bounds(service.limits.settingsLimits),
      "client": clientForBrowsers,
    ]
    return .json(document.bytes, cache: "no-cache")
  }

  /// The path of the browser client's core module, and its integrity value.
  private var clientForBrowsers: JSONLiteral {
    [
      "version": .text(WebFile.version),
      "core": .text("/client/\(WebFile.version)/\(WebFile.core.name)"),
      "integrity": .text(WebFile.core.integrity),
    ]
  }

  /// The bounds of the numbers in a collection's settings, in the structure of the settings.
  private func bounds(_ limits: SettingsLimits) -> JSONLiteral {
    [
      "dataCountAnimationThreshold": bounds(limits.thresholds),
      "deltaCountAnimationThreshold": bounds(limits.thresholds),
      "retention": [
        "versions": bounds(limits.versions), "seconds": bounds(limits.seconds),
        "bytes": bounds(limits.bytes),
      ],
    ]
  }

  private func bounds(_ range: ClosedRange<Int>) -> JSONLiteral {
    ["min": .number(range.lowerBound), "max": .number(range.upperBound)]
  }

  private var shownLimits: [(String, Int)] {
    [
      ("bodyBytes", limits.server.request.bodyBytesMax), ("items", service.limits.itemsMax),
      ("sections", service.limits.sectionsMax), ("idBytes", service.limits.idBytesMax),
      ("itemBytes", service.limits.itemBytesMax), ("depth", service.limits.depthMax),
      ("edits", service.limits.editsMax),
      ("collectionBytes", service.limits.collectionBytesMax),
      ("batchBytes", service.limits.batchBytesMax),
      ("patchSteps", service.limits.patchStepsMax),
      ("settingsListMax", service.limits.settings.listMax),
      ("settingsPointerBytes", service.limits.settings.pointerBytesMax),
      ("settingsPointerTokens", service.limits.settings.pointerTokensMax),
      ("animationsBytes", service.limits.settings.animationsBytesMax),
      ("syncBytes", service.limits.syncBytesMax),
      ("collectionsPerClient", service.limits.collectionsPerClientMax),
      ("headerBytes", limits.server.request.headerBytesMax),
      ("fields", limits.server.request.fieldsMax),
      ("targetBytes", limits.server.request.targetBytesMax),
      ("connections", limits.server.connectionsMax),
      ("parked", service.limits.parkedMax),
      ("dataCountAnimationThreshold", service.limits.dataCountAnimationThreshold),
      ("deltaCountAnimationThreshold", service.limits.deltaCountAnimationThreshold),
      ("retainedVersions", service.limits.retention.versionsMax),
    ]
  }
}
