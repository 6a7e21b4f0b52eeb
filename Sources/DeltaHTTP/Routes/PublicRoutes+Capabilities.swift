import CollectionService
import HTTP1
import SnapshotJSON
import SocketServer

/// The limits that are the server's, not the service's.
struct WireLimits: Sendable {
  var server = ServerLimits()
  var indexPageDefault = 100
  var indexPageMax = 1000
}

extension PublicRoutes {
  /// `GET /v1`: what this server does, and how much of it.
  func capabilities() -> HTTPResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("service")
    writer.string("livedelta")
    writer.key("protocol")
    writer.number(1)
    writer.key("dialects")
    writer.beginArray()
    for dialect in Dialect.allCases { writer.string(dialect.name) }
    writer.endArray()
    writer.key("wait")
    writer.object([("min", 0), ("max", service.limits.waitSecondsMax)])
    writer.key("ping")
    writer.object([("min", 5), ("max", 120), ("default", 15)])
    writer.key("limits")
    writer.object(told)
    writer.key("settings")
    writeSettingsBounds(service.limits.settingsLimits, &writer)
    writer.endObject()
    return .json(writer.bytes, cache: "no-cache")
  }

  /// The bounds of each number in a collection's settings, where the settings have the number.
  private func writeSettingsBounds(_ limits: SettingsLimits, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("dataCountAnimationThreshold")
    writer.bounds(limits.thresholds)
    writer.key("deltaCountAnimationThreshold")
    writer.bounds(limits.thresholds)
    writer.key("retention")
    writer.beginObject()
    writer.key("versions")
    writer.bounds(limits.versions)
    writer.key("seconds")
    writer.bounds(limits.seconds)
    writer.key("bytes")
    writer.bounds(limits.bytes)
    writer.endObject()
    writer.endObject()
  }

  private var told: [(StaticString, Int)] {
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

extension JSONWriter {
  /// The least and the greatest value of a number.
  fileprivate mutating func bounds(_ range: ClosedRange<Int>) {
    object([("min", range.lowerBound), ("max", range.upperBound)])
  }

  /// An object of numbers.
  mutating func object(_ members: [(StaticString, Int)]) {
    beginObject()
    for (name, value) in members {
      key(name)
      number(value)
    }
    endObject()
  }
}
