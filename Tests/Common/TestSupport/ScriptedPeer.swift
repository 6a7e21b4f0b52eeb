import DeltaEngine
package import Dispatch
import Glibc

/// A server that answers byte for byte as a test says, on a port of the kernel's choice.
///
/// Each connection is served on a queue of its own; requests are numbered in the order in which they
/// come, over all of them.
package final class ScriptedPeer: Sendable {
  /// What a request is answered with.
  package struct Script: Sendable {
    package var answer: String
    /// Whether the connection is closed after it.
    package var closes: Bool

    package init(answer: String, closes: Bool = false) {
      (self.answer, self.closes) = (answer, closes)
    }

    /// A whole response with a body, which with the status of a refusal is a problem of the service if it is JSON.
    package init(body: String, status: Int = 200, type: String? = nil) {
      let type = type ?? (status >= 400 && body.hasPrefix("{") ? "application/problem+json" : nil)
      let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
      let head = "HTTP/1.1 \(status) X\r\n\(field)Content-Length: \(body.utf8.count)\r\n\r\n"
      self.init(answer: head + body)
    }
  }

  /// There is no port to listen on.
  package struct ListenFailure: Error { package var code: Int32 }

  /// Where it listens.
  package let address: String
  private let listener: Int32
  private let gate: DispatchSemaphore?
  private let count: Int?
  private let script: @Sendable (Int, String) -> Script?
  private let log = Locked<(requests: [String], connections: Int, ends: Int)>(([], 0, 0))

  /// Listens until `stop()`, or until the last request has come.
  ///
  /// - Parameters:
  ///   - gate: What to wait for before the first request is read.
  ///   - count: The number of requests; nil for no end.
  ///   - script: The answer to the n-th request, from 0; nil for none.
  /// - Throws: ``ListenFailure``.
  package convenience init(
    readingAfter gate: DispatchSemaphore? = nil, count: Int? = nil,
    _ script: @escaping @Sendable (Int) -> Script?
  ) throws {
    try self.init(readingAfter: gate, count: count) { number, _ in script(number) }
  }

  /// Answers each request, head and body, as a function of it says.
  package convenience init(
    answering script: @escaping @Sendable (_ request: String) -> Script?
  ) throws {
    try self.init(readingAfter: nil, count: nil) { script($1) }
  }

  private init(
    readingAfter gate: DispatchSemaphore?, count: Int?,
    script: @escaping @Sendable (Int, String) -> Script?
  ) throws {
    let (listener, port) = try listenOnAnyPort()
    self.listener = listener
    address = "127.0.0.1:\(port)"
    (self.gate, self.count, self.script) = (gate, count, script)
    DispatchQueue(label: "scripted peer").async { [self] in acceptAll() }
  }

  /// Answers the n-th request with the n-th script.
  package convenience init(_ scripts: [Script]) throws {
    try self.init(count: scripts.count) { $0 < scripts.count ? scripts[$0] : nil }
  }

  /// What was asked so far, heads and bodies.
  package var requests: [String] { log.withLock { $0.requests } }
  /// How many connections were made so far.
  package var connections: Int { log.withLock { $0.connections } }

  /// How many connections have ended so far.
  package var ends: Int { log.withLock { $0.ends } }

  /// Takes no more connections.
  package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func acceptAll() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      log.withLock { $0.connections += 1 }
      DispatchQueue(label: "scripted peer's connection").async { [self] in serve(connection) }
    }
    close(listener)
  }

  private func serve(_ connection: Int32) {
    defer {
      close(connection)
      log.withLock { $0.ends += 1 }
    }
    gate?.wait()
    while let request = readRequest(from: connection) {
      let number = log.withLock { log in
        log.requests.append(request)
        return log.requests.count - 1
      }
      if number + 1 == count { stop() }
      guard let script = script(number, request) else { continue }
      let bytes = Array(script.answer.utf8)
      _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if script.closes { return }
    }
  }

  /// One request with its body; nil when the client has gone.
  private func readRequest(from connection: Int32) -> String? {
    var request: [UInt8] = []
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard receive(1, from: connection, into: &request) else { return nil }
    }
    let head = String(decoding: request, as: UTF8.self).lowercased()
    let length = head.firstRange(of: "content-length: ").flatMap { range in
      Int(head[range.upperBound...].prefix { $0.isNumber })
    }
    let end = request.count + (length ?? 0)
    while request.count < end {
      guard receive(end - request.count, from: connection, into: &request) else { return nil }
    }
    return String(decoding: request, as: UTF8.self)
  }

  /// Receives at most so many bytes; false at the end.
  private func receive(_ count: Int, from connection: Int32, into bytes: inout [UInt8]) -> Bool {
    let size = min(count, 1 << 18)
    let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, recv(connection, buffer.baseAddress, size, 0))
    }
    bytes += part
    return !part.isEmpty
  }
}
