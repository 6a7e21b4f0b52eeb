import CollectionService
import HTTP1
import SnapshotJSON

/// What the access log says of a request, but for its moment; all that were answered alike from
/// memory share one.
///
/// `@unchecked Sendable`: ``text`` is touched on the log's queue only, all else is never changed.
final class LoggedRequest: @unchecked Sendable {
  private let method: HTTPMethod?
  private let subject: RequestSubject
  private let status: Int
  private let byteCount: Int
  private let areNamesHashed: Bool
  /// What is this request's alone; nil where it has nothing but its number.
  private let record: RequestRecord?
  private let trace: TraceContext?

  /// About how much memory it takes.
  static let byteCount = 512

  /// - Parameters:
  ///   - request: The request; nil for what could not be read as one.
  ///   - subject: What it is about.
  ///   - status: Of the response.
  ///   - byteCount: Of the content that is sent.
  ///   - names: How names appear.
  ///   - record: What was noted of it; nil for one that stands for others.
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

  /// Whether others share it.
  var isShared: Bool { record == nil }

  /// The id that the client gave.
  var id: RequestID? { record?.id }

  /// The line behind the id and before the duration, and what comes behind that.
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

  /// Members as they go on in an object that has some already.
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
