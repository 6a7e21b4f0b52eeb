import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import SocketServer
import Synchronization
import VersionedCollections

/// A response of server-sent events: writes a follower's events, and resumes it when they have been
/// sent.
///
/// With a content coding, the stream is one encoded content from start to end, composed of pieces
/// that are deflated once for all recipients.
final class EventStream: Sendable {
  private let stream: ResponseStream
  private let ticket: FollowTicket?
  private let content: Mutex<CodedText>
  private let record: StreamRecord
  private let unwatch = Mutex<(@Sendable () -> Void)?>(nil)

  /// Starts the response; `ticket` is `nil` if nothing is followed.
  ///
  /// `changed` is called when the sender may see something else than before, with the request as it is authorized by
  /// then; by default the stream ends, and its reader comes again.
  init(
    _ scope: RequestScope, head: HTTPResponse, ticket: FollowTicket?,
    changed: @escaping @Sendable (RequestScope, EventStream) -> Void = { $1.end(.rotate) }
  ) {
    // There is no minimum size for events, because the stream is encoded as a whole.
    let coding = scope.codings.best ?? .identity
    var head = head
    if let name = coding.name { head.appendField("Content-Encoding", name) }
    content = Mutex(CodedText(coding))
    let record = StreamRecord(scope)
    self.record = record
    stream = scope.openStream(head)
    self.ticket = ticket
    stream.onClose {
      ticket?.cancel()
      record.end()
    }
    if coding != .identity { put(coding.head) }
    let unwatch = scope.authorization?.watch { [weak self] current in
      guard let self else { return }
      var scope = scope
      scope.authorization = current
      changed(scope, self)
    } ended: { [weak self] refusal in
      if refusal == .unavailable {
        self?.end(.unverified, retry: EventText.patientRetry)
      } else {
        self?.end(.tokenExpired)
      }
      ticket?.cancel()
    }
    self.unwatch.withLock { $0 = unwatch }
  }

  deinit { endWatch() }

  private func endWatch() { unwatch.withLock { $0.take() }?() }

  /// Writes the reconnection delay and the first events; returns whether more can be written immediately.
  @discardableResult
  func begin(retry milliseconds: Int, _ first: [EncodedText] = []) -> Bool {
    write([EncodedText(EventText.retry(milliseconds))] + first)
  }

  /// Writes the final event and ends the response.
  func end(_ reason: EndReason, retry: Int? = nil) {
    write((retry.map { EventText.retry($0) } ?? []) + EventText.end(reason))
    finish()
  }

  /// Writes a problem as the only event, with a reconnection delay, because an `EventSource` never
  /// reconnects after a status other than 200.
  func end(_ problem: Problem) {
    write(Self.text(problem))
    finish()
  }

  /// Writes a problem, then the final event with a reason, and ends the response.
  func end(_ problem: Problem, _ reason: EndReason) {
    write(Self.text(problem) + EventText.end(reason))
    finish()
  }

  /// Formats a problem as an event with a reconnection delay.
  static func text(_ problem: Problem) -> [UInt8] {
    var writer = JSONWriter()
    problem.write(to: &writer)
    return EventText.retry(EventText.patientRetry)
      + EventText.event("problem", id: nil, data: writer.bytes)
  }

  /// Ends the response without a final event.
  func finish() {
    let end = content.withLock { $0.end() }
    if !end.isEmpty { put(end) }
    record.end()
    stream.finish()
    endWatch()
  }

  /// Writes bytes unchanged.
  @discardableResult
  private func put(_ bytes: [UInt8]) -> Bool {
    record.add(bytes.count)
    return stream.write(bytes)
  }

  /// Writes events that are not shared with other streams; returns whether more can be written
  /// immediately.
  @discardableResult
  func write(_ text: [UInt8]) -> Bool { write([EncodedText(text)]) }

  /// Writes events; returns whether more can be written immediately.
  @discardableResult
  func write(_ pieces: [EncodedText]) -> Bool {
    var isWritable = true
    content.withLock { content in
      for piece in pieces { isWritable = put(content.append(piece)) }
    }
    if !isWritable, let ticket {
      stream.onWritable { ticket.resume() }
    }
    return isWritable
  }
}

/// Counts the bytes written to a stream, for its log entry.
private final class StreamRecord: Sendable {
  private let scope: RequestScope
  private let byteCount = Atomic(0)
  private let hasEnded = Atomic(false)

  init(_ scope: RequestScope) { self.scope = scope }

  func add(_ count: Int) {
    byteCount.wrappingAdd(count, ordering: .relaxed)
    scope.countStreamed(byteCount: count)
  }

  func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    scope.endStream(byteCount: byteCount.load(ordering: .relaxed))
  }
}

extension HTTPResponse {
  /// Creates the head of a stream, which intermediaries must neither cache, transform nor buffer.
  static func eventStream(
    _ version: VersionToken? = nil, _ representation: Representation? = nil
  ) -> HTTPResponse {
    var response = HTTPResponse(status: 200)
    response.setField("Content-Type", MediaType.events)
    response.setField("Cache-Control", "no-store, no-transform")
    response.setField("X-Accel-Buffering", "no")
    response.setField("Vary", variance)
    if representation?.patchesItems == true {
      response.setField("Preference-Applied", Preferences.itemPatches)
    }
    if let version { response.setField("Collection-Version", version.description) }
    return response
  }
}
