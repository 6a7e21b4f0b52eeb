import CollectionService
import HTTP1
import SnapshotJSON

/// The contents of an access log entry apart from its time and duration; shared by all responses
/// repeated from a cached one.
///
/// `@unchecked Sendable`: ``text`` is accessed only on the log's queue; everything else is
/// immutable.
final class LoggedRequest: @unchecked Sendable {
  private let method: HTTPMethod?
  private let subject: RequestSubject
  private let status: Int
  private let byteCount: Int
  private let areNamesHashed: Bool
  /// The record of this request; `nil` for an entry that several requests share.
  private let record: RequestRecord?
  private let trace: TraceContext?

  /// The approximate memory it uses, in bytes.
  static let byteCount = 512

  /// - Parameters:
  ///   - request: The request; `nil` if it could not be parsed.
  ///   - subject: What the request is about.
  ///   - status: The status of the response.
  ///   - byteCount: The size of the content sent.
  ///   - names: How names are formatted.
  ///   - record: The record of the request; `nil` for an entry that several requests share.
  init(
    _ request: HTTPRequest?, _ subject: RequestSubject, status: Int, byteCount: Int,
    _ names: LoggedNames, _ record: RequestRecord?
  ) {
    method = request?.method
    self.subject = subject
    self.status = status
    self.byteCount = byteCount
    areNamesHashed = names.areHashed
    self.record = record
    trace = record == nil ? nil : request.flatMap { TraceContext($0) }
  }

  /// Whether several requests share it.
  var isShared: Bool { record == nil }

  /// The id given by the client.
  var id: RequestID? { record?.id }

  /// The parts of the line between the id and the duration, and after the duration.
  private(set) lazy var text: (beforeDuration: [UInt8], afterDuration: [UInt8]) = (before, after)

  private var before: [UInt8] {
    let names = LoggedNames(areHashed: areNamesHashed)
    let (client, collection) = subject.names
    return Self.members {
      $0.member("method", orNull: method?.rawValue)
      $0.member("kind", subject.kind.name)
      if let client { $0.member("client", utf8: names.text(client)[...]) }
      if let collection { $0.member("collection", utf8: names.text(collection)[...]) }
      $0.member("status", status)
      $0.member("bytes", byteCount)
    } + Array(",\"durationMicroseconds\":".utf8)
  }

  private var after: [UInt8] {
    Self.members {
      if let parked = subject.parked {
        $0.member("parkedMicroseconds", parked.duration.microseconds)
      }
      if let record, let trace {
        $0.member("trace", utf8: trace.trace)
        $0.member("parent", utf8: trace.parent)
        $0.member("span", utf8: record.span[...])
      }
    } + Array("}\n".utf8)
  }

  /// Formats members to continue an object that already has some.
  private static func members(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    let object = JSONWriter.object(body)
    guard object.count > 2 else { return [] }
    return [UInt8(ascii: ",")] + object.dropFirst().dropLast()
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
