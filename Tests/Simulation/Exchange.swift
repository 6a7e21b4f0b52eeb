import HTTP1
import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import SocketServer
@testable import VersionedCollections

/// A request as a user sends it.
struct Request {
  var method = "GET"
  var path: String
  var parameters: [(name: String, value: String)] = []
  var fields: [(name: String, value: String)] = []
  var body = ""

  /// A request for a collection, or for something of it.
  init(_ method: String, _ key: CollectionKey, _ part: String = "") {
    self.init(method, "/v1/clients/\(key.client.text)/collections/\(key.name.text)\(part)")
  }

  init(_ method: String, _ path: String) { (self.method, self.path) = (method, path) }

  /// Its target and its fields, as they are sent.
  private var head: String {
    let query = parameters.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
    var lines = [
      "\(method) \(path)\(query.isEmpty ? "" : "?")\(query) HTTP/1.1", "Host: localhost",
    ]
    for (name, value) in fields { lines.append("\(name): \(value)") }
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let isPlain = 0x30...0x39 ~= byte || 0x41...0x5a ~= byte || 0x61...0x7a ~= byte
      let digits = String(byte, radix: 16)
      result += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }

  /// The request as the server's parser reads it.
  var parsed: HTTPRequest {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    var position = 0
    switch reader.next(Array(head.utf8).span, at: &position, scratch: &scratch) {
    case .head(var request), .request(var request):
      request.body = Array(body.utf8)
      return request
    case let event: preconditionFailure("\(head): \(event)")
    }
  }
}

/// A response as a user reads it.
struct Response {
  let status: Int
  /// Its content; nothing of a stream.
  let body: [UInt8]
  let isStream: Bool
  let version: VersionToken?
  /// Whether it says that it may be out of date.
  let isStale: Bool
  let text: Text?

  fileprivate init(_ response: HTTPResponse, isStream: Bool) {
    (status, self.isStream) = (response.status, isStream)
    switch response.body {
    case .bytes(let bytes) where !isStream: body = bytes
    case .segments(let segments) where !isStream: body = Array(segments.joined())
    default: body = []
    }
    isStale = response.field("Collection-Stale") != nil
    text = body.isEmpty ? nil : Text(body)
    version = response.field("Collection-Version").flatMap {
      VersionToken(String(decoding: $0, as: UTF8.self))
    }
  }

  /// The code of a problem.
  var code: String? { status < 400 ? nil : text?["code"]?.string ?? "" }
}

/// One request on its way through the routes of a replica, and what comes back: the event loop of a connection that
/// there is not.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Exchange: ResponseLoop, @unchecked Sendable {
  let number = 0
  /// A stream that can take only what its peer reads at once must wait until it has.
  let streamBytesMax: Int
  private let host: Host
  private var receive: ((Response) -> Void)?
  /// Receives the events of a stream, and nil at its end.
  private var receiveEvent: ((SourceEvent?) -> Void)?
  private var isAnswered = false
  private var onHangup: (@Sendable (Hangup) -> Void)?
  private var stream: ResponseStream?
  /// What its peer has not read yet.
  private var unread: [UInt8] = []
  /// Whether its peer does not read.
  private var isStalled = false

  init(
    _ host: Host, streamBytesMax: Int = .max, _ receive: @escaping (Response) -> Void,
    receiveEvent: @escaping (SourceEvent?) -> Void = { _ in }
  ) {
    (self.host, self.streamBytesMax) = (host, streamBytesMax)
    (self.receive, self.receiveEvent) = (receive, receiveEvent)
  }

  /// Hands a request to routes, as an event loop does.
  func send(_ request: HTTPRequest, to listener: Listener, connection: Int) {
    host.exchanges[ObjectIdentifier(self)] = self
    let peer = PeerAddress.ipv4(0x0100_007F, port: 1)
    let handle = ConnectionHandle(
      loop: self, descriptor: Int32(connection), generation: 0, peer: peer)
    let responder = Responder(connection: handle, request: 1)
    if request.body.isEmpty { return listener.handler(request, responder) }
    var head = request
    head.body = []
    carryOut(listener.headCheck?(head, peer) ?? .read(), request, responder, listener)
  }

  private func carryOut(
    _ decision: BodyDecision, _ request: HTTPRequest, _ responder: Responder, _ listener: Listener
  ) {
    switch decision {
    case .refuse(let response): responder.send(response)
    case .later(let decide): decide { self.carryOut($0, request, responder, listener) }
    case .read(_, let handler): (handler ?? listener.handler)(request, responder)
    }
  }

  /// Ends it as a peer does that disconnects.
  func hangUp() {
    let (stream, action) = (stream, onHangup)
    forget()
    end()
    stream?.close()?()
    action?(.both)
  }

  /// Forgets its peer and its replica: nothing of it is heard any more.
  func forget() {
    (stream, onHangup, isAnswered) = (nil, nil, true)
    (receive, receiveEvent) = (nil, nil)
  }

  private func end() { host.exchanges[ObjectIdentifier(self)] = nil }

  /// Has the peer read no more, until `resume()`.
  func stall() { isStalled = stream != nil }

  /// Has the peer read again what has come, and what comes.
  func resume() {
    isStalled = false
    read()
    if let stream { stream.noteWaiting(unread.count)?() }
  }

  /// The events that its peer has not read, besides those that keep the connection alive or end the stream.
  var newsCount: Int {
    String(decoding: unread, as: UTF8.self).split(separator: "\n").count { line in
      line.hasPrefix("event: ") && !["ping", "end", "problem"].contains(line.dropFirst(7))
    }
  }

  // MARK: As an event loop

  func respond(
    _ handle: ConnectionHandle, request: UInt32, _ response: HTTPResponse
  ) {
    if begin(nil) {
      end()
      take(Response(response, isStream: false))
    }
  }

  func setOnHangup(
    _ handle: ConnectionHandle, request: UInt32, _ action: @escaping @Sendable (Hangup) -> Void
  ) { if !isAnswered { onHangup = action } }

  func openSoon(_ stream: ResponseStream, _ head: HTTPResponse) {
    if begin(stream) {
      take(Response(head, isStream: true))
    } else {
      stream.close()?()
    }
  }

  func pumpSoon(_ stream: ResponseStream) {
    host.after(0) { [self] in pump(stream) }
  }

  private func pump(_ stream: ResponseStream) {
    let work = stream.takeWork()
    guard self.stream === stream else { return }
    for piece in work.pieces { unread += piece }
    read()
    if work.isFinished || work.aborts {
      self.stream = nil
      isStalled = false
      read()
      receiveEvent?(nil)
      receiveEvent = nil
      end()
    }
    stream.noteWaiting(unread.count)?()
  }

  private func take(_ response: Response) {
    receive?(response)
    receive = nil
  }

  private func begin(_ stream: ResponseStream?) -> Bool {
    if isAnswered { return false }
    (isAnswered, self.stream, onHangup) = (true, stream, nil)
    return true
  }

  /// Reads whole events.
  private func read() {
    while !isStalled, let end = endOfEvent {
      let event = SourceEvent(String(decoding: unread[..<end], as: UTF8.self))
      unread.removeFirst(end)
      if let event { receiveEvent?(event) }
    }
  }

  private var endOfEvent: Int? {
    let feed = UInt8(ascii: "\n")
    return unread.indices.dropFirst().first { unread[$0] == feed && unread[$0 - 1] == feed }
      .map { $0 + 1 }
  }
}

extension SourceEvent {
  /// Its data; nil if they are not JSON.
  var text: Text? { Text(Array(data.utf8)) }
}
