import SnapshotJSON

/// A change to one collection, with its body not yet parsed.
package struct Write: Sendable {
  /// The kinds of change.
  package enum Change: Sendable {
    /// Replaces the content.
    case put(WriteBody)
    /// Applies edits: `{"edits":[…]}`, or only the array if it is a part of a batch.
    case edit(WriteBody)
    /// Applies a JSON Patch (RFC 6902).
    case patch(WriteBody)
    /// Replaces the settings, or applies a merge patch to them.
    case settings(WriteBody, isPatch: Bool)
    /// Restores a retained version.
    case revert(RevertRequest)
    /// Deletes the collection.
    case delete
  }

  package var name: ResourceName
  package var change: Change
  package var precondition = Precondition()
  package var answer = WriteRequest.Answer.receipt
  /// Whether it is part of deleting the client.
  package var isOfClient = false

  package init(
    name: ResourceName, change: Change, precondition: Precondition = Precondition(),
    answer: WriteRequest.Answer = .receipt, isOfClient: Bool = false
  ) {
    self.name = name
    self.change = change
    self.precondition = precondition
    self.answer = answer
    self.isOfClient = isOfClient
  }

  /// Whether the writer gave no precondition on the version.
  var lacksPrecondition: Bool { precondition.isEmpty && !isOfClient }

  package var isDelete: Bool { if case .delete = change { true } else { false } }

  /// The number of bytes to process.
  package var byteCount: Int {
    switch change {
    case .put(let body), .edit(let body), .patch(let body), .settings(let body, _): body.count
    case .revert(let revert): revert.byteCount
    case .delete: 0
    }
  }
}

extension Write.Change {
  package init(_ change: WriteRequest.Change) {
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
