import SnapshotJSON

/// A change of one collection as it came, before its body is read.
struct Write: Sendable {
  /// The change, with the text that says what it is.
  enum Change: Sendable {
    /// The whole new content.
    case put(WriteBody)
    /// `{"edits":[…]}`, or the array alone where it is a part of a batch.
    case edit(WriteBody)
    /// A JSON Patch (RFC 6902).
    case patch(WriteBody)
    /// All settings, or a merge patch of them.
    case settings(WriteBody, isPatch: Bool)
    /// A version that is kept becomes the newest one's content.
    case revert(RevertRequest)
    /// The collection goes.
    case delete
  }

  var name: ResourceName
  var change: Change
  var precondition = Precondition()
  var answer = WriteRequest.Answer.receipt
  /// Whether it is a part of forgetting the whole client.
  var isOfClient = false

  /// Whether the writer says nothing of the state that it builds on, though it could.
  var lacksPrecondition: Bool { precondition.isEmpty && !isOfClient }

  var isDelete: Bool { if case .delete = change { true } else { false } }

  /// The bytes of its body.
  var byteCount: Int {
    switch change {
    case .put(let body), .edit(let body), .patch(let body), .settings(let body, _): body.count
    case .revert(let revert): revert.byteCount
    case .delete: 0
    }
  }
}

/// A body, or the part of a batch's body that is one write's.
struct WriteBody: Sendable {
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// The JSON pointer to it in what the writer sent.
  let pointer: String

  /// A whole body.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = bytes.indices
    pointer = ""
  }

  /// A value in a larger text.
  init(_ value: JSONValue, of bytes: [UInt8], pointer: String) {
    self.bytes = bytes
    range = value.range
    self.pointer = pointer
  }

  /// Whether it came as a part of a batch.
  var isPart: Bool { !pointer.isEmpty }

  var count: Int { range.count }

  /// The JSON text.
  var text: [UInt8] { range.count == bytes.count ? bytes : Array(bytes[range]) }
}

extension Write.Change {
  init(_ change: WriteRequest.Change) {
    switch change {
    case .put(let body): self = .put(WriteBody(body))
    case .edit(let body): self = .edit(WriteBody(body))
    case .patch(let body): self = .patch(WriteBody(body))
    case .settings(let body, let isPatch): self = .settings(WriteBody(body), isPatch: isPatch)
    case .revert(let body): self = .revert(.body(WriteBody(body)))
    case .delete: self = .delete
    }
  }
}
