import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import SocketServer
import VersionedCollections

extension OperationsRoutes {
  /// `GET /clients/{client}/export`: all that it has, a line for each collection.
  func export(_ client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let limit = try query.limit
    var after: ResourceName?
    if let text = query[.after], !text.isEmpty {
      guard let name = ResourceName(text) else {
        throw .badParameter("`after` must be the name of the last collection that was received")
      }
      after = name
    }
    var head = HTTPResponse(status: 200)
    head.setField("Content-Type", MediaType.lines)
    head.setField("Cache-Control", "no-store")
    guard !scope.request.isHead else { return scope.reply(head) }
    var export = ClientExport(client, service, scope, countMax: limit ?? .max)
    export.start(head, after: after)
  }

  /// `POST /clients/{client}/import`: creates collections from the lines of an export, one after the
  /// other.
  ///
  /// A collection that exists with the version of its line is skipped, so that an import that stopped
  /// is sent again to resume.
  func restore(_ client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let replaces = query[.replace] ?? "false"
    guard ["true", "false"].contains(replaces) else {
      throw .badParameter("`replace` must be true or false")
    }
    let run = ClientImport(client, service, scope, replaces: replaces == "true")
    scope.onWorker { run.resume() }
  }
}

/// Streams a client's collections, at most one of them in memory; without the last line if the credential
/// ends meanwhile.
private struct ClientExport: Sendable {
  private let client: ResourceName
  private let service: DeltaService
  private let scope: RequestScope
  private let countMax: Int
  private var unwatch: (@Sendable () -> Void)?

  init(
    _ client: ResourceName, _ service: DeltaService, _ scope: RequestScope, countMax: Int
  ) {
    (self.client, self.service, self.scope, self.countMax) = (client, service, scope, countMax)
  }

  mutating func start(_ head: HTTPResponse, after: ResourceName?) {
    let stream = scope.openStream(head)
    let line = ExportLine.headLine(of: client) + [UInt8(ascii: "\n")]
    unwatch = scope.authorization?.watch { _ in stream.abort() }
    stream.onClose { [scope, unwatch] in
      unwatch?()
      scope.endStream(byteCount: 0)
    }
    stream.write(line)
    next(after, stream, count: 0, byteCount: line.count)
  }

  private func next(
    _ after: ResourceName?, _ stream: ResponseStream, count: Int, byteCount: Int
  ) {
    guard count < countMax else { return finish(stream, byteCount: byteCount) }
    service.index(of: client, after: after, limit: 1, requestID: scope.requestID) { result in
      guard case .success(let (page, _)) = result else { return stream.abort() }
      guard let name = page.first?.name else {
        let line = ExportLine.endLine(collectionCount: count) + [UInt8(ascii: "\n")]
        stream.write(line)
        return finish(stream, byteCount: byteCount + line.count)
      }
      let key = CollectionKey(client: client, name: name)
      service.exportLine(of: key, requestID: scope.requestID) { result in
        switch result {
        case .success(let line):
          let bytes = line + [UInt8(ascii: "\n")]
          let isWritable = stream.write(bytes)
          let resume: @Sendable () -> Void = {
            next(name, stream, count: count + 1, byteCount: byteCount + bytes.count)
          }
          // Not from here, because all may complete synchronously, one inside the other.
          if isWritable { scope.onWorker(resume) } else { stream.onWritable(resume) }
        case .failure(let failure):
          // It was deleted after it had been listed.
          guard case .collectionNotFound = failure.error else { return stream.abort() }
          scope.onWorker { next(name, stream, count: count, byteCount: byteCount) }
        }
      }
    }
  }

  private func finish(_ stream: ResponseStream, byteCount: Int) {
    unwatch?()
    stream.finish()
    scope.endStream(byteCount: byteCount)
  }
}

/// Imports the lines of a body, one after the other.
private struct ClientImport: Sendable {
  private let client: ResourceName
  private let service: DeltaService
  private let scope: RequestScope
  private let replaces: Bool
  /// Where the rest of the body begins.
  private var position = 0
  private var lineNumber = 0
  private var importedCount = 0
  private var skippedCount = 0
  private var last: ResourceName?

  init(
    _ client: ResourceName, _ service: DeltaService, _ scope: RequestScope, replaces: Bool
  ) {
    (self.client, self.service, self.scope, self.replaces) = (client, service, scope, replaces)
  }

  /// Imports the next collection, and then the rest, unless the credential has ended meanwhile.
  func resume() {
    if let refusal = scope.authorization?.refusal() { return reply(Problem(refusal)) }
    var run = self
    do throws(ServiceError) {
      while let line = run.takeLine() {
        guard case .collection(var source) = try ExportLine(line, service.limits) else { continue }
        source.replaces = replaces
        return run.restore(source)
      }
    } catch {
      return run.refuse(ServiceFailure(error, current: nil))
    }
    scope.reply(run.answer)
  }

  /// Removes and returns the next line that is not empty.
  private mutating func takeLine() -> [UInt8]? {
    let body = scope.request.body
    while position < body.count {
      let end = body[position...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
      let line = body[position..<end]
      position = end + 1
      lineNumber += 1
      if line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) {
        return Array(line)
      }
    }
    return nil
  }

  private func restore(_ source: ExportedCollection) {
    var request = WriteRequest(.restore(source))
    request.requestID = scope.requestID
    service.write(CollectionKey(client: client, name: source.name), request) { result in
      var run = self
      switch result {
      case .success(let receipt):
        run.last = source.name
        if receipt.isChanged { run.importedCount += 1 } else { run.skippedCount += 1 }
        scope.onWorker { [run] in run.resume() }
      case .failure(let failure): run.refuse(failure)
      }
    }
  }

  private func refuse(_ failure: ServiceFailure) {
    var problem = Problem(failure).naming(scope.requestID)
    if case .collectionExists = failure.error {
      problem.detail = "the collection exists with another version; ?replace=true replaces it"
    }
    problem.detail = "line \(lineNumber): \(problem.detail)"
    reply(problem)
  }

  /// Replies with a problem, and how far the import has come.
  private func reply(_ problem: Problem) { scope.reply(problem.response { write(to: &$0) }) }

  private var answer: HTTPResponse {
    .json(
      JSONWriter.object { writer in
        writer.member("client", client.text)
        write(to: &writer)
      }, cache: "no-store")
  }

  /// Writes how far the import has come.
  private func write(to writer: inout JSONWriter) {
    writer.member("imported", importedCount)
    writer.member("skipped", skippedCount)
    writer.member("last", orNull: last?.text)
  }
}
