import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import LiveDeltaURLSession

/// Follows a collection as an app does, and prints what it holds after each event, in the four lines of
/// conformance/README.md.
///
///     ConformanceClient curl|urlsession stream|poll URL CLIENT COLLECTION [TOKEN]
@main
struct ConformanceClient {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count >= 6 else { fatalError("transport, way, URL, client and collection") }
    let token = words.count > 6 && !words[6].isEmpty ? words[6] : nil
    let transport: any DeltaTransport = words[1] == "curl" ? CurlTransport() : URLSessionTransport()
    let client = DeltaClient(
      try ServerAddress(words[3]), transport: transport, tokens: { _ in token })
    var options = FeedOptions()
    options.usesStream = words[2] == "stream"
    let feed = SyncFeed(
      client, [CollectionAddress(client: words[4], name: words[5])], options: options)
    try await feed.run { event in
      switch event {
      case .change(let changes):
        for change in changes.values { show(name(of: change), await feed.replica) }
      case .refused: break
      case .interrupted(let error, _):
        FileHandle.standardError.write(Data("ConformanceClient: \(error)\n".utf8))
      }
    }
  }

  private static func name(of change: ReplicaChange) -> String {
    switch change {
    case .unchanged: "unchanged"
    case .updated: "delta"
    case .replaced: "snapshot"
    case .deleted: "deleted"
    }
  }

  private static func show(_ name: String, _ replica: CollectionReplica) {
    var text = Array("event: \(name)\nversion: \(replica.version ?? "")\nmeta: ".utf8)
    text += replica.meta ?? []
    text += Array("\nsections: [".utf8)
    for (index, section) in replica.sections.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      // A header is an object; the items follow its members.
      text += section.header.dropLast()
      if section.header.count > 2 { text.append(UInt8(ascii: ",")) }
      text += Array("\"items\":[".utf8)
      for (index, item) in section.items.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += item.json
      }
      text += Array("]}".utf8)
    }
    text += Array("]\n".utf8)
    FileHandle.standardOutput.write(Data(text))
  }
}
